// Arithmetic: in which frame of reference the scores of a matrix are kept.
//
// sheared   for alignments without a floor. At stream row i and register column j a score is kept as
//           H(i,j) + stream_extend * i + register_extend * j + origin,
//           so that extending a gap changes nothing and costs no operation. No kept score is below
//           origin - stream_open - register_open (two gaps reach every cell), no gap state below that by
//           more than another open; `origin` is so low that all of this just fits, which leaves the rest of
//           the range to growth: at most score_max + both extends per diagonal step.
// floored   for local alignments: the score itself, 0 and up. The saturating subtraction that opens a gap
//           keeps every gap state at 0 or above, so the floor needs no operation of its own.
//
// Overflow. sheared: the last column of a strip is at most two opens below any score before it in its row, so
// it is enough to watch that column; floored: the running maximum is the answer and is watched as it is.
// A score may exceed `limit` by one diagonal step at most before it is seen, and that still fits.
#pragma once
#include "scoring.h"

struct Frame {
  int origin;              // kept value of score 0 at the corner
  int limit;               // kept scores up to here prove that nothing wrapped
  int substitution_shift;  // added to a substitution score
  vscore stream_open, stream_extend, register_open, register_extend;  // what opening and extending subtract
};

inline int larger_open(const Scoring &v) { return max(v.stream_open, v.register_open); }

inline Frame make_frame(const Spec &sp, const Scoring &v) {
  Frame f;
  if (sp.local) {
    f.origin = 0;
    f.limit = sp.highest - max(v.score_max, 0);
    f.substitution_shift = 0;
    f.stream_open = splat(v.stream_open + v.stream_extend);
    f.register_open = splat(v.register_open + v.register_extend);
    f.stream_extend = splat(v.stream_extend);
    f.register_extend = splat(v.register_extend);
  } else {
    const int shift = v.stream_extend + v.register_extend;
    const int below = max(larger_open(v), -(v.score_min + shift));
    f.origin = sp.lowest + v.stream_open + v.register_open + below;
    if (sp.register_end_free) f.origin += sp.k * v.register_extend;  // lanes.h takes that much off a last row
    if (sp.stream_end_free) f.origin += v.stream_extend;             // and starts a best one step below
    int spare = v.register_open + v.stream_extend;
    if (sp.register_begin_free) spare = max(spare, 1);  // border.h: a clamped border is above the limit in row 1
    f.limit = sp.highest - max(v.score_max + shift, 0) - v.stream_open - spare;
    f.substitution_shift = shift;
    f.stream_open = splat(v.stream_open);
    f.register_open = splat(v.register_open);
    f.stream_extend = splat(0);
    f.register_extend = splat(0);
  }
  return f;
}

// Opening a gap behind score h, and extending one.
inline vscore opened(const Spec &sp, vscore h, vscore cost) {
  if (sp.local && sp.saturating) return sub_floor0(h, cost);
  return h - cost;
}
inline vscore extended(const Spec &sp, vscore gap, vscore cost) {
  if (sp.local) return sp.saturating ? gap - cost : sub_gap(gap, cost);
  return gap;
}

// The last maximum of a cell's H, and of a gap state.
inline vscore choose_cell(const Spec &sp, vscore a, vscore b) {
  if (sp.floor_cell) return max_floor0(a, b);
  return choose(a, b);
}
inline vscore choose_gap(const Spec &sp, vscore a, vscore b) {
  if (sp.floor_gaps) return max_floor0(a, b);
  return choose(a, b);
}
