// Arithmetic where lanes share alignments, on devices and in mapping `strips`: where in its range a score is kept, and
// for how long.
//
// With S(i,j) = H(i,j) + shear of the stream's gaps * i + shear of the register side's * j for the cell behind i stream
// and j register letters (as in frame.h; local alignments keep H itself), a score is kept as S - base.
//
// not rebased   base is 0: all of 32 bits, and local alignments on devices, of 16 bits too; exact as far as the
//               predicate of exactness.h says.
// rebased       the base moves along every chunk of rows, so that 8 or 16 bits serve any length. Let g be what S can
//               grow by in a row or column (largest_rise). Moving on along either side costs S at most the reach of
//               that side's gap; R is both, so
//                 S(i,j) - R <= S(i+d,j) <= S(i,j) + d*g + R, and likewise along the other side.
//               Local alignments keep H, which loses the letters of the gap besides: their shears for each of d.
//               At any time a warp holds cells of s rows (rows_apart) and p*k columns, of which it scores c rows
//               (chunk_rows). Behind a rebase the segment's first lane has its first H at `low`; everything else is
//               then, until the next one,
//                 not below low - s*g - 2*R - the deeper of the gap states, or what a poor letter takes off
//                 (room_below_low),
//                 and not above low + (p*k + c + 1)*g + 2*R (room_above_low);
//               exactness.h proves that this fits. Where each lane has a base of its own, k columns share it and those
//               that a lane takes up from the one before, `skew` rows old (columns_of_base, rows_apart); what is passed
//               on wraps on its way from base to base and is right again behind it. The base, and what leaves a stage,
//               are totals of 32 bits. What a window of rows has above its first one and behind the known ones of its
//               border (strips) are gaps along its sides, so that both bounds hold with 2*R in place of R, as they are
//               used.
#pragma once
#include "frame.h"

template <class Gap>
struct DeviceFrame {
  Frame<Gap> cell;  // what the recurrences subtract; limit and shift
  int low;          // where the base is put; 0 if not rebased
  GapCosts<int, Gap::lines> stream_gap, register_gap;
};

// What S gains at most from a row or column to the next.
template <class Gap, class Number>
Number largest_rise(const Spec &sp, const Scoring<Gap, Number> &v) {
  Number g = largest_step(v);
  if (stream_begin_free(sp)) g = max(g, shear(v.stream_gap));
  if (register_begin_free(sp)) g = max(g, shear(v.register_gap));
  return g;
}

// Lanes that share an alignment. Where those of a vector all do, the target says how many there are, so that one text
// serves vectors of any width.
inline int sharing_lanes(const Spec &sp) { return fills_vector(sp) ? vector_lanes() : sp.p; }

// Rows between two rebases.
inline int chunk_rows(const Spec &sp) { return fills_vector(sp) ? min(sp.chunk, vector_lanes()) : sp.chunk; }

// Rows that the lanes which share an alignment are apart, and those of a chunk.
inline int rows_apart(const Spec &sp) {
  if (sp.base == Base::moving_by_lane) return sp.skew;
  return sp.p == 1 ? sp.unroll : sp.skew * sharing_lanes(sp);
}
// Columns that share a base.
inline int columns_of_base(const Spec &sp) {
  return sp.base == Base::moving_by_lane ? sp.k + sp.skew : sharing_lanes(sp) * sp.k;
}

// How far below a score the others that a warp holds may be, but for what a chunk of rows gains.
template <class Gap, class Number>
Number room_beside(const Spec &sp, const Scoring<Gap, Number> &v) {
  Number room = 2 * both_reaches(v) + max(gap_depth(v), -(v.score_min + both_shears(v)));
  // Where scores are not sheared a gap costs its letters too, of all that a base is for and the two that a gap state is
  // ahead; and a poor letter all that it costs.
  if (floored(sp))
    room = room + shear(v.stream_gap) * (rows_apart(sp) + chunk_rows(sp) + 3) +
           shear(v.register_gap) * (columns_of_base(sp) + 3);
  // A best starts below all that it may meet.
  if (stream_end_free(sp)) room = room + chunk_rows(sp) * shear(v.stream_gap) + 1;
  if (register_end_free(sp)) room = room + sp.k * shear(v.register_gap);
  return room;
}
template <class Gap, class Number>
Number room_below_low(const Spec &sp, const Scoring<Gap, Number> &v) {
  return rows_apart(sp) * largest_rise(sp, v) + room_beside(sp, v);
}
template <class Gap, class Number>
Number room_above_low(const Spec &sp, const Scoring<Gap, Number> &v) {
  Number room = (columns_of_base(sp) + chunk_rows(sp) + 1) * largest_rise(sp, v) + 2 * both_reaches(v);
  if (stream_end_free(sp)) room = room + chunk_rows(sp) * shear(v.stream_gap);
  return room;
}

template <class Gap>
DeviceFrame<Gap> make_device_frame(const Spec &sp, const Scoring<Gap> &v) {
  DeviceFrame<Gap> f;
  f.cell = make_frame(sp, v);
  f.stream_gap = v.stream_gap;
  f.register_gap = v.register_gap;
  f.low = 0;
  if (sp.base != Base::fixed) f.low = sp.lowest + room_below_low(sp, v);
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
