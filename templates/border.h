// Scores before the first row and the first column, kept in the frame.
//
// A border gap costs what any gap does (gap_costs.h). Where that end is free the border is score 0, which rises in the
// frame; it is clamped so that it cannot wrap: a clamped border reaches the guarded column (watch_edges.h) above the
// limit, so the lane is reported. Where none can wrap (columns.h, lane_base.h) nothing is clamped.
#pragma once
#include "frame.h"

// Kept H behind `length` skipped letters of a side whose gaps cost `gap`.
template <class Gap>
int border(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, bool free,
           const GapCosts<int, Gap::lines> &gap, int length) {
  if (floored(sp)) return 0;
  if (free && never_overflows(sp)) return frame.origin + shear(gap) * length;
  if (free) {
    const int clamp = sp.highest - largest_step(v);
    return min(frame.origin + shear(gap) * length, clamp);
  }
  return frame.origin - sheared_cost(gap, length);
}

template <class Gap>
int stream_border(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, int length) {
  return border(sp, v, frame, stream_begin_free(sp), v.stream_gap, length);
}
template <class Gap>
int register_border(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, int length) {
  return border(sp, v, frame, register_begin_free(sp), v.register_gap, length);
}
