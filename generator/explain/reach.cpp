// See reach.h.
#include "explain/reach.h"

#include <nlohmann/json.hpp>

namespace alnsmith {

std::string limits(const plan::Plan &plan, const backend::Unit &unit) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  const backend::Pipes *pipes = plan.target->device ? backend::find_pipes(plan.target->name) : nullptr;
  for (std::size_t i = 0; i < unit.reports.size(); ++i) {
    const backend::KernelReport &report = unit.reports[i];
    const plan::KernelPlan &kernel = plan.kernels[i];
    auto &own = all[report.entry] = nlohmann::ordered_json::object();
    if (pipes && report.step) own[std::string(pipes->device)] = backend::pipe_limit(*pipes, *report.step, kernel);
    if (plan.target->vector_bytes)
      for (const backend::Core &core : backend::cores()) {
        if (core.machine != plan.target->cpu->machine) continue;
        own[std::string(core.name)] =
            backend::port_limit(core, plan.target->vector_bytes, report.row, double{1} * kernel.k * kernel.lanes);
      }
  }
  return all.dump() + "\n";
}

}  // namespace alnsmith
