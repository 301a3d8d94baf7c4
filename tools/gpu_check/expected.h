// What the device should score: computed by the CPU's kernels when a folder is prepared.
#pragma once

#include "alnsmith/alnsmith.hpp"
#include "index.h"

namespace alnsmith::check {

// Of the first `entry.pairs` pairs and of `entry.rows` queries with `entry.columns` targets each; `entry.outputs` is
// set.
Result<Expected> compute_expected(const Aligner &aligner, const Scoring &scoring, const SequenceSet &set,
                                  ExpectedEntry &entry);

// How many pairs from the first on have at most `cells` cells together.
std::uint64_t pairs_within(const SequenceSet &set, double cells);

}  // namespace alnsmith::check
