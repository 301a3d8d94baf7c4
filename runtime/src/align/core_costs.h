// What differs from core to core in the costs by which kernels are chosen (split.h, shape.h).
#pragma once

#include <string_view>

namespace alnsmith::rt::align {

// Of mapping `strips`, in vectors of cells of form `pairwise`, but for the last two.
struct CoreCosts {
  std::string_view core;  // core_model()
  double passed_on;       // a vector of cells, with what lanes pass on to each other
  double answer_row;      // besides, a row of the last stage where the answer may lie in any row of the last column
  double stage;           // what a stage's begin and end cost beyond its rows
  double half_stage;      // the same where its vectors are half as wide as the others' (sources/strips_beside.h), as on
                          // no core but Zen 4; of the others half of theirs, for tests
  double based_lanes;     // a factor of all that where pairs in lanes are kept beside a base, or bit-sliced
  bool few_maxima;        // it starts fewer maxima a cycle than other operations
};

// This machine's; those of Zen 5 where nothing has been measured.
const CoreCosts &core_costs();

}  // namespace alnsmith::rt::align
