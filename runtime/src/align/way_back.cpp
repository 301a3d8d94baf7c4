// See way_back.h.
#include "align/way_back.h"

#include <algorithm>
#include <cmath>

#include "align/split.h"
#include "alnsmith/memory_abi.h"

namespace alnsmith::rt::align {
namespace {

// What stays in a core's own caches and its share of the next one: below it a section that runs again costs more than
// memory that is written and read once.
constexpr std::size_t kAllStrips = std::size_t{4} << 20;

// Of stages: memory that is written and read once costs little beside their rows, but there is not any amount of it.
constexpr std::size_t kAllStages = std::size_t{512} << 20;

// As many of `count` parts a section as take the least where each takes `part` bytes and each section `border` more: s
// parts take s * part, the sections count / s * border, least where both are equal.
KeptForWayBack least_of(std::size_t count, std::size_t part, std::size_t border) {
  const double least = std::sqrt(static_cast<double>(count) * static_cast<double>(border) / static_cast<double>(part));
  const std::size_t section = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(least)), 1, count);
  const std::size_t sections = (count + section - 1) / section;
  return {static_cast<int>(section), part * section + border * sections};
}

}  // namespace

KeptForWayBack kept_for(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  const kernels::WayBack &way = kernel.way_back;
  const std::size_t strips =
      (register_max + static_cast<std::size_t>(kernel.k) - 1) / static_cast<std::size_t>(kernel.k);
  const std::size_t border = kernel_memory::strip_border<std::size_t>(way.border, stream_max);
  const std::size_t strip = kernel_memory::end_of_section<std::size_t>(
      0, 1, kernel_memory::strip_states<std::size_t>(way.states, stream_max, static_cast<std::size_t>(way.patch_rows)),
      border);
  if (strip * strips <= kAllStrips || strips <= 2) return {static_cast<int>(strips), strip * strips};
  return least_of(strips, strip, border);
}

std::size_t split_border(const kernels::KernelInfo &kernel, std::size_t target) {
  return sizeof(int) * kernel_memory::border_ints(static_cast<std::size_t>(kernel.split.border_ints), target);
}

std::size_t split_patches(const kernels::KernelInfo &kernel, std::size_t target) {
  return kernel_memory::patches(static_cast<std::size_t>(split_rows(kernel, target)),
                                static_cast<std::size_t>(kernel.way_back.patch_rows));
}

std::size_t kept_bytes(const kernels::KernelInfo &kernel, std::size_t stages, std::size_t target) {
  const std::size_t patch = kernel.way_back.states + sizeof(int) * static_cast<std::size_t>(kernel.lanes);
  return stages * (split_border(kernel, target) + split_patches(kernel, target) * patch);
}

KeptForWayBack kept_stages(const kernels::KernelInfo &kernel, std::size_t query, std::size_t target,
                           std::size_t allowed) {
  const std::size_t count = split_stages(kernel, query);
  const std::size_t all = kept_bytes(kernel, count, target);
  if (count <= 2 || all <= std::min(kAllStages, allowed)) return {static_cast<int>(count), all};
  return least_of(count, kept_bytes(kernel, 1, target), split_border(kernel, target));
}

bool way_back_counts(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  if (kernel.way_back.patch_rows == 0) return true;
  const std::size_t element = static_cast<std::size_t>(kernel.width) * static_cast<std::size_t>(kernel.lanes) / 8;
  const std::size_t bytes =
      kernel.scratch_fixed + kernel.scratch_per_letter * stream_max + kept_for(kernel, register_max, stream_max).bytes;
  return bytes / element <= static_cast<std::size_t>(kernel_memory::kMostElements);
}

std::size_t cigar_room(std::size_t register_max, std::size_t stream_max) {
  const std::size_t most = register_max + stream_max;  // a run has a letter at least
  return std::min(most, 512 + most / 16);
}

}  // namespace alnsmith::rt::align
