// Tiles of device kernels: how the lanes of a device share work, and how many letters each has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::plan {

// The row of this name (targets/mappings.def); null where devices have none.
const targets::Mapping *find_mapping(std::string_view name);
// A block, not a warp, takes an alignment. There are no forms `shared_profile` and `single_query`: each with each goes
// pair by pair.
inline bool takes_block(const targets::Mapping &mapping) { return mapping.devices == targets::Share::warps; }

struct DeviceTile {
  int p, k;
};
// Which kernels tiles are wanted for.
struct TilesFor {
  const targets::Mapping &mapping;
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
