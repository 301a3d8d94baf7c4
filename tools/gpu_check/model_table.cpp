// See model_table.hpp.
#include "model_table.h"

#include <fmt/format.h>

#include "base/files.hpp"
#include "index.h"
#include "kernels/manifest.hpp"
#include "models/loop_bound.h"

namespace alnsmith::check {

Result<std::string> model_table(const std::string &folder, const std::string &target, const ModelDevice &device) {
  const auto index = read_index(folder);
  if (!index) return index.error();
  std::string text =
      "| spec | form, mapping, arithmetic | p x k | instructions | on the ALU | limit | TCUPS, model |\n"
      "|---|---|---|---|---|---|---|\n";
  const Rates rates = assumed_rates();
  for (const KernelEntry &entry : index->kernels) {
    if (entry.target != target || entry.spec.starts_with("check-")) continue;
    const std::string path = folder + "/" + entry.stem + ".json";
    const auto manifest_text = rt::read_file(path);
    if (!manifest_text) return manifest_text.error();
    const auto manifest = rt::parse_manifest(*manifest_text);
    if (!manifest) return Error{path + ": " + manifest.error().message};
    for (const rt::KernelInfo &kernel : manifest->kernels) {
      const auto loop = entry.loops.find(kernel.entry);
      if (loop == entry.loops.end()) continue;
      const Bound limit = bound(loop->second, rates);
      const double cells = double(loop->second.rows) * kernel.k;
      int alu = 0;
      for (const auto &[instruction, count] : loop->second.operations) {
        const auto pipe = rates.pipe.find(std::string(operation_of(instruction)));
        if (pipe != rates.pipe.end() && pipe->second == "alu") alu += count;
      }
      text += fmt::format(
          "| {} | {} {} {} | {} x {} | {:.2f} | {:.2f} | {} | {:.1f} |\n", entry.spec,
          rt::kFormNames[static_cast<std::size_t>(kernel.form)], kernel.mapping, kernel.arithmetic, kernel.device.p,
          kernel.k, loop->second.instructions / cells, alu / cells, limit.limit,
          cells_per_second(limit, loop->second, kernel.k, kernel.device.packing, device.processors, device.clock_hz) *
              1e-12);
    }
  }
  return text;
}

}  // namespace alnsmith::check
