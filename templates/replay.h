// Replay: how pairs find the end of a local alignment without looking for it in every row.
//
// Of the scores of similar sequences some lane's best grows in most rows, so a branch for it is taken at random and
// costs more than it saves. Instead the strips compute scores alone; behind each strip, the lanes whose best grew in it
// remember it as theirs: its letters and the border that entered it. At the end one more strip runs with each lane's
// own letters and border, and there the best is looked for (ends.h). An earlier strip keeps a tie, as its columns are
// smaller.
//
// Borders take three regions of scratch memory: one that enters the current strip, one
// that leaves it, and the one remembered. What leaves a strip overwrites what entered the one before it, so that is
// when lanes of the one before save theirs.
#pragma once
#include "substitution.h"

struct Replay {
  vmask grew;             // lanes whose best grew in the last strip
  int entering, leaving;  // regions: first elements
  int remembered;         // the third
  vchar letters[MAX_K];   // of the lanes' own strips
};

inline void start_replay(const Spec &sp, int rows, Replay &r) {
  r.grew = equal(splat(0), splat(1));
  r.entering = 0;
  r.leaving = row_elements(sp) * rows;
  r.remembered = 2 * row_elements(sp) * rows;
  for (int c = 0; c < sp.k; ++c) r.letters[c] = splat_letter(ALN_CODE_TARGET_PAD);
}

// Element `i` of the border that entered the lane's own strip.
inline vscore own_border(const aln_args_v1 *a, const Replay &r, int i) {
  return select(r.grew, load_score(a->scratch, r.leaving + i), load_score(a->scratch, r.remembered + i));
}
inline void remember_border(const Spec &sp, const aln_args_v1 *a, const Replay &r, int row) {
  for (int i = 0; i < row_elements(sp); ++i)
    store_score(a->scratch, r.remembered + row_elements(sp) * row + i, own_border(a, r, row_elements(sp) * row + i));
}

// Behind a strip: `grew` in it, and the regions change places.
inline void remember_strip(const Spec &sp, const Tile &tile, vmask grew, Replay &r) {
  r.grew = grew;
  for (int c = 0; c < sp.k; ++c) r.letters[c] = select(grew, tile.letters[c], r.letters[c]);
  const int entering = r.entering;
  r.entering = r.leaving;
  r.leaving = entering;
}
