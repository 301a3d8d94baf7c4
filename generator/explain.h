// `generate --explain`: what a kernel costs. Filled in from the IR and the compiled object.
#pragma once

#include <string>

#include "backend/unit.h"
#include "plan/plan.h"

namespace alnsmith {
// A table of the unit's kernels; `path` is the text's file.
std::string explain(const plan::Plan &plan, const backend::Unit &unit, const std::string &path);
}  // namespace alnsmith
