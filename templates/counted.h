// What kernels count in 32 bits: elements, letters of a run, and totals of scores (docs/manifest.md, `lengths`).
#pragma once
#include "scoring.h"

constexpr int LARGEST_INT = kernel_memory::kMostElements;
// Letters of a run of the CIGAR, which has 28 bits for them (kernel_abi.h), one of these for the sign of an int.
constexpr int LONGEST_RUN = (1 << 27) - 1;
// What gaps over both sides cost at most, the least that an alignment with borders scores: scores have 32 bits, and so
// has what kernels count with once it leaves their own width.
constexpr int MOST_GAP_COST = 1 << 30;

// A condition on numbers: bool, or what a type of the tests makes of it.
template <class Number>
using Holds = decltype(Number(0) <= Number(0));

// Whether 32 bits hold the totals of such a pair and the runs of its CIGAR.
template <class Gap, class Number, class Given>
Holds<Number> counted(const Spec &sp, Given scoring, Number stream, Number registers) {
  Holds<Number> holds = Number(0) <= Number(0);
  if (wants_cigar(sp)) holds = max(stream, registers) <= Number(LONGEST_RUN);
  if (floored(sp)) return holds;
  const Number gaps = cost(read_lines<Gap, Number>(sp.stream_gap, scoring), stream) +
                      cost(read_lines<Gap, Number>(sp.register_gap, scoring), registers);
  return holds && gaps <= Number(MOST_GAP_COST);
}
