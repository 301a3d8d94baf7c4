// Mapping `lanes`: scores beside a base of each lane's own, so that 8 bits hold alignments of any length and score
// (Base::moving_by_lane; devices and `strips` keep theirs as device_frame.h says).
//
// A score is kept as its total - base, where the total is H, or without a floor what frame.h and columns.h make of it,
// the origin 0. Rows come in chunks; before each the base moves, so that the total L left of the strip and above the
// chunk is kept as `low`. With c rows and k columns every H of chunk and strip is, until the base moves again,
//   not below L by more than two gaps, one down and one along, which lead there from L;
//   not above L by more than a reach (gap_costs.h) and a step (chunk_step) for each of max(c, k) letters: a path that
//   enters above the strip has, some columns earlier, left the column of L; without the letters of these columns, its
//   diagonals replaced by a gap down, it leads to L. One that begins on a free border above the strip had begun at L,
//   and one that enters on the left likewise.
// Below an H there are gap states and diagonals, of which a poor letter at a flagged column costs all that it is worth;
// what a last row or a strip's columns are taken off; and, where the floor is too low to be kept, that floor.
// The state of what moves on to the next strip is relative to the base of its own chunk: what lies between two bases
// (`slope`) is added up chunk by chunk from how far each has moved, which is kept beside the border, and wraps as the
// scores do.
//
// It serves alignments whose borders and cells all exist; what borders cost is the same in all lanes.
#pragma once
#include "strip.h"

// The most that a total gains by a letter of either side, or by the gap that takes the place of one.
template <class Gap, class Number>
Number chunk_step(const Spec &sp, const Scoring<Gap, Number> &v) {
  const Number gained = max(v.score_max, 0);
  if (floored(sp)) return gained + max(shear(v.stream_gap), shear(v.register_gap));
  return gained + shear(v.stream_gap) + most_shear(sp, v);
}
// How far below L there are others that are computed.
template <class Gap, class Number>
Number chunk_below(const Spec &sp, const Scoring<Gap, Number> &v) {
  if (floored(sp))
    return both_reaches(v) + shear(v.stream_gap) * sp.chunk + shear(v.register_gap) * sp.k +
           max(max(2 * max(first_letter(v.stream_gap), first_letter(v.register_gap)), -v.score_min), 1);
  const Number room = room_below(sp, v);
  return by_strip(sp) ? room + max(-v.score_min, 0) + most_raise(sp, v) : room;
}
template <class Gap, class Number>
Number chunk_above(const Spec &sp, const Scoring<Gap, Number> &v) {
  const Number rise = max(reach(v.stream_gap), reach(v.register_gap)) + chunk_step(sp, v) * max(sp.chunk, sp.k);
  return stream_end_free(sp) ? rise + shear(v.stream_gap) * sp.chunk : rise;  // of a best, row by row
}

// Where L is kept.
template <class Gap>
int low_of(const Kernel<Gap> &k) {
  return k.sp.lowest + chunk_below(k.sp, k.v);
}
// First element of what each chunk's base has moved by, from the second on: behind borders and what scores of letters
// are made of.
template <class Gap>
int moves_of(const Kernel<Gap> &k) {
  return border_elements(k.sp) * k.a->stream_max + profile_size(k.sp);
}

// First element of each chunk's slope.
template <class Gap>
int slopes_of(const Kernel<Gap> &k) {
  return moves_of(k) + k.a->stream_max;
}

// What the border above a strip is kept beside, where that is a base.
template <class Gap>
int border_shift(const Kernel<Gap> &k, int column) {
  if (!lanes_rebase(k.sp)) return 0;
  return low_of(k) - corner_score(k, column);
}

// The base of each lane at a strip's begin. `as_kept`: what enters it is relative to its own bases (trace.h).
template <class Gap>
void start_base(const Kernel<Gap> &k, bool as_kept, Strip<Gap> &s) {
  const int corner = corner_score(k, s.column);
  s.base = splat_wide(corner - low_of(k));
  s.floor = splat(low_of(k));
  const int apart = s.column == 0 ? 0 : corner_score(k, s.column - k.sp.k) - corner;
  s.slope = splat(as_kept ? 0 : apart);
  s.enters_as_kept = as_kept;
  s.chunk_end = k.sp.chunk;
  s.move = moves_of(k);
}

// The rows above move away from those of a chunk that begins: by how much.
template <class Gap>
vscore lower_states(const Kernel<Gap> &k, Strip<Gap> &s) {
  const vscore moved = s.diagonal - splat(low_of(k));
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = s.H[c] - moved;
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = s.F[c][n] - moved;
  }
  s.diagonal = splat(low_of(k));
  return moved;
}

// Before row `row`, the first of a chunk.
template <class Gap, class Watch>
void move_base(const Kernel<Gap> &k, int row, Strip<Gap> &s, Watch &watch) {
  watch.leave_base(k, s, row);
  s.base = s.base + to_wide(s.diagonal) - splat_wide(low_of(k));
  const vscore moved = lower_states(k, s);
  // Where it is too low to be kept no score comes near it.
  if (k.sp.floor == Floor::moving) s.floor = to_score(max(splat_wide(0) - s.base, splat_wide(k.sp.lowest)));
  if (!s.enters_as_kept) s.slope = s.slope + load_score(k.a->scratch, s.move) - moved;
  store_score(k.a->scratch, s.move, moved);
  s.move = s.move + 1;
  s.chunk_end = row + k.sp.chunk;
  if constexpr (Watch::replays) watch.enter_base(k, s);
}

// The bases beside which the border left of the first strip is kept, row by row.
struct BorderBase {
  int shift;  // what is added to a total
  int total;  // at the begin of the chunk
  int chunk_end, move;

  template <class Gap>
  void start(const Kernel<Gap> &k) {
    shift = lanes_rebase(k.sp) ? low_of(k) : 0;
    total = 0;
    chunk_end = k.sp.chunk;
    move = moves_of(k);
  }
  template <class Gap>
  void reach(const Kernel<Gap> &k, int row) {
    if (row == chunk_end) {
      const int next = stream_border(k.sp, k.v, k.frame, row);
      store_score(k.a->scratch, move, splat(next - total));
      total = next;
      shift = low_of(k) - next;
      move = move + 1;
      chunk_end = chunk_end + k.sp.chunk;
    }
  }
};
