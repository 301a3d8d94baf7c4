// Arithmetic: in which frame of reference the scores of a matrix are kept.
//
// sheared   for alignments without a floor. At stream row i and register column j a score is kept as
//           H(i,j) + shear of the stream's gaps * i + shear of the register side's * j + origin,
//           where a gap's shear is what its line of smallest extension extends by (gap_costs.h): on that line
//           extending a gap changes nothing and costs no operation, so that a gap costs its open at most
//           (`reach`), however long it is. No kept score is below origin - both reaches (two gaps reach every cell),
//           and no gap state, nor what is computed on the way to it, below the score next to it by more than `depth`:
//           each cell opens every line anew. `origin` is so low that all of this just fits, which leaves the rest of
//           the range to growth: at most score_max + both shears per diagonal step.
// floored   for local alignments: the score itself, 0 and up. The saturating subtraction that opens a gap
//           keeps every gap state at 0 or above, so the floor needs no operation of its own.
//
// Overflow. sheared: moving on along a row or down a column costs the reach of that side's gap at most, so the last
// column of a strip is at most the register side's reach below any score before it in its row, and it is enough to
// guard that column; floored: the running maximum is the answer and is guarded as it is. `limit` (largest_guarded) is
// so low that what lies in the row, and in the next one, a diagonal step higher at most, still fits when it is
// exceeded. Where each lane has a base of its own (lane_base.h) the origin is 0, and nothing is guarded.
#pragma once
#include "floors.h"
#include "scoring.h"

// What opening a gap with its first letter subtracts, and what each letter more, by line.
template <class Gap>
struct FrameCosts {
  vscore open[Gap::lines], extend[Gap::lines];
};

template <class Gap>
struct Frame {
  int origin;              // kept value of score 0 at the corner
  int limit;               // kept scores up to here prove that nothing wrapped
  int substitution_shift;  // added to a substitution score
  FrameCosts<Gap> stream_gap, register_gap;
};

// What a letter of a gap costs in the frame.
template <class Costs>
int frame_letter(const Spec &sp, const Costs &gap, int n) {
  if (floored(sp)) return gap.extend[n];
  return steeper(gap, n);
}

template <class Gap>
FrameCosts<Gap> frame_costs(const Spec &sp, const GapCosts<int, Gap::lines> &gap) {
  FrameCosts<Gap> costs;
  for (int n = 0; n < Gap::lines; ++n) {
    costs.open[n] = splat(gap.open[n] + frame_letter(sp, gap, n));
    costs.extend[n] = splat(frame_letter(sp, gap, n));
  }
  return costs;
}

// How far below a score its gap states may be, either side's.
template <class Gap, class Number>
Number gap_depth(const Scoring<Gap, Number> &v) {
  return max(depth(v.stream_gap), depth(v.register_gap));
}
// The most that two gaps cost in sheared scores.
template <class Gap, class Number>
Number both_reaches(const Scoring<Gap, Number> &v) {
  return reach(v.stream_gap) + reach(v.register_gap);
}
// What a step along the diagonal gains in sheared scores.
template <class Gap, class Number>
Number both_shears(const Scoring<Gap, Number> &v) {
  return shear(v.stream_gap) + shear(v.register_gap);
}
// The most that such a step gains with its letters.
template <class Gap, class Number>
Number largest_step(const Scoring<Gap, Number> &v) {
  return max(v.score_max + both_shears(v), 0);
}

// How far above the lowest kept score the origin lies, so that nothing falls below it.
template <class Gap, class Number>
Number room_below(const Spec &sp, const Scoring<Gap, Number> &v) {
  Number room = both_reaches(v) + max(gap_depth(v), -(v.score_min + both_shears(v)));
  if (register_end_free(sp)) room = room + sp.k * shear(v.register_gap);  // lanes.h takes that much off a last row
  if (stream_end_free(sp)) room = room + shear(v.stream_gap);             // and starts a best one step below
  // striped.h has scores that a gap from the lane before has not reached yet, so that they are as low as a gap along
  // the stream side is, and opens gaps from there.
  if (sp.mapping == Mapping::striped) room = room + gap_depth(v);
  return room;
}

// Kept scores of the guarded column up to here prove that nothing wrapped.
template <class Gap, class Number>
Number largest_guarded(const Spec &sp, const Scoring<Gap, Number> &v) {
  if (floored(sp)) return sp.highest - max(v.score_max, 0);
  Number spare = reach(v.register_gap) + shear(v.stream_gap);
  if (register_begin_free(sp)) spare = max(spare, 1);  // border.h: a clamped border is above the limit in row 1
  return sp.highest - largest_step(v) - reach(v.stream_gap) - spare;
}

// How far scores rise above the one at the corner in a matrix of these lengths, sheared ones where there is no floor.
template <class Gap, class Number>
Number largest_growth(const Spec &sp, const Scoring<Gap, Number> &v, Number stream, Number registers) {
  if (floored(sp)) return max(v.score_max, 0) * min(stream, registers);
  Number growth = largest_step(v) * min(stream, registers);
  if (stream_begin_free(sp) || stream_end_free(sp)) growth = growth + shear(v.stream_gap) * stream;
  if (register_begin_free(sp) || register_end_free(sp)) growth = growth + shear(v.register_gap) * registers;
  return growth;
}

template <class Gap>
Frame<Gap> make_frame(const Spec &sp, const Scoring<Gap> &v) {
  Frame<Gap> f;
  f.stream_gap = frame_costs<Gap>(sp, v.stream_gap);
  f.register_gap = frame_costs<Gap>(sp, v.register_gap);
  f.origin = 0;
  f.substitution_shift = 0;
  if (!floored(sp)) {
    const int shift = both_shears(v);
    f.origin = sp.lowest + room_below(sp, v);
    f.substitution_shift = shift;
  }
  f.limit = largest_guarded(sp, v);
  if (by_strip(sp) || (lanes_rebase(sp) && !floored(sp))) {  // columns.h, lane_base.h
    f.origin = 0;
    f.limit = sp.highest;
  }
  return f;
}
