// Mapping `lanes`: scores beside a base of each lane's own, so that 8 bits hold local alignments of any length and
// score (Base::moving_by_lane; devices and `strips` keep theirs as device_frame.h says).
//
// A score is kept as H - base. Rows come in chunks; before each the base moves, so that the score L left of the strip
// and above the chunk is kept as `low`. With c rows, k columns, the cost of a gap at most reach + shear * length
// (gap_costs.h), and the largest score M of two letters, every score of chunk and strip is, until the base moves again,
//   not below L - reach - shear * c - reach' - shear' * k     a gap down and one along lead there from L,
//   not above L + reach + (M + shear) * max(c, k)             a path that enters above the strip has, some rows
//   earlier,
//             left the column of L, which is as high less a gap's rows; one that enters on the left likewise;
// and a gap state, with a letter more taken off, below a score by twice a first letter at most. The state of what moves
// on to the next strip is relative to the base of its own chunk: what lies between two bases (`slope`) is added up
// chunk by chunk from how far each has moved, which is kept beside the border, and wraps as the scores do.
#pragma once
#include "strip.h"

inline bool lanes_rebase(const Spec &sp) { return sp.base == Base::moving_by_lane; }

template <class Gap, class Number>
Number chunk_below(const Spec &sp, const Scoring<Gap, Number> &v) {
  return both_reaches(v) + shear(v.stream_gap) * sp.chunk + shear(v.register_gap) * sp.k +
         max(2 * max(first_letter(v.stream_gap), first_letter(v.register_gap)), -v.score_min);
}
template <class Gap, class Number>
Number chunk_above(const Spec &sp, const Scoring<Gap, Number> &v) {
  return max(reach(v.stream_gap), reach(v.register_gap)) +
         (max(v.score_max, 0) + max(shear(v.stream_gap), shear(v.register_gap))) * max(sp.chunk, sp.k);
}

// Where L is kept.
template <class Gap>
int low_of(const Kernel<Gap> &k) {
  return k.sp.lowest + chunk_below(k.sp, k.v);
}
// First element of what each chunk's base has moved by: behind borders and what scores of letters are made of.
template <class Gap>
int moves_of(const Kernel<Gap> &k) {
  return border_elements(k.sp) * k.a->stream_max + profile_size(k.sp);
}

// The base of each lane at a strip's begin: the score on its left is 0.
template <class Gap>
void start_base(const Kernel<Gap> &k, Strip<Gap> &s) {
  if (!lanes_rebase(k.sp)) return;
  s.base = splat_wide(-low_of(k));
  s.floor = splat(low_of(k));
  s.slope = splat(0);
  s.chunk_end = 0;
  s.move = moves_of(k);
}

// Before row `row`, the first of a chunk.
template <class Gap, class Watch>
void move_base(const Kernel<Gap> &k, int row, Strip<Gap> &s, Watch &watch) {
  watch.leave_base(k, s);
  const vscore moved = s.diagonal - splat(low_of(k));
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = s.H[c] - moved;
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = s.F[c][n] - moved;
  }
  s.base = s.base + to_wide(s.diagonal) - splat_wide(low_of(k));
  s.diagonal = splat(low_of(k));
  // Where it is too low to be kept no score comes near it.
  s.floor = to_score(max(splat_wide(0) - s.base, splat_wide(k.sp.lowest)));
  s.slope = s.slope + load_score(k.a->scratch, s.move) - moved;
  store_score(k.a->scratch, s.move, moved);
  s.move = s.move + 1;
  s.chunk_end = row + k.sp.chunk;
}

// The border left of the first strip: scores of 0, beside a base that has not moved.
template <class Gap>
void store_base_border(const Kernel<Gap> &k) {
  int place = moves_of(k);
  for (int i = residual(0); i < k.a->stream_max; i += k.sp.chunk) {
    store_score(k.a->scratch, place, splat(0));
    place = place + 1;
  }
}
