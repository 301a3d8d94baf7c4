// Ends: the last aligned letters, 0-based, lane by lane, if the output has them.
//
// Of several best alignments the one with the smallest register position, of these with the smallest stream position.
// Strips run along the register side, so a later strip must beat an earlier one, and within a strip a smaller column
// wins a tie even on a later row. A lane's positions are 32-bit whatever its scores are.
#pragma once
#include "dialect.h"
#include "spec.h"

// The results that are ends, of each sequence.
template <class Args>
inline int *query_ends(const Args *a) {
  return a->query_end;
}
template <class Args>
inline int *target_ends(const Args *a) {
  return a->target_end;
}

// Where the results of a vector's lanes lie: behind those of `index` vectors.
struct LaneResults {
  int index;
  void store(int *list, vwide value) const { store_wide(list, index, value); }
};

// Hands out the last letters of the query and of the target. `place` stores a number of each alignment in a list.
template <class Place, class Args, class Number>
inline void store_ends(const Spec &sp, const Args *a, const Place &place, Number query, Number target) {
  if (!wants_end(sp)) return;
  place.store(query_ends(a), query);
  place.store(target_ends(a), target);
}
