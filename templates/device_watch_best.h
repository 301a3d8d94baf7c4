// The best of all cells, where there is a floor of 0 (device_watch.h).
#pragma once
#include "device_stage.h"

struct DeviceBest {
  // Behind an alignment's end its left border stands still while the base has moved on: too far for a narrow range.
  static bool masks(const Spec &sp) { return sp.floor == Floor::moving; }
  static constexpr bool traces = false, hands_on = true;
  static constexpr int nothing = 0;
  vscore best, row_best;
  vscore begun;                      // the best before this chunk, where it is kept beside a moving base
  vpos row_of_best, column_of_best;  // if the output has them

  void start() {
    best = splat(0);
    row_of_best = splat_pos(-1);
    column_of_best = splat_pos(-1);
  }
  // Of equal scores the one with the smaller target end counts, so that with ends each stage begins anew.
  template <class Gap>
  void start_stage(const DeviceKernel<Gap> &k, int column, Answer &answer) {
    if (!wants_end(k.sp) || moves(k)) return;
    if (column > 0) {
      finish(k, answer);
      best = splat(0);
    }
  }
  template <class Gap>
  static bool moves(const DeviceKernel<Gap> &k) {
    return k.sp.base != Base::fixed;
  }
  // The lane's best so far, as far as it can be kept: one that is higher is not beaten in this chunk.
  template <class Gap>
  void start_chunk(const DeviceKernel<Gap> &k, const Stage<Gap> &s, const Answer &answer) {
    if (!moves(k)) return;
    const vwide lowest = splat_wide(k.sp.lowest), highest = splat_wide(k.sp.highest);
    const vwide beside = max(answer.score - s.base, lowest);
    best = to_score(select(greater(beside, highest), highest, beside));
    begun = best;
  }
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &, const Group &, int) {
    return false;
  }
  void start_row(const Spec &) {}
  template <class Gap>
  void cell(const Stage<Gap> &, Chunk, int c, vscore h) {
    if (c == 0)
      row_best = h;
    else
      row_best = choose(row_best, h);
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &s, Chunk chunk, vmask inside, vpos row) {
    if (chunk == Chunk::masked) row_best = select(inside, row_best, best);
    if (wants_end(k.sp)) {
      const vmask better = greater(row_best, best);
      if (any(better)) {
        vscore column = splat(0);  // as a score, so that both alignments of a lane are chosen at once
        for (int c = k.sp.k - 1; c >= 0; --c) column = select(equal(s.H[c], row_best), splat(c), column);
        column_of_best = select(better, s.first + to_pos(to_wide(column)), column_of_best);
        row_of_best = select(better, row, row_of_best);
        best = choose(best, row_best);
      }
    } else {
      best = choose(best, row_best);
    }
  }
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &k, const Group &, const Stage<Gap> &s, int, Answer &answer) {
    if (moves(k))
      consider(k.sp, answer, greater(best, begun), to_wide(best) + s.base, to_wide(row_of_best),
               to_wide(column_of_best));
  }
  template <class Gap>
  void end_stage(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, Answer &) {}
  template <class Gap>
  void finish(const DeviceKernel<Gap> &k, Answer &answer) {
    if (moves(k)) return;
    consider(k.sp, answer, greater(best, splat(0)), to_wide(best), to_wide(row_of_best), to_wide(column_of_best));
  }
  template <class Gap>
  static vmask exceeded(const DeviceKernel<Gap> &k, const Answer &answer) {
    if (moves(k)) return no_lanes();
    return greater(answer.score, splat_wide(k.f.cell.limit));
  }
};
