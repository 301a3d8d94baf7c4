// Draws cases from a seed: which spec, what runs it, the values of a call and its pairs.
//
// Pure: the same seed and number give the same case anywhere.  What is drawn need not be legal: the planner's refusals
// are counted.
#pragma once

#include <cstdint>

#include "case.h"
#include "random.h"

namespace soak {

// Spec and route of draw `number`; no pairs yet.
Case draw(std::uint64_t seed, std::uint64_t number);

// How many calls draw `number` makes of its kernels, and call `call` of them: runtime values, form, threads, pairs.
int calls(const Case &drawn);
Case draw_call(Case drawn, std::uint64_t seed, std::uint64_t number, int call);

// What draw.cpp takes from draw_scores.cpp: alphabet, gap costs and scores.
void draw_scoring(SpecValues &spec, Random &random);
// New values for all that is `runtime`.
void draw_runtime_values(SpecValues &spec, Random &random);
// What draw_call takes from draw_pairs.cpp.
void draw_pairs(Case &c, Random &random);

}  // namespace soak
