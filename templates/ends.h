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

// Hands out an end as result `index`: a row of the stream side, the query, and a column of the register side.
inline void store_end(const Spec &sp, const aln_args_v1 *a, int index, vwide row, vwide column) {
  if (!wants_end(sp)) return;
  store_wide(query_ends(a), index, row);
  store_wide(target_ends(a), index, column);
}
