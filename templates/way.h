// The way back of an alignment, step by step: what a cell keeps of where its scores come from, and a lane's state on
// the way.
//
// From the alignment's end a step leads to the cell before: along the diagonal, or through a letter of a gap. Of equal
// scores H takes the diagonal before a deletion before an insertion, of lines the steeper one first (gap_costs.h); a
// gap rather ends than goes on. A local alignment begins behind the first H of 0.
#pragma once
#include "frame.h"

template <class Gap>
struct Way {
  // States, and in a cell's code where H comes from. Behind a deletion's letter a lane is in state `deletion` + line
  // until the gap ends, then in H again.
  static constexpr int arrived = 0, diagonal = 1, deletion = 2, insertion = 2 + Gap::lines;
  static constexpr int sources = Gap::lines > 1 ? 7 : 3;  // the bits of a code that say that
  // The bit that says: a gap that goes through this cell in that state does not end here.
  static constexpr int longer(int state) { return (sources + 1) << (state - deletion); }

  // `gap`: the state that H comes from where it does not come along the diagonal, whose score is `diagonal`. `floor`:
  // what a score of 0 is kept as, of local alignments. No score that H may come from is above it.
  static vscore of_cell(const Spec &sp, vscore floor, vscore along_diagonal, vscore h, vscore gap) {
    const vscore from = select(greater(h, along_diagonal), gap, splat(diagonal));
    if (!floored(sp)) return from;
    return select(greater(h, floor), from, splat(arrived));
  }
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
