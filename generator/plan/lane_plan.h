// Plans of CPU kernels of mapping `lanes`: each lane of a vector, or bit of one, has an alignment for itself.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"

namespace alnsmith::plan {

// Adds them to the plan: of each form those of each width, narrow to wide. `sliced`: the bit-sliced ones that there may
// be.
Status add_lanes(Plan &plan, const spec::Spec &spec, const ScoringValues &values, const frontend::Teller &templates,
                 const Tuning &tuning, const std::vector<SlicedKernel> &sliced);

}  // namespace alnsmith::plan
