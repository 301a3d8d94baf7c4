// Static values of a kernel (templates/spec.def) that no planner says otherwise.
#pragma once

#include <string_view>

#include "../../templates/policies.h"
#include "frontend/facts.h"

namespace alnsmith::plan {

// Those of a kernel of that mapping. Fields without such a value are the planner's to say.
frontend::Statics default_statics(std::string_view mapping);

}  // namespace alnsmith::plan
