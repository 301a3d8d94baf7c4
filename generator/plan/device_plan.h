// Plans for devices: which mappings, tiles and arithmetics serve a spec on a GPU, and where they are exact.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::plan {

// What the spec asks of this target that it cannot do; empty if nothing.
std::string device_refusal(const spec::Spec &s, const backend::Target &target);

// The same of a spec whose columns differ, because of `key` (columns_key()).
std::string columns_refusal(const spec::Spec &s, const backend::Target &target, const std::string &key);

// `hash`: of the spec as written; `s` holds what `tuning` gives by hand already.
Result<Plan> make_device_plan(const spec::Spec &s, const std::string &hash, const backend::Target &target,
                              const frontend::Teller &templates, const Tuning &tuning, const Spilled &spilled);

}  // namespace alnsmith::plan
