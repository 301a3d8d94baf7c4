// The best of all cells, where there is a floor of 0; and the watch of kernels that want its score alone.
#pragma once
#include "ends.h"
#include "strip.h"

// The largest of a row's H, and the first column that has it, from 0.
inline vscore top_of(const Spec &sp, const vscore *H) {
  vscore top = H[0];
  for (int c = 1; c < sp.k; ++c) top = max(top, H[c]);
  return top;
}
inline vscore first_column_of(const Spec &sp, const vscore *H, vscore top) {
  vscore at = splat(sp.k - 1);
  for (int c = sp.k - 2; c >= 0; --c) at = select(equal(H[c], top), splat(c), at);
  return at;
}

struct BestCell {
  vscore best;

  void start(const Spec &) { best = splat(0); }
  void start_strip() {}
  void end_strip(int) {}
  void cell(vscore h) { best = choose(best, h); }
  template <class Gap>
  void leave_base(const Kernel<Gap> &, const Strip<Gap> &) {}
  void row(const Spec &, int, const vscore *) {}
  // Hands out what was found of an alignment whose register side begins at column `first`.
  template <class Gap>
  void store(const Kernel<Gap> &k, int index, vwide) const {
    store_wide(k.a->score, index, to_wide(best));
    store_mask(k.a->status, index, greater(best, splat(k.frame.limit)));
  }
};

// With its place. A row is looked at closely only where its maximum exceeds `threshold` in some lane; all else that a
// row pays for is that maximum, which a kernel of scores alone computes too. Positions among pads never win: a pad does
// not gain, so what it holds was reached before by a cell with no larger column and row.
struct PlacedBestCell {
  vscore best;
  vwide row_of_best;
  vscore strip_column;  // in this strip, from 0; -1 where an earlier strip reached the best
  vscore threshold;     // maxima up to here neither beat the best nor win a tie
  vwide column;         // in the strips so far

  void start(const Spec &) {
    best = splat(0);
    row_of_best = splat_wide(-1);
    column = splat_wide(-1);
  }
  void start_strip() {
    strip_column = splat(-1);
    threshold = best;
  }
  // A strip runs once more, to find the best that is known.
  void start_replay(const Spec &, vscore known) {
    best = known - splat(1);
    start_strip();
  }
  void enter_base(const Spec &, vwide) {}
  void end_strip(int first) {
    column = select(greater(strip_column, splat(-1)), to_wide(strip_column) + splat_wide(first), column);
  }
  void cell(vscore) {}
  void row(const Spec &sp, int row, const vscore *H) {
    const vscore top = top_of(sp, H);
    const vmask close = greater(top, threshold);
    if (any(close)) {
      const vscore at = first_column_of(sp, H, top);
      const vmask won = close & (greater(top, best) | greater(strip_column, at));
      strip_column = select(won, at, strip_column);
      row_of_best = select(won, splat_wide(row), row_of_best);
      best = max(best, top);
      // A tie can still win where the best lies in this strip and not in its first column.
      threshold = select(greater(strip_column, splat(0)), best - splat(1), best);
    }
  }
  template <class Gap>
  void store(const Kernel<Gap> &k, int index, vwide first) const {
    store_wide(k.a->score, index, to_wide(best));
    store_mask(k.a->status, index, greater(best, splat(k.frame.limit)));
    const vmask aligned = greater(best, splat(0));
    store_ends(k.sp, k.a, LaneResults{index}, select(aligned, row_of_best, splat_wide(-1)),
               select(aligned, column - first, splat_wide(-1)));
  }
};

// The best of all cells where each lane has a base of its own (lane_base.h): of the rows since it moved, and of all.
struct BasedBestCell {
  vscore recent;
  vwide best;

  void start(const Spec &sp) {
    recent = splat(sp.lowest);
    best = splat_wide(0);
  }
  void cell(vscore h) { recent = choose(recent, h); }
  template <class Gap>
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s) {
    best = max(best, to_wide(recent) + s.base);
    recent = splat(k.sp.lowest);
  }
  template <class Gap>
  void store(const Kernel<Gap> &k, int index, vwide) const {
    store_wide(k.a->score, index, best);
    store_mask(k.a->status, index, no_lanes());
  }
};

// Its place, once it is known, in a strip of each lane's own.
struct BasedPlace {
  vwide best;
  vscore threshold;  // scores that exceed it are the best
  vwide row_of_best;
  vscore strip_column;  // from 0; k where it is not found
  vwide column;

  void start(const Spec &) {
    row_of_best = splat_wide(-1);
    column = splat_wide(-1);
  }
  void start_replay(const Spec &sp, vwide known) {
    best = known;
    strip_column = splat(sp.k);
  }
  void enter_base(const Spec &sp, vwide base) {
    const vwide below = best - base - splat_wide(1);
    const vwide beyond = max(below - splat_wide(sp.highest), splat_wide(0));
    threshold = to_score(max(below - beyond, splat_wide(sp.lowest)));
  }
  void row(const Spec &sp, int row, const vscore *H) {
    const vscore top = top_of(sp, H);
    const vmask close = greater(top, threshold);
    if (any(close)) {
      const vscore at = first_column_of(sp, H, top);
      const vmask won = close & greater(strip_column, at);
      strip_column = select(won, at, strip_column);
      row_of_best = select(won, splat_wide(row), row_of_best);
    }
  }
  template <class Gap>
  void store(const Kernel<Gap> &k, int index, vwide first) const {
    store_wide(k.a->score, index, best);
    store_mask(k.a->status, index, no_lanes());
    const vmask aligned = greater(best, splat_wide(0));
    store_ends(k.sp, k.a, LaneResults{index}, select(aligned, row_of_best, splat_wide(-1)),
               select(aligned, column - first, splat_wide(-1)));
  }
};

// `Seen`: BestCell or BasedBestCell.
template <class Seen>
struct Best {
  static constexpr bool replays = false;
  Seen seen;

  template <class Gap>
  void start(const Kernel<Gap> &k, Strip<Gap> &) {
    seen.start(k.sp);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &, int) {}
  bool special() const { return false; }
  template <class Gap>
  void enter(const Kernel<Gap> &, const Strip<Gap> &, Rows, int, vscore &, vscore *) {}
  void cell(Rows, vscore h) { seen.cell(h); }
  template <class Gap>
  void row(const Kernel<Gap> &, Rows, int, const vscore *) {}
  template <class Gap>
  void segment(const Kernel<Gap> &, const Strip<Gap> &, int, const vscore *) {}
  template <class Gap>
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s, int) {
    seen.leave_base(k, s);
  }
  template <class Gap>
  void end_strip(const Kernel<Gap> &k, int, const Tile &, Strip<Gap> &s) {
    seen.leave_base(k, s);
  }
  template <class Gap>
  void finish(const Kernel<Gap> &k) {
    seen.store(k, 0, splat_wide(0));
  }
};
