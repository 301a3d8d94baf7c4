// See device_work.h.
#include "kernels/device_work.h"

#include <algorithm>

#include "alnsmith/memory_abi.h"

namespace alnsmith::rt::kernels {
namespace {

// Of one turn of blocks alone 6 % of the time was lost on an H100, of eight 1 % (docs/performance.md).
constexpr std::size_t kTurns = 8, kTurnBytes = std::size_t{256} << 20;
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;  // beyond any memory

// Warps that take stages in turn.
std::uint64_t turn(const DeviceShape &shape) {
  return static_cast<std::uint64_t>(shape.block ? shape.threads / shape.warp : 1);
}

std::uint64_t units_of(const KernelInfo &kernel, std::uint64_t query) {
  const std::uint64_t columns = static_cast<std::uint64_t>(kernel.device.p * kernel.k) * turn(kernel.device);
  return (query + columns - 1) / columns;
}

}  // namespace

bool keeps(const KernelInfo &kernel, WayKept kept, std::uint64_t query) {
  return kept == WayKept::codes || (kernel.device.walk_words > 0 && units_of(kernel, query) > 1);
}

DeviceWork device_work(const KernelInfo &kernel, WayKept kept, std::uint64_t query, std::uint64_t target) {
  const DeviceShape &shape = kernel.device;
  if (kernel.sliced()) {  // planes are packed four letters at a time, of whole strips
    const std::uint64_t longest = std::max<std::uint64_t>(query, kernel.register_rows(target));
    return {(longest + 3) / 4 * 4 + static_cast<std::uint64_t>(shape.spare_rows), 0};
  }
  DeviceWork work{target, 0};
  if (shape.trace_row_words == 0) return work;
  const std::uint64_t units = units_of(kernel, query), slots = static_cast<std::uint64_t>(shape.alignments());
  const std::uint64_t unit_codes =
      turn(shape) * kernel_memory::stage_words(target, static_cast<std::uint64_t>(shape.trace_rows),
                                               static_cast<std::uint64_t>(shape.trace_row_words));
  work.trace_words = kernel_memory::run_words(std::min(query, target)) * slots;
  if (kept == WayKept::codes) {
    work.trace_words += units * unit_codes;
    return work;
  }
  work.trace_words += static_cast<std::uint64_t>(shape.walk_words) * slots + unit_codes;
  std::uint64_t borders = kept == WayKept::sections ? kernel_memory::section_borders(units) : units;
  borders += turn(shape) > 1;
  work.border_rows = std::min(borders, kMostRows / target) * target;
  return work;
}

bool fills(const KernelInfo &kernel, int processors, double pairs) {
  constexpr double kWarps = 8, kShareOfNext = 0.5;
  return pairs >= kShareOfNext * kWarps * std::max(processors, 1) * kernel.device.alignments();
}

std::size_t most_blocks(const KernelInfo &kernel, std::size_t at_once, std::size_t bytes) {
  if (kernel.device.grid > 0 || at_once == 0) return at_once;
  return at_once * std::clamp<std::size_t>(kTurnBytes / at_once / std::max<std::size_t>(bytes, 1), 1, kTurns);
}

}  // namespace alnsmith::rt::kernels
