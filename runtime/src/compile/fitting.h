// Kernels of a device whose tiles the planner chose stay in registers: where a compiler spills one, the plan is made
// again with the next narrower tile for it (`alnsmith-generate --spilled`), until all fit.
//
// In:  how to make texts for which some kernels are known to spill, and how to compile them.
// Out: the first texts that fit, and their binary. What still spills after it was told has a tile that the user named:
//      its line of check_resources is the error.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compile/device_compiler.h"

namespace alnsmith::rt::compile {

struct PlannedTexts {
  std::string text, manifest;
};

// Entries in the order of their names.
using Spilled = std::set<std::string>;

// `words`, and `--spilled ENTRY` for each.
std::vector<std::string> with_spilled(std::vector<std::string> words, const Spilled &spilled);

struct FittingTexts {
  PlannedTexts texts;
  DeviceBinary binary;
};
Result<FittingTexts> compile_fitting(const std::string &target,
                                     const std::function<Result<PlannedTexts>(const Spilled &spilled)> &make,
                                     const std::function<Result<DeviceBinary>(const PlannedTexts &texts)> &compile);

}  // namespace alnsmith::rt::compile
