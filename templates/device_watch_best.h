// The best of all cells, where there is a floor of 0 (device_watch.h).
#pragma once
#include "device_stage.h"

struct DeviceBest {
  static constexpr bool masks = false;
  static constexpr int nothing = 0;
  vscore best, row_best;
  vpos row_of_best, column_of_best;  // if the output has them

  void start() {
    best = splat(0);
    row_of_best = splat_pos(-1);
    column_of_best = splat_pos(-1);
  }
  // Of equal scores the one with the smaller target end counts, so that with ends each stage begins anew.
  template <class Gap>
  void start_stage(const DeviceKernel<Gap> &k, int column, Answer &answer) {
    if (!wants_end(k.sp)) return;
    if (column > 0) {
      finish(k, answer);
      best = splat(0);
    }
  }
  void start_chunk(const Spec &) {}
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
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &s, Chunk, vmask, vpos row) {
    if (wants_end(k.sp)) {
      const vmask better = greater(row_best, best);
      if (any(better)) {
        vpos column = splat_pos(0);
        for (int c = k.sp.k - 1; c >= 0; --c) column = select(equal(s.H[c], row_best), splat_pos(c), column);
        column_of_best = select(better, s.first + column, column_of_best);
        row_of_best = select(better, row, row_of_best);
        best = choose(best, row_best);
      }
    } else {
      best = choose(best, row_best);
    }
  }
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, int, Answer &) {}
  template <class Gap>
  void end_stage(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, Answer &) {}
  template <class Gap>
  void finish(const DeviceKernel<Gap> &k, Answer &answer) {
    consider(k.sp, answer, greater(best, splat(0)), to_wide(best), to_wide(row_of_best), to_wide(column_of_best));
  }
  template <class Gap>
  static vmask exceeded(const DeviceKernel<Gap> &k, const Answer &answer) {
    return greater(answer.score, splat_wide(k.f.cell.limit));
  }
};
