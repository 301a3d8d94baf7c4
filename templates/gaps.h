// The gap models. A model is a struct of static members, in a file of its own:
//   states   gap states beside H, of each side: what stores, shuffles and rebases them asks this
//   lines    of what a gap costs (gap_costs.h)
//   slots    length of an array of states, which is not 0
//   open     the states behind a score where no gap is open, as on borders
//   cell     H of a cell, and the states that it hands on
//   way      where they come from (way.h)
#pragma once
#include "gap_affine.h"
#include "gap_linear.h"

// Models that are not wanted need not be instantiated: ALN_GAP_STATES names one that is, by its states.
#ifdef ALN_GAP_STATES
constexpr bool wanted_gap(int states) { return states == ALN_GAP_STATES; }
#else
constexpr bool wanted_gap(int) { return true; }
#endif

// Returns `call` with the type `Gap` that the spec asks for. A line per model, in the order of their states.
#define ALN_GAP_MODEL(sp, Model, call)       \
  if constexpr (wanted_gap(Model::states)) { \
    if (sp.gap_states == Model::states) {    \
      using Gap = Model;                     \
      return call;                           \
    }                                        \
  }
#define ALN_EACH_GAP(sp, call)          \
  ALN_GAP_MODEL(sp, LinearGap, call)    \
  ALN_GAP_MODEL(sp, AffineGap<1>, call) \
  ALN_GAP_MODEL(sp, AffineGap<2>, call)
#define ALN_WITH_GAP(sp, call) \
  ALN_EACH_GAP(sp, call)       \
  return -1
