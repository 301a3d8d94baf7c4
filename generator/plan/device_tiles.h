// Tiles of device kernels: how the lanes of a device share work, and how many letters each has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::plan {

// How the lanes of a device share work: a row per template (ALN_KERNEL("device:...")).
struct DeviceMapping {
  std::string_view name;
  bool block;   // a block, not a warp, takes an alignment
  bool shared;  // has forms `shared_profile` and `single_query`; else each with each goes pair by pair
  enum { tiled, one_lane, whole_warp } lanes;
};
// The row of this name; null where there is none.
const DeviceMapping *find_mapping(std::string_view name);

struct DeviceTile {
  int p, k;
};
// Which kernels tiles are wanted for.
struct TilesFor {
  const DeviceMapping &mapping;
  int level;
  Form form;
  const std::string &arithmetic;
};
// The tiles of a mapping, the narrowest first.
std::vector<DeviceTile> device_tiles(const spec::Spec &spec, const backend::Target &target, const Tuning &tuning,
                                     const TilesFor &wanted);

// The words of a list that rows of targets have.
std::vector<std::string> words(std::string_view list);
bool contains(std::string_view list, const std::string &word);

}  // namespace alnsmith::plan
