// The best of each of several alignments that a lane holds one behind another.
//
// A search of one query against many targets of unequal lengths refills its lanes (Rognes 2011): where a target ends,
// the lane's next one begins with the next strip, so that short targets do not wait for long ones. What the lanes have
// found is handed out before such a strip, a row of the results each time; those that begin a target forget it.
#pragma once
#include "watch_best.h"

// `Seen`: BestCell, PlacedBestCell or Extent.
template <class Seen>
struct Refilled {
  static constexpr bool replays = false;
  Seen seen;
  int refills;  // done so far
  bool fresh;   // some lanes begin a target with this strip: left of it there is nothing
  vmask fresh_lanes;
  vwide first;  // column at which the lane's target begins

  template <class Gap>
  void start(const Kernel<Gap> &k, Strip<Gap> &) {
    seen.start(k.sp);
    refills = residual(0);
    first = splat_wide(0);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int column) {
    fresh = load_int(k.a->refill_column, refills) == column;
    fresh_lanes = no_lanes();
    if (fresh) {
      fresh_lanes = load_mask(k.a->refill_lanes, refills);
      seen.store(k, refills, first);
      first = select(fresh_lanes, splat_wide(column), first);
      seen.best = select(fresh_lanes, splat(0), seen.best);
      refills = refills + 1;
    }
    seen.start_strip();
  }
  bool special() const { return fresh; }
  template <class Gap>
  void enter(const Kernel<Gap> &, const Strip<Gap> &, Rows rows, int, vscore &left, vscore *e) {
    if (rows != Rows::special) return;
    left = select(fresh_lanes, splat(0), left);
    for (int n = 0; n < Gap::states; ++n) e[n] = select(fresh_lanes, splat(0), e[n]);
  }
  void cell(Rows, vscore h) { seen.cell(h); }
  template <class Gap>
  void row(const Kernel<Gap> &k, Rows, int row, const vscore *H) {
    seen.row(k.sp, row, H);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &, const Strip<Gap> &, int, const vscore *) {}
  template <class Gap>
  void leave_base(const Kernel<Gap> &, const Strip<Gap> &, int) {}
  template <class Gap>
  void end_strip(const Kernel<Gap> &, int column, const Tile &, Strip<Gap> &) {
    seen.end_strip(column);
  }
  template <class Gap>
  void finish(const Kernel<Gap> &k) {
    seen.store(k, refills, first);
  }
};
