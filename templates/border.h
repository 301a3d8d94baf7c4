// Scores before the first row and the first column, kept in the frame.
//
// A border gap costs open + extend * length; in the sheared frame the extension vanishes. Where that end is
// free the border is score 0, which rises in the frame; it is clamped so that it cannot wrap: a clamped border
// reaches the watched column above the limit, so the lane is reported.
#pragma once
#include "frame.h"

// Kept H behind `length` skipped letters of a side whose gaps cost open + extend * length.
inline int border(const Spec &sp, const Scoring &v, const Frame &frame, bool free, int open, int extend, int length) {
  if (sp.local) return 0;
  if (free) {
    const int clamp = sp.highest - max(v.score_max + v.stream_extend + v.register_extend, 0);
    return min(frame.origin + extend * length, clamp);
  }
  return frame.origin - open;
}

inline int stream_border(const Spec &sp, const Scoring &v, const Frame &frame, int length) {
  return border(sp, v, frame, sp.stream_begin_free, v.stream_open, v.stream_extend, length);
}
inline int register_border(const Spec &sp, const Scoring &v, const Frame &frame, int length) {
  return border(sp, v, frame, sp.register_begin_free, v.register_open, v.register_extend, length);
}
