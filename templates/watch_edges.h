// Watches of alignments without a floor: the answer lies on an edge of the matrix, or in its corner.
#pragma once
#include "ends.h"
#include "strip.h"

// Notices an overflow by the strip's last column (frame.h).
struct OverflowGuard {
  vscore strip_guard;     // largest value that could still hide a wrap
  vscore overflow_guard;  // the same of the strips and rows that are a lane's own

  void start(const Spec &sp) { overflow_guard = splat(sp.lowest); }
  void start_strip(const Spec &sp) { strip_guard = splat(sp.lowest); }
  void take(vscore h) { strip_guard = max(strip_guard, h); }
  void segment(vmask ends_here) {
    overflow_guard = select(ends_here, max(overflow_guard, strip_guard), overflow_guard);
  }
};

// A score, less all that the frame adds but the shear of the lane's rows, and its end.
struct EdgeAnswer {
  vwide score, row, column;
};

template <class Gap>
vwide last_row(const Kernel<Gap> &k) {
  return to_wide(k.stream_length) - splat_wide(1);
}
template <class Gap>
vwide last_column(const Kernel<Gap> &k) {
  return to_wide(k.register_length) - splat_wide(1);
}
// A score of the lane's last column without what the frame adds for the columns.
template <class Gap>
vwide without_columns(const Kernel<Gap> &k, vscore h) {
  return to_wide(h) - splat_wide(k.frame.origin) - to_wide(k.register_length) * splat_wide(column_shear(k));
}

// Where the answer may lie: a struct with these members. `last`: which of a strip's columns is the lane's last one,
// 1-based; 0 or k + 1 where it is none. Between segments it takes what lanes that end there have found.

// The lane's own last cell.
struct CornerCell {
  vscore score;

  void start(const Spec &sp) { score = splat(sp.lowest); }
  template <class Gap>
  void start_strip(const Kernel<Gap> &, int) {}
  bool special() const { return false; }
  template <class Gap>
  void row(const Kernel<Gap> &, vscore, int, const vscore *, OverflowGuard &) {}
  template <class Gap>
  void segment(const Kernel<Gap> &k, int, vscore last, vmask ends_here, const vscore *H) {
    for (int c = 0; c < k.sp.k; ++c) score = select(ends_here & equal(last, splat(c + 1)), H[c], score);
  }
  template <class Gap>
  EdgeAnswer answer(const Kernel<Gap> &k) const {
    EdgeAnswer found;
    found.score = without_columns(k, score);
    found.row = last_row(k);
    found.column = last_column(k);
    return found;
  }
};

// The rows of a lane's last column, where the stream's end is free: the first that reaches the best.
struct LastColumn {
  bool here;          // some lane's last column is one of the strip's
  vscore strip_best;  // in the current row's frame
  vwide strip_row;    // where that is
  vscore score;       // in the frame of the lane's last row and column
  vwide best_row;

  void start(const Spec &sp) {
    score = splat(sp.lowest);
    best_row = splat_wide(-1);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    here = column + k.sp.k >= k.a->register_min;
    strip_best = splat(k.sp.lowest);
    strip_row = splat_wide(0);  // the first row's score may be the lowest
  }
  bool special() const { return here; }
  template <class Gap>
  void row(const Kernel<Gap> &k, vscore last, int row, const vscore *H, OverflowGuard &guard) {
    vscore h = H[k.sp.k - 1];
    for (int c = 0; c < k.sp.k - 1; ++c) h = select(equal(last, splat(c + 1)), H[c], h);
    const vscore before = strip_best + splat(shear(k.v.stream_gap));
    if (wants_end(k.sp)) {
      const vmask better = greater(h, before);
      if (any(better)) strip_row = select(better, splat_wide(row), strip_row);
    }
    strip_best = choose(before, h);
    if (!by_strip(k.sp)) guard.take(strip_best);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, int, vscore last, vmask ends_here, const vscore *) {
    const vmask inside = ends_here & greater(last, splat(0)) & greater(splat(k.sp.k + 1), last);
    score = select(inside, strip_best, score);
    best_row = select(inside, strip_row, best_row);
  }
  template <class Gap>
  EdgeAnswer answer(const Kernel<Gap> &k) const {
    EdgeAnswer found;
    found.score = without_columns(k, score);
    found.row = best_row;
    found.column = last_column(k);
    return found;
  }
};

// The columns of a lane's last row, where the register side's end is free: the first in a strip, then the first strip.
struct LastRow {
  vwide score;
  vwide best_column;

  void start(const Spec &) {
    score = splat_wide(-2147483647);  // below every score, so that one is found
    best_column = splat_wide(-1);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &, int) {}
  bool special() const { return false; }
  template <class Gap>
  void row(const Kernel<Gap> &, vscore, int, const vscore *, OverflowGuard &) {}
  // In the frame of the strip's own border, so that its columns compare; with other strips less `border`.
  template <class Gap>
  void segment(const Kernel<Gap> &k, int column, vscore last, vmask ends_here, const vscore *H) {
    const vscore step = splat(column_shear(k));
    const vwide border = splat_wide(k.frame.origin + column * column_shear(k));
    vscore strip_best = splat(k.sp.lowest);
    vscore strip_column = splat(0);
    vscore shift = step;
    for (int c = 0; c < k.sp.k; ++c) {
      const vmask own = greater(last, splat(c));
      strip_column = select(own & greater(H[c] - shift, strip_best), splat(c), strip_column);
      strip_best = choose(strip_best, select(own, H[c] - shift, strip_best));
      shift = shift + step;
    }
    const vmask better = ends_here & greater(to_wide(strip_best) - border, score);
    best_column = select(better, to_wide(strip_column) + splat_wide(column), best_column);
    score = select(ends_here, max(score, to_wide(strip_best) - border), score);
  }
  template <class Gap>
  EdgeAnswer answer(const Kernel<Gap> &k) const {
    EdgeAnswer found;
    found.score = score;
    found.row = last_row(k);
    found.column = best_column;
    return found;
  }
};

// Either of them.
struct BothEdges {
  LastColumn in_column;
  LastRow in_row;

  void start(const Spec &sp) {
    in_column.start(sp);
    in_row.start(sp);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    in_column.start_strip(k, column);
  }
  bool special() const { return in_column.special(); }
  template <class Gap>
  void row(const Kernel<Gap> &k, vscore last, int row, const vscore *H, OverflowGuard &guard) {
    in_column.row(k, last, row, H, guard);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, int column, vscore last, vmask ends_here, const vscore *H) {
    in_column.segment(k, column, last, ends_here, H);
    in_row.segment(k, column, last, ends_here, H);
  }
  template <class Gap>
  EdgeAnswer answer(const Kernel<Gap> &k) const {
    const EdgeAnswer of_column = in_column.answer(k), of_row = in_row.answer(k);
    // The last row wins a tie by its smaller column; at the corner the last column has the smaller row.
    const vmask column_wins = greater(of_column.score, of_row.score);
    const vwide row = select(greater(of_column.column, of_row.column), of_row.row, of_column.row);
    EdgeAnswer found;
    found.score = max(of_column.score, of_row.score);
    found.row = select(column_wins, of_column.row, row);
    found.column = select(column_wins, of_column.column, of_row.column);
    return found;
  }
};

template <class Edge>
struct Edges {
  static constexpr bool replays = false;
  Edge edge;
  OverflowGuard guard;
  vscore last_column;  // `last` as above

  template <class Gap>
  void start(const Kernel<Gap> &k, Strip<Gap> &) {
    edge.start(k.sp);
    guard.start(k.sp);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    const vpos behind = k.register_length - splat_pos(column);
    last_column = to_score(min(max(behind, splat_pos(0)), splat_pos(k.sp.k + 1)));
    edge.start_strip(k, column);
    guard.start_strip(k.sp);
  }
  bool special() const { return edge.special(); }
  template <class Gap>
  void enter(const Kernel<Gap> &, const Strip<Gap> &, Rows, int, vscore &, vscore *) {}
  void cell(Rows, vscore) {}
  template <class Gap>
  void row(const Kernel<Gap> &k, Rows rows, int row, const vscore *H) {
    if (!by_strip(k.sp)) guard.take(H[k.sp.k - 1]);
    if (rows == Rows::special) edge.row(k, last_column, row, H, guard);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, int column, int end, const vscore *H) {
    const vmask ends_here = equal(k.stream_length, splat_pos(end));
    edge.segment(k, column, last_column, ends_here, H);
    guard.segment(ends_here);
  }
  template <class Gap>
  void end_strip(const Kernel<Gap> &, int, const Tile &, Strip<Gap> &) {}
  template <class Gap>
  void finish(const Kernel<Gap> &k) {
    const EdgeAnswer found = edge.answer(k);
    store_end(k.sp, k.a, 0, found.row, found.column);
    store_wide(k.a->score, 0, found.score - to_wide(k.stream_length) * splat_wide(shear(k.v.stream_gap)));
    store_mask(k.a->status, 0, greater(guard.overflow_guard, splat(k.frame.limit)));
  }
};
