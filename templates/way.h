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

  // A code starts from this and counts up, one for each of the scores that H may come from, the ones before it among
  // them, that H is above: the first that it is not above is where it comes from. A local one of 0 has arrived:
  // `floor`, what 0 is kept as, is among them all.
  static constexpr int start(bool floored) {
    if (floored) return arrived;
    return diagonal;
  }
  template <class Code>
  static vscore of_diagonal(const Spec &sp, vscore floor, vscore along_diagonal, vscore h, Code &code) {
    vscore best = along_diagonal;
    if (floored(sp)) {
      code.count(h, floor, 1);
      const bool above = sp.floor == Floor::moving || sp.floor == Floor::diagonal;
      if (!above) best = choose(best, floor);
    }
    code.count(h, best, 1);
    return best;
  }
};

// A code in the making, where it is a number of its own (device_trace.h has others).
struct ScoreCode {
  vscore number;
  void start(int from) { number = splat(from); }
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
