// The targets of a call of each with each, a window at a time, by length and in groups: sorted now, or as they were
// packed earlier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "align/align.h"
#include "align/lane_loading.h"

namespace alnsmith::rt::align {

struct TargetWindow {
  // Targets [begin, begin + lengths.count), by length.
  struct Group {
    std::size_t begin = 0;
    Lengths lengths;
    std::size_t packed = 0;  // which group of those that are packed already
  };

  std::size_t base = 0;                // first target of the window; 0 where targets are packed
  std::vector<std::uint32_t> places;   // targets by length, relative to it; without empty ones
  std::vector<std::uint32_t> lengths;  // of these
  std::vector<Group> groups;

  // The next window, of at most so many targets but one group at least; false at the end. `size`: targets of a group,
  // asked where they are sorted now. `packed`: null, or whose groups these are.
  bool next(const Sequences &sequences, const PackedGroups *packed, std::size_t most,
            const std::function<std::size_t()> &size);

  // Targets of a group for a kernel with so many lanes: a multiple of these; where lanes are refilled, up to
  // kTargetsPerLane each, but enough groups for all threads and no more letters than an eighth of a thread's memory.
  std::size_t group_size(const kernels::KernelInfo &kernel, int lanes, int threads, std::size_t budget) const;
  std::span<const std::uint32_t> members(const Group &group) const {
    return std::span(places).subspan(group.begin, group.lengths.count);
  }

 private:
  void take_packed(const PackedGroups &packed, std::size_t most);
  void sort(const Sequences &sequences, std::size_t most, const std::function<std::size_t()> &size);
  void add_group(std::size_t begin, std::size_t count, std::size_t number);
  std::size_t done_ = 0;  // targets, or packed groups
};

}  // namespace alnsmith::rt::align
