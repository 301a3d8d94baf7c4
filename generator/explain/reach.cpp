// See reach.h.
#include "explain/reach.h"

#include <nlohmann/json.hpp>

namespace alnsmith {

std::string limits(const plan::Plan &plan, const backend::Unit &unit, std::span<const models::CpuModel> cores) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  const models::GpuModel *gpu = plan.target->device ? models::find_gpu_model(plan.target->name) : nullptr;
  for (std::size_t i = 0; i < unit.reports.size(); ++i) {
    const backend::KernelReport &report = unit.reports[i];
    const plan::KernelPlan &kernel = plan.kernels[i];
    auto &own = all[report.entry] = nlohmann::ordered_json::object();
    if (gpu && report.step)
      own[std::string(gpu->device)] = models::pipe_limit(*gpu, *report.step, double{1} * kernel.k * kernel.packing);
    if (plan.target->vector_bytes)
      for (const models::CpuModel &cpu : cores) {
        if (cpu.machine != plan.target->cpu->machine) continue;
        const auto limit =
            models::port_limit(cpu, plan.target->vector_bytes, report.row, double{1} * kernel.columns() * kernel.lanes);
        if (limit) own[std::string(cpu.name)] = *limit;
      }
  }
  return all.dump() + "\n";
}

}  // namespace alnsmith
