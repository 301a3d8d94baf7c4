// Ends: the last aligned letters, 0-based, lane by lane.
//
// Of several best alignments the one with the smallest register position, of these with the smallest stream position.
// Strips run along the register side, so a later strip must beat an earlier one, and within a strip a smaller column
// wins a tie even on a later row. A lane's positions are 32-bit whatever its scores are.
//
// local            a row is looked at closely only where its maximum beats `bar` in some lane; all else a row pays for
// is
//                  that maximum, which a kernel of scores alone computes too. For a search with refilled lanes; pairs
//                  look at one strip only (replay.h). Positions among pads never win: a pad does not gain, so what it
//                  holds was reached before by a cell with no larger column and row.
// free stream end  the rows of a lane's last column: the first that reaches the best.
// free register end  the columns of a lane's last row, at its capture: the first in a strip, then the first strip.
#pragma once
#include "frame.h"

// Of the current strip.
struct StripEnd {
  vwide row;      // where the best was reached
  vscore column;  // local: in this strip, from 0; -1 where an earlier strip reached the best
  vscore bar;     // local: maxima up to here neither beat the best nor win a tie
};

// Of the strips so far.
struct FoundEnd {
  vwide row;       // free stream end: of the best in the last column
  vwide column;    // local, and free register end: of the best in the last row
  vwide sequence;  // refill: first column of the lane's current sequence
};

// Local: before the rows of a strip.
inline void watch_strip(vscore best, StripEnd &s) {
  s.column = splat(-1);
  s.bar = best;
}

// Local: takes a row's scores into `best`.
inline void watch_row(const Spec &sp, const vscore *H, int row, vscore &best, StripEnd &s) {
  vscore top = H[0];
  for (int c = 1; c < sp.k; ++c) top = max(top, H[c]);
  const vmask close = greater(top, s.bar);
  if (any(close)) {
    vscore column = splat(sp.k - 1);
    for (int c = sp.k - 2; c >= 0; --c) column = select(equal(H[c], top), splat(c), column);
    const vmask won = close & (greater(top, best) | greater(s.column, column));
    s.column = select(won, column, s.column);
    s.row = select(won, splat_wide(row), s.row);
    best = max(best, top);
    // A tie can still win where the best lies in this strip and not in its first column.
    s.bar = select(greater(s.column, splat(0)), best - splat(1), best);
  }
}

// Local: behind the rows of the strip that begins at `column`.
inline void keep_strip(const StripEnd &s, int column, FoundEnd &found) {
  found.column = select(greater(s.column, splat(-1)), to_wide(s.column) + splat_wide(column), found.column);
}

// Local: hands out row `result` of the results.
inline void store_local_end(const Spec &sp, const aln_args_v1 *a, int result, vscore best, const StripEnd &s,
                            const FoundEnd &found) {
  const vmask aligned = greater(best, splat(0));
  vwide column = found.column;
  if (sp.refill) column = column - found.sequence;
  store_wide(a->query_end, result, select(aligned, s.row, splat_wide(-1)));
  store_wide(a->target_end, result, select(aligned, column, splat_wide(-1)));
}

// Free stream end: the last column has `last` in this row, where the best of the rows before is `best`.
inline void watch_last_column(vscore best, vscore last, int row, StripEnd &s) {
  const vmask better = greater(last, best);
  if (any(better)) s.row = select(better, splat_wide(row), s.row);
}

// Not local: hands out the ends. `column_score` and `row_score`: the best of the last column and of the last row, in
// one frame, where those ends are free.
inline void store_end(const Spec &sp, const aln_args_v1 *a, vpos stream_length, vpos register_length,
                      vwide column_score, vwide row_score, const FoundEnd &found) {
  const vwide last_row = to_wide(stream_length) - splat_wide(1);
  const vwide last_column = to_wide(register_length) - splat_wide(1);
  vwide row = last_row, column = last_column;
  if (sp.stream_end_free) row = found.row;
  if (sp.register_end_free) {
    column = found.column;
    if (sp.stream_end_free) {
      // The last row wins a tie by its smaller column; at the corner the last column has the smaller row.
      const vmask in_last_column = greater(column_score, row_score);
      row = select(in_last_column, row, select(greater(last_column, column), last_row, row));
      column = select(in_last_column, last_column, column);
    }
  }
  store_wide(a->query_end, 0, row);
  store_wide(a->target_end, 0, column);
}
