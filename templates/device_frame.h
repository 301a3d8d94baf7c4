// Arithmetic on devices: where in its range a score is kept, and for how long.
//
// With S(i,j) = H(i,j) + stream_extend * i + register_extend * j for the cell behind i stream and j register letters
// (sheared as in frame.h; local alignments keep H itself), a score is kept as S - base.
//
// not rebased   base is 0: 32 bits, exact up to the lengths that the planner's predicate names.
// rebased       the base moves along every chunk of rows, so that 16 bits serve any length. Let g be what S can grow
//               by in a row or column. Moving on along either side costs S at most that gap's open, so
//                 S(i,j) - io <= S(i+d,j) <= S(i,j) + d*g + do, and likewise along the other side.
//               At any time a warp holds cells of p rows and p*k columns. Behind a rebase the segment's first lane has
//               its first H at `low`; everything else is then, until the next one,
//                 not below low - p*g - 2*(io + do) - max(io, do) - what a poor letter takes off, and
//                 not above low + (p*k + p + 1)*g + 2*io + do;
//               the planner proves that this fits (usable).
#pragma once
#include "frame.h"

struct DeviceFrame {
  Frame cell;  // what the recurrences subtract; limit and shift
  int low;     // where the base is put; 0 if not rebased
  int stream_open, register_open, stream_extend, register_extend;
};

inline int largest_growth(const Spec &sp, const Scoring &v) {
  int g = max(v.score_max + v.stream_extend + v.register_extend, 0);
  if (sp.stream_begin_free) g = max(g, v.stream_extend);
  if (sp.register_begin_free) g = max(g, v.register_extend);
  return g;
}

// Rows between two rebases.
inline int chunk_rows(const Spec &sp) { return sp.p == 1 ? sp.rows : sp.p; }

inline DeviceFrame make_device_frame(const Spec &sp, const Scoring &v) {
  DeviceFrame f;
  f.cell = make_frame(sp, v);
  f.stream_open = v.stream_open;
  f.register_open = v.register_open;
  f.stream_extend = v.stream_extend;
  f.register_extend = v.register_extend;
  f.low = 0;
  if (sp.rebased) {
    const int rows = chunk_rows(sp);
    const int poor = max(-(v.score_min + f.cell.substitution_shift), 0);
    f.low = sp.lowest + max(sp.p, rows) * largest_growth(sp, v) + 2 * (v.stream_open + v.register_open) +
            max(larger_open(v), poor);
    if (sp.stream_end_free) f.low += rows * v.stream_extend + 1;  // a best starts below all that it may meet
    if (sp.register_end_free) f.low += sp.k * v.register_extend;
  }
  return f;
}

// S on the borders: left of the register side, behind `rows` stream letters; and above the stream side.
inline int left_border(const Spec &sp, const DeviceFrame &f, int rows) {
  if (sp.local) return 0;
  return sp.stream_begin_free ? f.stream_extend * rows : -f.stream_open;
}
inline int top_border(const Spec &sp, const DeviceFrame &f, int columns) {
  if (sp.local) return 0;
  return sp.register_begin_free ? f.register_extend * columns : -f.register_open;
}
