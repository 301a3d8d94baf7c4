// Linear gaps (Needleman & Wunsch 1970): H = max(diagonal + s, H above - gap, H to the left - gap).
#pragma once
#include "frame.h"
#include "way.h"

struct LinearGap {
  static constexpr int states = 0;
  static constexpr int lines = 1;  // open 0
  static constexpr int slots = 1;  // of arrays of states, which must not be empty

  static void open(const Spec &, const FrameCosts<LinearGap> &, vscore, vscore *) {}

  // `diagonal` already holds the substitution score; `above` is H of the row before, `left` H of the column before.
  // The latter enters last, as the newest value, but where the sum does.
  static vscore cell(const Spec &sp, const Frame<LinearGap> &frame, vscore diagonal, vscore above, vscore left,
                     vscore *, vscore *, bool) {
    const GapSetting &stream = sp.stream_gap[0], &along = sp.register_gap[0];
    const bool folded = !stream.extend.runtime && !along.extend.runtime;
    const bool one_cost = sp.one_gap || (folded && stream.extend.value == along.extend.value);
    vscore h;
    if (!floored(sp) && sp.sum_last)
      h = choose(choose(above, left), diagonal);
    else if (!floored(sp))
      h = choose(choose(diagonal, above), left);
    else if (!has_flag_cost(sp) && one_cost)
      h = choose_cell(sp, diagonal, opened(sp, choose(above, left), frame.register_gap.open[0]));
    else
      h = choose_cell(sp, choose(diagonal, opened(sp, above, frame.stream_gap.open[0])),
                      opened(sp, left, frame.register_gap.open[0]));
    return h;
  }

  // Where H of a cell comes from (way.h); no gap state is handed on.
  template <class Code>
  static void way(const Spec &sp, vscore floor, vscore diagonal, vscore h, const WayOfGap<LinearGap> &deletion,
                  const WayOfGap<LinearGap> &, Code &code) {
    vscore before[2];
    before[0] = diagonal;
    before[1] = floored(sp) ? opened(sp, deletion.from, deletion.cost.open[0]) : deletion.from;
    code.comes_from(sp, floor, h, before, 2);
  }
};
