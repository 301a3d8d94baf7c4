// What a spec asks for and there is no template for.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace alnsmith::plan {

// Arithmetic of devices for specs whose columns differ (device_columns.h).
inline constexpr std::string_view columns_arithmetic = arithmetics::int32;

// The key that asks for it, and why; empty if the spec can be served. `mappings`: those that templates register.
std::string cannot_be_served(const spec::Spec &spec, const backend::Target &target,
                             const std::vector<std::string> &mappings);

}  // namespace alnsmith::plan
