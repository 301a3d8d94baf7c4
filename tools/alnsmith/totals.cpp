// See totals.h.
#include "totals.h"

#include <fmt/format.h>

namespace alnsmith::tool {
namespace {

std::string joined(const std::set<std::string> &words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
}

}  // namespace

void Totals::add(const Report &report, bool count_pairs) {
  pairs += count_pairs ? report.pairs : 0;
  cells += report.cells;
  promoted += report.promoted;
  banded += report.banded;
  batch_seconds += report.seconds;
  kernels.insert(report.kernels.begin(), report.kernels.end());
  for (const DeviceShare &share : report.devices) devices.insert(share.id);
}

std::string Totals::line(double wall_seconds, const Aligner &aligner, const std::string &gap,
                         std::uint64_t as_wildcard) const {
  const double gcups = batch_seconds > 0 ? static_cast<double>(cells) / batch_seconds * 1e-9 : 0;
  return fmt::format(
      "pairs={} cells={} batch_seconds={:.6f} gcups={:.3f} promoted={} wall_seconds={:.3f} kernel={} target={} "
      "device={} gap={} as_wildcard={} banded={}",
      pairs, cells, batch_seconds, gcups, promoted, wall_seconds, joined(kernels), aligner.target(), joined(devices),
      gap, as_wildcard, banded);
}

void print_line(const std::string &text) { fmt::print(stderr, "{}\n", text); }

}  // namespace alnsmith::tool
