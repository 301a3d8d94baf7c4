// The rows of mappings.def, by name.
//
// In:  names as specs, manifests and tuned tables give them. Out: rows; a constant for each name.
#pragma once

#include <array>
#include <string_view>

#include "targets/rows.h"

namespace alnsmith::targets {

// Which lanes an alignment has.
enum class Share { none, lane, vector, tiled, warps };

// How a kernel of mapping `lanes` is told where lanes end: what lies behind is padded, and it is not told; by the rows
// in which some lane's stream ends (`segments` in manifests); or a lane takes its next target there (`refill`).
enum class LaneEnds { padded, segments, refilled };

// The columns are explained in mappings.def.
struct Mapping {
  std::string_view name;
  Share cpus, devices;
};

inline constexpr auto kMappings = std::to_array<Mapping>({
#define ALN_MAPPING(name, cpus, devices) {#name, Share::cpus, Share::devices},
#include "targets/mappings.def"
});

// Null where no row has the name.
constexpr const Mapping *find_mapping(std::string_view name) { return row_named(kMappings, name); }

namespace mappings {
#define ALN_MAPPING(name, ...) inline constexpr std::string_view name = #name;
#include "targets/mappings.def"
}  // namespace mappings

}  // namespace alnsmith::targets
