// What a device's kernels are evaluated with: the range of their arithmetic, and the static values of a kernel.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.h"
#include "plan/scoring_values.h"
#include "target/target.h"

namespace alnsmith::plan {

// How an arithmetic keeps scores; see templates/policies.h and device_frame.h.
struct Range {
  std::int64_t lowest, highest;
  int width, packing;
  Base base = Base::fixed;
  Floor floor = Floor::none;  // of local alignments
};

Range range_of(const std::string &arithmetic, bool local, backend::Language language);

// Whether scores of letters are looked up by a permutation of bytes, which need so many bits (exactness.h).
bool permuted(const spec::Spec &s, const KernelPlan &kernel, backend::Language language, int bits);

// Columns in eight whose gap along the query is chosen by two sums in half precision instead of a maximum.
int off_pipe_columns(const spec::Spec &s, const KernelPlan &kernel, bool permuted);

// All static values but those that need to be told by the templates: see DevicePlanner::tell().
frontend::Statics statics(const spec::Spec &s, const ScoringValues &n, const Range &range, const KernelPlan &kernel);

}  // namespace alnsmith::plan
