// What follows from a spec's numbers: gap formulas, bounds of the score, what stays a parameter.
//
// In: a Spec. Out: lines for `alnsmith spec show`, and the bounds themselves for planners. Bounds hold for
// every pair within the maximum lengths; they need not be reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/spec.h"

namespace alnsmith::spec {

// "2 + 1*L"; runtime values by name, e.g. "open + extend*L".
std::string gap_formula(const GapCost &gap);

// Smallest and largest score of a diagonal step; nothing where runtime or from profiles.
struct Range {
  long long low = 0, high = 0;
  bool operator==(const Range &) const = default;
};
std::optional<Range> diagonal_range(const Spec &spec);

// Bounds of the result for non-empty sequences within max_query and max_target; nothing where either is
// unbounded, where a value is runtime, or where flags, bands or borders are used.
std::optional<Range> score_range(const Spec &spec);

// Names of runtime values: score.match, gap.open or gap.insertion.open, score.matrix, ...
std::vector<std::string> runtime_names(const Spec &spec);

std::vector<std::string> derived_ranges(const Spec &spec);

}  // namespace alnsmith::spec
