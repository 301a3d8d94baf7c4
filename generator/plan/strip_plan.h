// Plans of CPU kernels of form `split`, mappings `strips` and `striped`: all lanes of a vector share one alignment.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"

namespace alnsmith::plan {

// The mappings of form `split` that a spec has kernels of. Under a matrix a cell of strips blends the scores of all
// letters, where one of stripes loads its own, so there are both; the model takes for each pair the one that is faster
// (split_cost in runtime/src/align/split.h).
std::vector<std::string> split_mappings(const spec::Spec &spec);

// Adds the kernels of one of them to the plan. `sliced`: the bit-sliced ones that there may be.
Status add_split(Plan &plan, const std::string &mapping, const spec::Spec &spec, const ScoringValues &values,
                 const frontend::Teller &templates, const Tuning &tuning, const std::vector<SlicedKernel> &sliced);

}  // namespace alnsmith::plan
