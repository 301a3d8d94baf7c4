// How far the best alignments of a pair reach: the last row, and the strip of the last column, in which some cell has
// the best score. Every best local alignment ends within that extent, and run over both sequences reversed it says
// where the first of them begins, so that the way back needs no more of the matrix than lies between.
//
// A tie counts, unlike in PlacedBestCell. Columns are told by strips, which is all that a strip has to remember; what
// lies up to k - 1 columns further is more than need be, and never less.
#pragma once
#include "watch_best.h"

struct Extent {
  vscore best;
  vscore threshold;  // what exceeds it reaches the best, and is no 0
  vwide last_row, last_strip;
  vmask here;  // lanes that have the best in this strip

  void start(const Spec &) {
    best = splat(0);
    threshold = splat(0);
    last_row = splat_wide(-1);
    last_strip = splat_wide(-1);
    here = no_lanes();
  }
  void start_strip() {
    here = no_lanes();
    threshold = max(best - splat(1), splat(0));  // a lane that begins a target has forgotten its best
  }
  void end_strip(int first) { last_strip = select(here, splat_wide(first), last_strip); }
  void cell(vscore) {}
  void row(const Spec &sp, int row, const vscore *H) {
    const vscore top = top_of(sp, H);
    const vmask close = greater(top, threshold);
    if (any(close)) {
      const vmask grown = greater(top, best);
      last_row = select(close, select(grown, splat_wide(row), max(last_row, splat_wide(row))), last_row);
      here = here | close;
      best = max(best, top);
      threshold = max(best - splat(1), splat(0));
    }
  }
  template <class Gap>
  void store(const Kernel<Gap> &k, int index, vwide first) const {
    store_wide(k.a->score, index, to_wide(best));
    store_mask(k.a->status, index, greater(best, splat(k.frame.limit)));
    const vmask aligned = greater(best, splat(0));
    store_ends(k.sp, k.a, LaneResults{index}, select(aligned, last_row, splat_wide(-1)),
               select(aligned, last_strip - first + splat_wide(k.sp.k - 1), splat_wide(-1)));
  }
};
