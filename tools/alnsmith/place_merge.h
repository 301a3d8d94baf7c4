// The work of `place merge`: blocks of several folders to results.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "place_results.h"

namespace alnsmith::tool {

struct PlaceMergeArguments {
  std::vector<std::string> folders;
  PlaceOutputs outputs;
  bool quiet = false;
};

Status merge_placements(const PlaceMergeArguments &arguments);

}  // namespace alnsmith::tool
