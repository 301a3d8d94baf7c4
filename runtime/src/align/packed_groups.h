// Targets that were packed earlier (alnsmith/packed_targets.hpp): groups in the layout of one kernel, ready to be run.
//
// In:  bytes of any origin. Out: groups as load_lanes makes them, their letters where they lie; what is damaged or out
// of bounds is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "align/lane_loading.h"
#include "alnsmith/packed_targets.hpp"

namespace alnsmith::rt::align {

// How a kernel of form `shared_profile` reads targets, as text; empty where packed ones would not do: state sets.
std::string layout_of(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel);

class PackedGroups {
 public:
  struct Group {
    std::uint64_t at = 0, first = 0;  // of its bytes; of its targets, by length
    std::uint32_t count = 0, columns = 0, refills = 0, checksum = 0;
  };

  // Checks all but the groups' letters. `targets`: those that were packed.
  static Result<PackedGroups> open(const PackedTargets &packed, std::span<const std::string_view> targets);
  bool serves(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel) const;

  std::span<const std::uint32_t> places() const { return places_; }    // among the targets, by length
  std::span<const std::uint32_t> lengths() const { return lengths_; }  // of these
  std::span<const Group> groups() const { return groups_; }
  double columns() const { return columns_; }  // of all groups
  // Bytes that a loaded group takes: refills and results, its letters stay where they lie.
  std::size_t loaded_bytes(std::size_t group, const kernels::KernelInfo &kernel) const;
  Status load(std::size_t group, const kernels::KernelInfo &kernel, Loaded &out) const;
  Status check(std::size_t target) const { return packed_.check ? packed_.check(target) : Status(Ok{}); }

 private:
  Error damaged(const std::string &what) const;
  PackedTargets packed_;
  std::span<const std::uint32_t> places_, lengths_, at_;
  std::span<const Group> groups_;
  double columns_ = 0;
};

}  // namespace alnsmith::rt::align
