// The way back of an alignment, step by step: what a cell keeps of where its scores come from, and a lane's state on
// the way.
//
// From the alignment's end a step leads to the cell before: along the diagonal, or through a letter of a gap. Of equal
// scores H takes the diagonal before a deletion before an insertion, of lines the steeper one first (gap_costs.h); a
// gap rather ends than goes on. A local alignment begins behind the first H of 0.
#pragma once
#include "frame.h"
#include "memory.h"

template <class Gap>
struct Way {
  // States, and in a cell's code where H comes from. Behind a deletion's letter a lane is in state `deletion` + line
  // until the gap ends, then in H again.
  static constexpr int arrived = 0, diagonal = 1, deletion = 2, insertion = 2 + Gap::lines;
  static constexpr int sources = Gap::lines > 1 ? 7 : 3;  // the bits of a code that say that
  static_assert(insertion + Gap::lines <= sources + 1 && way_bits(Gap::states) < 8, "a code does not fit int8");
  // The bit that says: a gap that goes through this cell in that state does not end here.
  static constexpr int longer(int state) { return (sources + 1) << (state - deletion); }
};

// A code in the making, where it is a number of its own (device_trace.h has others).
struct ScoreCode {
  vscore number;

  // `h` comes from the first of `n` scores that it is equal to, of those that it may come from, or else from the one
  // behind them: numbers from 1. A local one of 0 has arrived; `floor` is what 0 is kept as. By `equal`: where a
  // maximum is compared for being greater than what it is of, compilers compare the operands instead, which took up to
  // a third of the speed.
  void comes_from(const Spec &sp, vscore floor, vscore h, const vscore *scores, int n) {
    number = splat(n + 1);
    for (int i = n - 1; i >= 0; --i) number = select(equal(h, scores[i]), splat(i + 1), number);
    if (floored(sp)) number = select(greater(h, floor), number, splat(0));
  }
  // `value` more where a > b; it is not below.
  void count(vscore a, vscore b, int value) { number = select(greater(a, b), number + splat(value), number); }
};

// What a gap that skips letters of one side, the target (deletion) or the query (insertion), costs in the frame, and
// its states around a cell. `from`: H of the cell that its letter follows.
template <class Gap>
struct WayOfGap {
  FrameCosts<Gap> cost;
  vscore from;
  vscore before[Gap::slots], behind[Gap::slots];
};
// Before and behind the cell.
template <class Gap>
void start_way(WayOfGap<Gap> &gap, const FrameCosts<Gap> &cost, vscore from, const vscore *state) {
  for (int n = 0; n < Gap::lines; ++n) gap.cost.open[n] = cost.open[n];
  gap.from = from;
  for (int n = 0; n < Gap::states; ++n) gap.before[n] = state[n];
}
template <class Gap>
void end_way(WayOfGap<Gap> &gap, const vscore *state) {
  for (int n = 0; n < Gap::states; ++n) gap.behind[n] = state[n];
}
