// Arithmetic on devices: where in its range a score is kept, and for how long.
//
// With S(i,j) = H(i,j) + shear of the stream's gaps * i + shear of the register side's * j for the cell behind i stream
// and j register letters (as in frame.h; local alignments keep H itself), a score is kept as S - base.
//
// not rebased   base is 0: 32 bits, exact up to the lengths that the planner's predicate names.
// rebased       the base moves along every chunk of rows, so that 16 bits serve any length. Let g be what S can grow
//               by in a row or column. Moving on along either side costs S at most that gap's reach, so
//                 S(i,j) - io <= S(i+d,j) <= S(i,j) + d*g + do, and likewise along the other side.
//               At any time a warp holds cells of p rows and p*k columns. Behind a rebase the segment's first lane has
//               its first H at `low`; everything else is then, until the next one,
//                 not below low - p*g - 2*(io + do) - the deeper of the gap states, or what a poor letter takes off,
//                 and not above low + (p*k + p + 1)*g + 2*io + do;
//               the planner proves that this fits (usable).
#pragma once
#include "frame.h"

template <class Gap>
struct DeviceFrame {
  Frame<Gap> cell;  // what the recurrences subtract; limit and shift
  int low;          // where the base is put; 0 if not rebased
  GapCosts<int, Gap::lines> stream_gap, register_gap;
};

template <class Gap>
int largest_growth(const Spec &sp, const Scoring<Gap> &v) {
  int g = max(v.score_max + both_shears(v), 0);
  if (sp.stream_begin_free) g = max(g, shear(v.stream_gap));
  if (sp.register_begin_free) g = max(g, shear(v.register_gap));
  return g;
}

// Rows between two rebases.
inline int chunk_rows(const Spec &sp) { return sp.p == 1 ? sp.unroll : sp.p; }

template <class Gap>
DeviceFrame<Gap> make_device_frame(const Spec &sp, const Scoring<Gap> &v) {
  DeviceFrame<Gap> f;
  f.cell = make_frame(sp, v);
  f.stream_gap = v.stream_gap;
  f.register_gap = v.register_gap;
  f.low = 0;
  if (sp.base != Base::fixed) {
    const int rows = chunk_rows(sp);
    const int poor = max(-(v.score_min + f.cell.substitution_shift), 0);
    f.low = sp.lowest + max(sp.p, rows) * largest_growth(sp, v) + 2 * both_reaches(v) + max(gap_depth(v), poor);
    if (stream_end_free(sp)) f.low += rows * shear(v.stream_gap) + 1;  // a best starts below all that it may meet
    if (register_end_free(sp)) f.low += sp.k * shear(v.register_gap);
  }
  return f;
}

// S behind `length` letters of a border whose gaps cost `gap`, 1 and more: a position each, or the same for all lanes.
template <int lines>
int border_total(const Spec &sp, bool free, const GapCosts<int, lines> &gap, int length) {
  if (floored(sp)) return 0;
  return free ? shear(gap) * length : -sheared_cost(gap, length);
}
template <int lines>
vpos border_total(const Spec &sp, bool free, const GapCosts<int, lines> &gap, vpos length) {
  if (floored(sp)) return splat_pos(0);
  if (free) return length * splat_pos(shear(gap));
  return splat_pos(0) - sheared_cost(gap, length);
}

// Whether a border's totals differ from letter to letter.
template <int lines>
bool slanted(const Spec &sp, bool free, const GapCosts<int, lines> &) {
  return !floored(sp) && (free || lines > 1);
}
