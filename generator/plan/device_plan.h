// Plans for devices: which mappings, tiles and arithmetics serve a spec on a GPU, and where they are exact.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::plan {

// `hash`: of the spec as written; `s` holds what `tuning` gives by hand already.
Result<Plan> make_device_plan(const spec::Spec &s, const std::string &hash, const backend::Target &target,
                              const frontend::Teller &templates, const Tuning &tuning, const Spilled &spilled);

}  // namespace alnsmith::plan
