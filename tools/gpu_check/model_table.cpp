// See model_table.h.
#include "model_table.h"

#include <fmt/format.h>

#include "index.h"
#include "internal.h"
#include "models/loop_bound.h"
#include "report.h"

namespace alnsmith::check {

Result<std::string> model_table(const std::string &folder, const std::string &target, const std::string &result) {
  const auto index = read_index(folder);
  if (!index) return index.error();
  std::string text =
      "| spec | form, mapping, arithmetic | p x k | instructions | on the ALU | limit | TCUPS, model |\n"
      "|---|---|---|---|---|---|---|\n";
  int processors = 132;
  MeasuredPipes pipes{models::assumed_rates(), 1.98e9};
  if (!result.empty()) {
    const auto read = internal::read_file(result);
    if (!read) return read.error();
    const Json root = Json::parse(*read, nullptr, false);
    if (root.is_discarded() || !root.is_object() || !root.contains("pipes"))
      return Error{result + ": is no result of gpu-check-run"};
    pipes = measured_pipes(root["pipes"]);
    if (pipes.clock_hz <= 0) return Error{result + ": says nothing of the device's pipes"};
    processors = root["device"].value("processors", processors);
  }
  const models::Rates &rates = pipes.rates;
  for (const KernelEntry &entry : index->kernels) {
    if (entry.target != target || entry.spec.starts_with("check-")) continue;
    const std::string path = folder + "/" + entry.stem + ".json";
    const auto manifest_text = internal::read_file(path);
    if (!manifest_text) return manifest_text.error();
    const auto manifest = internal::parse_manifest(*manifest_text);
    if (!manifest) return Error{path + ": " + manifest.error().message};
    for (const internal::KernelInfo &kernel : manifest->kernels) {
      const auto loop = entry.loops.find(kernel.entry);
      if (loop == entry.loops.end()) continue;
      const models::Bound limit = models::bound(loop->second, rates);
      const double cells = double(loop->second.rows) * kernel.k;
      int alu = 0;
      for (const auto &[instruction, count] : loop->second.operations) {
        const auto pipe = rates.pipe.find(std::string(models::operation_of(instruction)));
        if (pipe != rates.pipe.end() && pipe->second == "alu") alu += count;
      }
      text += fmt::format(
          "| {} | {} {} {} | {} x {} | {:.2f} | {:.2f} | {} | {:.1f} |\n", entry.spec, name_of(kernel.form),
          kernel.mapping, kernel.arithmetic, kernel.device.p, kernel.k, loop->second.instructions / cells, alu / cells,
          limit.limit,
          models::cells_per_second(limit, loop->second, kernel.k, kernel.device.packing, processors, pipes.clock_hz) *
              1e-12);
    }
  }
  return text;
}

}  // namespace alnsmith::check
