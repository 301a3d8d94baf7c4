// See totals.h.
#include "totals.h"

#include <fmt/format.h>

namespace alnsmith::tool {
namespace {

std::string joined(const std::set<std::string> &words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
}

// 1,234,567
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

void Totals::add(const Report &report, bool count_pairs) {
  pairs += count_pairs ? report.pairs : 0;
  cells += report.cells;
  promoted += report.promoted;
  banded += report.banded;
  batch_seconds += report.seconds;
  kernels.insert(report.kernels.begin(), report.kernels.end());
  for (const DeviceShare &share : report.devices) {
    devices.insert(share.id);
    thresholds[share.id].add(share.threshold);
  }
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

std::vector<std::string> Totals::explained() const {
  std::vector<std::string> lines;
  for (const auto &[id, threshold] : thresholds) {
    if (threshold.pairs == 0) continue;
    if (threshold.block_pairs == 0) {
      lines.push_back(
          fmt::format("block threshold of {}: none, by the model no target is long enough for a block ({} pairs)", id,
                      grouped(threshold.pairs)));
      continue;
    }
    const std::string most = threshold.most > threshold.least ? ", by the query up to " + grouped(threshold.most) : "";
    lines.push_back(
        fmt::format("block threshold of {}: targets of {} letters and more{} a block each ({} of {} pairs), by the "
                    "model {:.2f} of the time",
                    id, grouped(threshold.least), most, grouped(threshold.block_pairs), grouped(threshold.pairs),
                    threshold.time / threshold.time_without));
  }
  return lines;
}

void print_line(const std::string &text) { fmt::print(stderr, "{}\n", text); }

}  // namespace alnsmith::tool
