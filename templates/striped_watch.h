// Watches of mapping `striped`: what is looked for while the rows of a stage run, and where the answer comes from. A
// watch is a struct with its own state and these members:
//   nothing    the score of an answer before any is found
//   start      before the first row
//   start_row, cell, row  before a row, at each H of its first pass, and behind it, where its H are in scratch memory
//   finish     behind the last one: `answer` takes what each lane has found
//   lost       the range has been exceeded, and the pair is none that the predicate holds for: no need to go on
//   exceeded   the range may have been exceeded; `answer` is the merged one
#pragma once
#include "device_stage.h"

// Where the lanes of a stage stand.
struct Stripes {
  int column;   // of the stage
  int stripe;   // letters of each lane
  int last;     // which of its stripe's letters the query's last one is, if it is in this stage
  bool ends;    // it is
  vpos first;   // the lane's first column
  vmask holds;  // the lane has the query's last letter
};

// Element of the H of the stripes' c-th letters; their gap states follow.
inline int striped_cell(const Spec &sp, int c) { return striped_column(sp) + c * row_elements(sp); }

// The best of all cells, where there is a floor of 0. What a gap along the query raises behind the first pass is no
// more than the cell that the gap leaves, which lies before it in the row and so wins a tie.
struct StripedBest {
  static constexpr int nothing = 0;
  vscore best, row_best;
  vpos row_of_best, column_of_best;  // if the output has them

  void start(const Spec &) {
    best = splat(0);
    row_of_best = splat_pos(-1);
    column_of_best = splat_pos(-1);
  }
  void start_row() { row_best = splat(0); }
  void cell(vscore h) { row_best = choose(row_best, h); }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stripes &s, int row) {
    if (wants_end(k.sp)) {
      const vmask better = greater(row_best, best);
      if (any(better)) {
        vpos column = splat_pos(0);
        for (int c = residual(s.stripe - 1); c >= 0; --c)
          column = select(equal(load_score(k.a->scratch, striped_cell(k.sp, c)), row_best), splat_pos(c), column);
        column_of_best = select(better, s.first + column, column_of_best);
        row_of_best = select(better, splat_pos(row), row_of_best);
        best = choose(best, row_best);
      }
    } else {
      best = choose(best, row_best);
    }
  }
  // A pair whose shorter side has more letters than the range has numbers is not proven to fit: the largest score of a
  // letter is 1 at least where any is above 0.
  template <class Gap>
  bool lost(const DeviceKernel<Gap> &k, const Group &g) const {
    bool yes = false;
    if (min(g.query_max, g.target_max) > k.sp.highest) yes = any(greater(best, splat(k.f.cell.limit)));
    return yes;
  }
  template <class Gap>
  void finish(const DeviceKernel<Gap> &k, const Group &, const Stripes &, Answer &answer) {
    consider(k.sp, answer, greater(best, splat(0)), to_wide(best), to_wide(row_of_best), to_wide(column_of_best));
  }
  template <class Gap>
  vmask exceeded(const DeviceKernel<Gap> &k, const Answer &answer) const {
    return greater(answer.score, splat_wide(k.f.cell.limit));
  }
};

// Alignments without a floor: the answer lies on an edge of the matrix, or in its corner. A stripe's last column tells
// of an overflow in all of them (frame.h).
struct StripedEdges {
  static constexpr int nothing = -2147483647;
  vscore guard;
  vscore best;  // of the last column, in the frame of the last row so far
  vpos row_of_best;

  void start(const Spec &sp) {
    guard = splat(sp.lowest);
    best = splat(sp.lowest);
    row_of_best = splat_pos(0);  // the first row's score may be the lowest
  }
  void start_row() {}
  void cell(vscore) {}
  template <class Gap>
  bool lost(const DeviceKernel<Gap> &, const Group &) const {
    return false;
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stripes &s, int row) {
    guard = max(guard, load_score(k.a->scratch, striped_cell(k.sp, s.stripe - 1)));
    if (stream_end_free(k.sp)) {
      if (s.ends) {
        const vscore h = load_score(k.a->scratch, striped_cell(k.sp, s.last));
        const vscore before = best + splat(shear(k.v.stream_gap));
        if (wants_end(k.sp)) row_of_best = select(greater(h, before), splat_pos(row), row_of_best);
        best = max(before, h);
        guard = max(guard, best);
      }
    }
  }
  // A score as it is, from the one kept in the last row, `columns` behind the first.
  template <class Gap>
  static vwide total(const DeviceKernel<Gap> &k, const Group &g, vscore kept, vpos columns) {
    return to_wide(kept) - splat_wide(k.f.cell.origin) - to_wide(g.target_length) * splat_wide(shear(k.v.stream_gap)) -
           to_wide(columns) * splat_wide(shear(k.v.register_gap));
  }
  template <class Gap>
  void finish(const DeviceKernel<Gap> &k, const Group &g, const Stripes &s, Answer &answer) {
    const vwide last_row = to_wide(g.target_length - splat_pos(1)),
                last_column = to_wide(g.query_length - splat_pos(1));
    if (k.sp.goal == Goal::corner)
      consider(k.sp, answer, s.holds, total(k, g, load_score(k.a->scratch, striped_cell(k.sp, s.last)), g.query_length),
               last_row, last_column);
    if (stream_end_free(k.sp))
      consider(k.sp, answer, s.holds, total(k, g, best, g.query_length), to_wide(row_of_best), last_column);
    if (register_end_free(k.sp)) {
      for (int c = residual(0); c < s.stripe; ++c) {
        const vpos column = s.first + splat_pos(c);
        consider(k.sp, answer, greater(g.query_length, column),
                 total(k, g, load_score(k.a->scratch, striped_cell(k.sp, c)), column + splat_pos(1)), last_row,
                 to_wide(column));
      }
    }
  }
  template <class Gap>
  vmask exceeded(const DeviceKernel<Gap> &k, const Answer &) const {
    vmask raised = no_lanes();
    if (any(greater(guard, splat(k.f.cell.limit)))) raised = all_lanes();
    return raised;
  }
};
