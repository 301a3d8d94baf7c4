// See block_threshold.h.
#include "device/schedule/block_threshold.h"

#include <algorithm>

namespace alnsmith::rt::schedule {

// A stage's steps are its rows and p - 1 for the lanes to fill and to empty, in chunks of p: half a chunk more, as a
// mean. A block's stages are two chunks apart, its strips as far as the last stage needs, and its pipeline fills once.
double ThresholdKernel::steps(std::uint64_t query, double target) const {
  const auto strip = static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(warps);
  const auto strips = static_cast<double>((query + strip - 1) / strip);
  const double rows = target + 1.5 * (p - 1);
  if (warps == 1) return strips * rows;
  return strips * std::max(rows + p - 1, 2.0 * warps * p) + 2.0 * (warps - 1) * p;
}

LaunchTime time_of_launches(std::size_t launches, double body, double longest) {
  const double work = static_cast<double>(launches) * body;
  const auto waits = static_cast<double>((launches + 1) / 2 - 1);
  return {work, work + longest + waits * std::max(longest - body, 0.0)};
}

// Steps are linear in a target's letters, so those of many follow from their letters together.
LaunchTime shared_time(std::size_t targets, std::uint64_t letters, std::uint32_t longest, std::uint64_t query,
                       std::size_t launches, const ThresholdKernel &lanes) {
  if (targets == 0) return {};
  const double fixed = lanes.steps(query, 0), each = lanes.steps(query, 1) - fixed;
  const double sum = fixed * static_cast<double>(targets) + each * static_cast<double>(letters);
  return time_of_launches(launches, lanes.columns * sum / lanes.at_once,
                          lanes.columns * lanes.steps(query, longest) * (1 - 1 / lanes.at_once));
}

Threshold find_threshold(std::span<const std::uint32_t> lengths, std::uint64_t letters, std::uint64_t query,
                         std::size_t launches, const ThresholdKernel &lanes, const ThresholdKernel &blocks) {
  const std::size_t count = lengths.size();
  if (count == 0) return {};
  const auto by_lanes = [&](std::size_t place, std::uint64_t left) {
    return shared_time(place, left, place > 0 ? lengths[place - 1] : 0, query, launches, lanes).time;
  };
  const double without = by_lanes(count, letters),
               longest = blocks.steps(query, lengths[count - 1]) * (1 - 1 / blocks.at_once);
  Threshold best{count, without, without};
  double sum = 0;
  for (std::size_t place = count; place > 0;) {
    --place;
    letters -= lengths[place];
    sum += blocks.steps(query, lengths[place]);
    const double by_blocks = blocks.columns * (static_cast<double>(launches) * sum / blocks.at_once + longest);
    if (by_blocks >= best.time) break;  // and only grows
    if (place > 0 && lengths[place - 1] == lengths[place]) continue;
    const double time = by_lanes(place, letters) + by_blocks;
    if (time < best.time) best = {place, time, without};
  }
  if (best.time > kWorthAThreshold * without) return {count, without, without};
  return best;
}

}  // namespace alnsmith::rt::schedule
