// See way_back.hpp.
#include "align/way_back.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alnsmith::rt {
namespace {

// What stays in a core's own caches and its share of the next one: below it a section that runs again costs more than
// memory that is written and read once.
constexpr std::size_t kAllStrips = std::size_t{4} << 20;

// Letters of a run, which has 28 bits for them, one of these for the sign of an int.
constexpr std::size_t kLongestRun = std::size_t{1} << 27;

}  // namespace

KeptForWayBack kept_for(const KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  const WayBack &way = kernel.way_back;
  const std::size_t strips =
      (register_max + static_cast<std::size_t>(kernel.k) - 1) / static_cast<std::size_t>(kernel.k);
  const std::size_t border = way.border * stream_max;
  const std::size_t strip = border + way.states * (stream_max + static_cast<std::size_t>(way.patch_rows));
  if (strip * strips <= kAllStrips || strips <= 2) return {static_cast<int>(strips), strip * strips};
  // s strips of a section take s * strip bytes, the sections strips / s * border: least where both are equal.
  const double least =
      std::sqrt(static_cast<double>(strips) * static_cast<double>(border) / static_cast<double>(strip));
  const std::size_t section = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(least)), 1, strips);
  const std::size_t sections = (strips + section - 1) / section;
  return {static_cast<int>(section), strip * section + border * sections};
}

bool way_back_counts(const KernelInfo &kernel, std::size_t register_max, std::size_t stream_max) {
  if (kernel.way_back.patch_rows == 0) return true;
  const std::size_t element = static_cast<std::size_t>(kernel.width / 8) * static_cast<std::size_t>(kernel.lanes);
  const std::size_t bytes =
      kernel.scratch_fixed + kernel.scratch_per_letter * stream_max + kept_for(kernel, register_max, stream_max).bytes;
  const bool runs = !kernel.outputs.contains(Output::cigar) || std::max(register_max, stream_max) < kLongestRun;
  return runs && bytes / element < static_cast<std::size_t>(std::numeric_limits<int>::max());
}

std::size_t cigar_room(std::size_t register_max, std::size_t stream_max) {
  const std::size_t most = register_max + stream_max;  // a run has a letter at least
  return std::min(most, 512 + most / 16);
}

}  // namespace alnsmith::rt
