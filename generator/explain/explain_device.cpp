#include "explain/explain_device.h"

#include "explain/shell.h"
#include "models/gpu_model.h"
#include "models/resources.h"

namespace alnsmith {

namespace {

// What a compiler says that the text's kernels need; empty if there is none for this target.
std::map<std::string, models::Resources> compiled(const backend::Target &target, const std::string &path) {
  const std::string name(target.name.substr(target.name.find(':') + 1));
  if (target.device->language == backend::Language::cuda && name.starts_with("sm_"))
    return models::ptxas_resources(output_of("PATH=\"$PATH:/usr/local/cuda/bin\" nvcc -w -cubin -arch=" + name +
                                             " -Xptxas -v -o /dev/null " + quoted(path) + " 2>&1"),
                                   name);
  if (target.device->language == backend::Language::hip)
    for (const char *clang : {"clang++-22", "clang++-21", "clang++-20", "clang++-19", "clang++"}) {
      const std::string out =
          output_of(std::string(clang) + " -x hip -std=c++17 -O3 --cuda-device-only --offload-arch=" + name +
                    " -nogpuinc -nogpulib -w -S -o - " + quoted(path) + " 2>/dev/null");
      if (!out.empty()) return models::amd_listing_resources(out);
    }
  return {};
}

}  // namespace

std::string explain_device(const plan::Plan &plan, const backend::Unit &unit, const std::string &path) {
  std::string out;
  const auto resources = compiled(*plan.target, path);
  const models::GpuModel *gpu = models::find_gpu_model(plan.target->name);
  for (std::size_t i = 0; i < unit.reports.size(); ++i) {
    const backend::KernelReport &report = unit.reports[i];
    const plan::KernelPlan &kernel = plan.kernels[i];
    const double columns = kernel.p * kernel.k, cells = kernel.k * kernel.packing;
    out += report.entry + "\n";
    for (const passes::Trace &t : report.trace)
      out += format("  after %-18s %5d statements, %4d vector operations in the hot loop\n", t.pass.c_str(),
                    t.operations, t.hot_operations);
    if (const auto it = resources.find(report.entry); it != resources.end())
      out += format("  registers: %d, spilled: %d bytes\n", it->second.registers, it->second.spill_store_bytes);
    else
      out += "  registers: no compiler found for this target (nvcc, clang++), or only the device has one\n";
    if (report.step)
      out += format(
          "  a step of %d x %d cells: %.0f integer, %.0f multiply, %.0f half-precision operations, %.0f words "
          "of shared memory, %.0f exchanges; %.2f instructions per cell pair\n",
          kernel.k, kernel.packing, report.step->integer, report.step->multiply, report.step->half, report.step->shared,
          report.step->exchanges, 2 * report.step->all() / cells);
    if (kernel.sliced()) {
      // A row of a strip reads two planes of a letter, and its states, which go out again.
      const int states = kernel.border_ints / kernel.lanes - 2 * LETTER_PLANES;
      out += format("  global memory: %.1f bytes per 1,000 cells\n", (8 + 8.0 * states) * 1000 / cells);
      if (gpu && report.step)
        out += format("  pipe limit, %s at %.2f GHz, measured rates: %.0f GCUPS\n", std::string(gpu->device).c_str(),
                      gpu->ghz, models::pipe_limit(*gpu, *report.step, cells));
      continue;
    }
    // A stage reads its stream letters once; between stages H and E go out and come back.
    const int states = kernel.border_ints * kernel.p / (kernel.block ? kernel.p : kernel.lanes) / kernel.packing;
    out += format("  global memory: %.1f bytes per 1,000 cells in one stage, %.1f between stages; shared: %.1f\n",
                  1000 / columns, (1 + 8.0 * states) * 1000 / columns,
                  report.step ? 4000 * report.step->shared / cells : 0.0);
    if (kernel.trace_row_words > 0)
      out += format("  for the way back: %.0f bytes per 1,000 cells of global memory\n",
                    4000.0 * kernel.trace_row_words / kernel.lanes / cells);
    if (gpu && report.step)
      out += format("  pipe limit, %s at %.2f GHz, measured rates: %.0f GCUPS\n", std::string(gpu->device).c_str(),
                    gpu->ghz, models::pipe_limit(*gpu, *report.step, cells));
  }
  return out;
}

}  // namespace alnsmith
