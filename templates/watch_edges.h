// Watches of alignments without a floor: the answer lies on an edge of the matrix, or in its corner.
//
// `last` below: which of a strip's columns is the lane's last one, 1-based; 0 or k + 1 where it is none.
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
vwide without_columns(const Kernel<Gap> &k, vwide h) {
  return h - splat_wide(k.frame.origin) - to_wide(k.register_length) * splat_wide(column_shear(k));
}
// A kept score with the lane's base.
template <class Gap>
vwide total_of(const Kernel<Gap> &k, const Strip<Gap> &s, vscore h) {
  return lanes_rebase(k.sp) ? to_wide(h) + s.base : to_wide(h);
}
// Whether some lane's last column is one of the strip's, or of those before it; which lanes'; and H there.
template <class Gap>
bool has_last_columns(const Kernel<Gap> &k, int column) {
  return column + k.sp.k >= k.a->register_min;
}
inline vmask has_last_column(const Spec &sp, vscore last) {
  return greater(last, splat(0)) & greater(splat(sp.k + 1), last);
}
// By halves, so that few masks are kept from row to row. Lanes without a last column get any other.
inline vscore in_last_column(const Spec &sp, vscore last, const vscore *H) {
  vscore left[MAX_K];
  int columns = sp.k, half = 1;
  for (int c = 0; c < sp.k; ++c) left[c] = H[c];
  while (2 * half < columns) half = 2 * half;
  for (; columns > 1; half = half / 2) {
    const vmask behind = greater(last, splat(half));
    for (int c = 0; c + half < columns; ++c) left[c] = select(behind, left[c + half], left[c]);
    last = select(behind, last - splat(half), last);
    columns = half;
  }
  return left[0];
}

// Where the answer may lie: a struct with these members. Between segments it takes what lanes that end there have
// found.

// The lane's own last cell.
struct CornerCell {
  bool here;
  vwide score;

  void start(const Spec &sp) { score = splat_wide(sp.lowest); }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    here = has_last_columns(k, column);
  }
  bool special() const { return false; }
  template <class Gap>
  void row(const Kernel<Gap> &, vscore, int, const vscore *, OverflowGuard &) {}
  template <class Gap>
  void leave_base(const Kernel<Gap> &, const Strip<Gap> &, int) {}
  template <class Gap>
  void segment(const Kernel<Gap> &k, const Strip<Gap> &s, int, vscore last, vmask ends_here, const vscore *H) {
    if (here) {
      const vmask inside = ends_here & has_last_column(k.sp, last);
      score = select(inside, total_of(k, s, in_last_column(k.sp, last, H)), score);
    }
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
  bool here;
  vscore recent_best;           // of the strip since bases moved, in the current row's frame
  vwide recent_row;             // where that is
  vwide strip_best, strip_row;  // before, in the frame of row -1
  vwide score;                  // in the frame of the lane's last row and column
  vwide best_row;

  void start(const Spec &sp) {
    score = splat_wide(sp.lowest);
    best_row = splat_wide(-1);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    here = has_last_columns(k, column);
    start_rows(k, 0);
    if (lanes_rebase(k.sp)) {
      strip_best = splat_wide(-2147483647);  // below every score
      strip_row = splat_wide(0);
    }
  }
  template <class Gap>
  void start_rows(const Kernel<Gap> &k, int row) {
    recent_best = splat(k.sp.lowest);
    recent_row = splat_wide(row);  // the first row's score may be the lowest
  }
  bool special() const { return here; }
  // Up to `row`, which has not run.
  template <class Gap>
  void take_recent(const Kernel<Gap> &k, const Strip<Gap> &s, int row) {
    const vwide recent = total_of(k, s, recent_best) - splat_wide(row * shear(k.v.stream_gap));
    strip_row = select(greater(recent, strip_best), recent_row, strip_row);
    strip_best = max(recent, strip_best);
  }
  template <class Gap>
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s, int row) {
    if (here) take_recent(k, s, row);
    start_rows(k, row);
  }
  template <class Gap>
  void row(const Kernel<Gap> &k, vscore last, int row, const vscore *H, OverflowGuard &guard) {
    const vscore h = in_last_column(k.sp, last, H);
    const vscore before = recent_best + splat(shear(k.v.stream_gap));
    if (wants_end(k.sp)) {
      const vmask better = greater(h, before);
      if (any(better)) recent_row = select(better, splat_wide(row), recent_row);
    }
    recent_best = choose(before, h);
    if (!never_overflows(k.sp)) guard.take(recent_best);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, const Strip<Gap> &s, int end, vscore last, vmask ends_here, const vscore *) {
    if (here) {
      const vmask inside = ends_here & has_last_column(k.sp, last);
      if (lanes_rebase(k.sp)) {
        take_recent(k, s, end);
        score = select(inside, strip_best + splat_wide(end * shear(k.v.stream_gap)), score);
        best_row = select(inside, strip_row, best_row);
      } else {
        score = select(inside, to_wide(recent_best), score);
        best_row = select(inside, recent_row, best_row);
      }
    }
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
  template <class Gap>
  void leave_base(const Kernel<Gap> &, const Strip<Gap> &, int) {}
  // In the frame of the strip's own border, so that its columns compare; with other strips less `border`.
  template <class Gap>
  void segment(const Kernel<Gap> &k, const Strip<Gap> &s, int, vscore last, vmask ends_here, const vscore *H) {
    const vscore step = splat(column_shear(k));
    const vwide border = splat_wide(k.frame.origin + s.column * column_shear(k));
    vscore strip_best = splat(k.sp.lowest);
    vscore strip_column = splat(0);
    vscore shift = step;
    for (int c = 0; c < k.sp.k; ++c) {
      const vmask own = greater(last, splat(c));
      strip_column = select(own & greater(H[c] - shift, strip_best), splat(c), strip_column);
      strip_best = choose(strip_best, select(own, H[c] - shift, strip_best));
      shift = shift + step;
    }
    const vwide total = total_of(k, s, strip_best) - border;
    const vmask better = ends_here & greater(last, splat(0)) & greater(total, score);
    best_column = select(better, to_wide(strip_column) + splat_wide(s.column), best_column);
    score = select(better, total, score);
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
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s, int row) {
    in_column.leave_base(k, s, row);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, const Strip<Gap> &s, int end, vscore last, vmask ends_here, const vscore *H) {
    in_column.segment(k, s, end, last, ends_here, H);
    in_row.segment(k, s, end, last, ends_here, H);
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
  vscore last_column;  // `last`

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
    if (!never_overflows(k.sp)) guard.take(H[k.sp.k - 1]);
    if (rows == Rows::special) edge.row(k, last_column, row, H, guard);
  }
  template <class Gap>
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s, int row) {
    edge.leave_base(k, s, row);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &k, const Strip<Gap> &s, int end, const vscore *H) {
    const vmask ends_here = equal(k.stream_length, splat_pos(end));
    edge.segment(k, s, end, last_column, ends_here, H);
    guard.segment(ends_here);
  }
  template <class Gap>
  void end_strip(const Kernel<Gap> &, int, const Tile &, Strip<Gap> &) {}
  template <class Gap>
  void finish(const Kernel<Gap> &k) {
    const EdgeAnswer found = edge.answer(k);
    store_ends(k.sp, k.a, LaneResults{0}, found.row, found.column);
    store_wide(k.a->score, 0, found.score - to_wide(k.stream_length) * splat_wide(shear(k.v.stream_gap)));
    store_mask(k.a->status, 0, greater(guard.overflow_guard, splat(k.frame.limit)));
  }
};
