// How pairs find the end of a local alignment without looking for it in every row.
//
// Of the scores of similar sequences some lane's best grows in most rows, so a branch for it is taken at random and
// costs more than it saves. Instead the strips compute scores alone; behind each strip, the lanes whose best grew in it
// remember it as theirs: its letters and the border that entered it. At the end one more strip runs with each lane's
// own letters and border, and there the best is looked for. An earlier strip keeps a tie, as its columns are smaller.
//
// Borders take three regions of scratch memory: one that enters the current strip, one that leaves it, and the one
// remembered. What leaves a strip overwrites what entered the one before it, so that is when lanes of the one before
// save theirs. Where lanes have bases (lane_base.h) it is saved as it was beside the bases of its own strip, whose
// slopes are kept until then.
#pragma once
#include "watch_best.h"

// `Seen`, `Placed`: BestCell and PlacedBestCell, or BasedBestCell and BasedPlace.
template <class Seen, class Placed>
struct Replayed {
  static constexpr bool replays = true;
  Seen seen;
  decltype(Seen::best) best_before;  // this strip
  vmask grew;                        // lanes whose best grew in the last strip
  bool any_grew;
  int remembered;                                 // first element of the third region
  vchar letters[(MAX_K + 1) * MAX_LETTER_BYTES];  // of the lanes' own strips
  vwide first;                                    // columns at which these begin
  Placed placed;                                  // in them
  // Where lanes have bases: the slope of the strip before, in this chunk, and the element of the next chunk's.
  vscore slope_before;
  int next_slope;

  template <class Gap>
  void start(const Kernel<Gap> &k, Strip<Gap> &s) {
    seen.start(k.sp);
    grew = no_lanes();
    s.leaving = row_elements(k.sp) * k.a->stream_max;
    remembered = 2 * row_elements(k.sp) * k.a->stream_max;
    const int pad = has_sets(k.sp) ? 0 : ALN_CODE_TARGET_PAD;
    for (int i = 0; i < letters_of_tile(k.sp); ++i) letters[i] = splat_letter(pad);
    first = splat_wide(-1);
    placed.start(k.sp);
  }
  template <class Gap>
  void start_strip(const Kernel<Gap> &k, int) {
    any_grew = any(grew);
    best_before = seen.best;
    start_slopes(k);
  }
  template <class Gap>
  void start_slopes(const Kernel<Gap> &k) {
    slope_before = splat(0);
    if (lanes_rebase(k.sp)) next_slope = slopes_of(k);
  }
  template <class Gap>
  void leave_base(const Kernel<Gap> &k, const Strip<Gap> &s, int) {
    seen.leave_base(k, s);
  }
  // Behind that, when they have moved.
  template <class Gap>
  void enter_base(const Kernel<Gap> &k, const Strip<Gap> &s) {
    slope_before = load_score(k.a->scratch, next_slope);
    store_score(k.a->scratch, next_slope, s.slope);
    next_slope = next_slope + 1;
  }
  bool special() const { return any_grew; }

  // Element `i` of the border that entered the lane's own strip.
  template <class Gap>
  vscore own_border(const Kernel<Gap> &k, const Strip<Gap> &s, int i) const {
    vscore entered = load_score(k.a->scratch, s.leaving + i);
    if (lanes_rebase(k.sp)) entered = entered + slope_before;
    return select(grew, entered, load_score(k.a->scratch, remembered + i));
  }
  template <class Gap>
  void enter(const Kernel<Gap> &k, const Strip<Gap> &s, Rows rows, int row, vscore &left, vscore *e) {
    const int element = row_elements(k.sp) * row;
    if (rows == Rows::special)
      for (int i = 0; i < row_elements(k.sp); ++i)
        store_score(k.a->scratch, remembered + element + i, own_border(k, s, element + i));
    if (rows == Rows::replayed) {
      left = own_border(k, s, element);
      for (int n = 0; n < Gap::states; ++n) e[n] = own_border(k, s, element + 1 + n);
    }
  }
  void cell(Rows rows, vscore h) {
    if (rows != Rows::replayed) seen.cell(h);
  }
  template <class Gap>
  void row(const Kernel<Gap> &k, Rows rows, int row, const vscore *H) {
    if (rows == Rows::replayed) placed.row(k.sp, row, H);
  }
  template <class Gap>
  void segment(const Kernel<Gap> &, const Strip<Gap> &, int, const vscore *) {}
  // The lanes that grew remember the strip, and the regions change places.
  template <class Gap>
  void end_strip(const Kernel<Gap> &k, int column, const Tile &tile, Strip<Gap> &s) {
    seen.leave_base(k, s);
    grew = greater(seen.best, best_before);
    first = select(grew, splat_wide(column), first);
    for (int i = 0; i < letters_of_tile(k.sp); ++i) letters[i] = select(grew, tile.letters[i], letters[i]);
    const int entering = s.entering;
    s.entering = s.leaving;
    s.leaving = entering;
  }
  // Before the rows of the lanes' own strips, which find the best again.
  template <class Gap>
  void start_replay(const Kernel<Gap> &k, Tile &tile) {
    for (int i = 0; i < letters_of_tile(k.sp); ++i) tile.letters[i] = letters[i];
    placed.start_replay(k.sp, seen.best);
    start_slopes(k);
  }
  template <class Gap>
  void finish(const Kernel<Gap> &k) {
    placed.best = seen.best;  // a lane whose best never grew has replayed whatever lay in memory
    placed.column = first + to_wide(placed.strip_column);
    placed.store(k, 0, splat_wide(0));
  }
};
using ReplayedCell = Replayed<BestCell, PlacedBestCell>;
using BasedReplayedCell = Replayed<BasedBestCell, BasedPlace>;
