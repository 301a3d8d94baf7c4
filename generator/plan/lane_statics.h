// What is static in a kernel of mapping `lanes`, where each lane, or bit of one, has an alignment for itself.
#pragma once

#include "plan/plan.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"

namespace alnsmith::plan {

// `kernel`: what templates/spec.h asks of it. `sliced`: of a bit-sliced one. The query streams.
frontend::Statics lane_statics(const spec::Spec &spec, const ScoringValues &values, const backend::Target &target,
                               const KernelPlan &kernel, const SlicedKernel *sliced);

}  // namespace alnsmith::plan
