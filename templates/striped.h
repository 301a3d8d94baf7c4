// Lane mapping `striped`: one alignment for all lanes of a vector, each lane a stripe of the query (Farrar 2007). A
// stage is a partition of the query of up to lanes * k letters (CUDASW++ 2.0): its lanes hold L letters each, L as
// small as will do and k at most, so that vector c of a row has letters c, L + c, 2 * L + c, ... of the partition.
// Scores of letters come from a profile, a vector's with one load.
//
// A gap along the query leaves a stripe at its end and enters the next lane's. The first pass over a row's vectors lets
// none in; then what has left goes round until it raises nothing more in any lane, twice at most.
//   H(i,c) = max(H(i-1,c-1) + s, F(i,c), E(i,c));  F(i,c) = max(F(i-1,c) - extend, H(i-1,c) - open - extend)
//   E(i,c+1) = max(E(i,c) - extend, max(H(i-1,c-1) + s, F(i,c)) - open - extend)
// F is opened when its row is run, from H of the row above as that was left in the end, so that what goes round changes
// H alone. E need not be opened from itself: to go on costs no more. For the same reason a gap that has come round may
// stop where it is no higher than what opening one takes from the H that it meets: all behind it was reached from
// there. That H is the one before the gap raises it; else gaps that open for nothing (linear ones) would stop at once.
//
// Stages hand on H and E of their last column, as strip_abi.h says; scores are kept as those of `lanes` are (frame.h),
// and all rows of a stage are run by all lanes together.
#pragma once
#include "border.h"
#include "striped_profile.h"
#include "striped_watch.h"
#include "strips.h"

// The least that a gap state along the query is kept as, with a letter more to come (frame.h).
template <class Gap>
vscore least_gap(const DeviceKernel<Gap> &k, int n) {
  if (floored(k.sp)) return splat(0);
  return splat(k.sp.lowest + steeper(k.v.register_gap, n));
}

// Kept H of the row above the matrix, behind `length` letters of the query, 1 and more.
template <class Gap>
vscore striped_border(const DeviceKernel<Gap> &k, vpos length) {
  const GapCosts<int, Gap::lines> &gap = k.v.register_gap;
  const vpos origin = splat_pos(k.f.cell.origin);
  if (floored(k.sp)) return splat(0);
  if (register_begin_free(k.sp))
    return to_score(min(origin + length * splat_pos(shear(gap)), splat_pos(k.sp.highest - largest_step(k.v))));
  return to_score(origin - sheared_cost(gap, length));
}

template <class Gap>
Stripes make_stripes(const DeviceKernel<Gap> &k, const Group &g) {
  const int lanes = sharing_lanes(k.sp), letters = lanes * k.sp.k;
  Stripes s;
  s.column = block_index() * letters;
  const int rest = g.query_max - s.column;
  s.ends = rest <= letters;
  s.stripe = residual(1);
  while (s.stripe < k.sp.k && s.stripe * lanes < rest) s.stripe = s.stripe + 1;
  s.last = min(rest, letters) - 1;
  while (s.last >= s.stripe) s.last = s.last - s.stripe;
  s.first = splat_pos(s.column) + g.lane * splat_pos(s.stripe);
  s.holds = equal(s.first + splat_pos(s.last), g.query_length - splat_pos(1));
  return s;
}

// The row above the stage.
template <class Gap>
void store_row_above(const DeviceKernel<Gap> &k, const Stripes &s) {
  for (int c = residual(0); c < s.stripe; ++c) {
    const vscore h = striped_border(k, s.first + splat_pos(c + 1));
    store_score(k.a->scratch, striped_cell(k.sp, c), h);
    for (int n = 0; n < Gap::states; ++n)
      store_score(k.a->scratch, striped_cell(k.sp, c) + 1 + n, opened(k.sp, h, k.f.cell.stream_gap.open[n]));
  }
}

// What enters the stage from the left: H, and E by line.
template <class Gap>
struct Entering {
  int h;
  vscore e[Gap::slots];
};
template <class Gap>
Entering<Gap> entering(const DeviceKernel<Gap> &k, const Stripes &s, int row) {
  Entering<Gap> left;
  left.h = 0;
  if (s.column == 0)
    left.h = stream_border(k.sp, k.v, k.f.cell, row + 1);
  else
    left.h = load_int(k.a->border, strip_border_element(k.a, row, 0));
  for (int n = 0; n < Gap::slots; ++n) left.e[n] = opened(k.sp, splat(left.h), k.f.cell.register_gap.open[n]);
  if (Gap::states > 0 && s.column > 0) {
    for (int n = 0; n < Gap::states; ++n)
      left.e[n] = splat(load_int(k.a->border, strip_border_element(k.a, row, 1 + n)));
  }
  return left;
}

// E behind a cell whose H without E is `best`.
template <class Gap>
void next_gap(const DeviceKernel<Gap> &k, vscore best, vscore *e) {
  const FrameCosts<Gap> &cost = k.f.cell.register_gap;
  if (Gap::states == 0) e[0] = opened(k.sp, choose(best, e[0]), cost.open[0]);
  for (int n = 0; n < Gap::states; ++n)
    e[n] = choose_gap(k.sp, extended(k.sp, e[n], cost.extend[n]), opened(k.sp, best, cost.open[n]));
}

// The c-th cells of all stripes, before gaps go round.
template <class Gap, class Watch>
void striped_cells(const DeviceKernel<Gap> &k, int profile, int c, vscore &diagonal, vscore *e, Watch &watch) {
  const FrameCosts<Gap> &cost = k.f.cell.stream_gap;
  const int cell = striped_cell(k.sp, c);
  const vscore above = load_score(k.a->scratch, cell);
  vscore best = along_diagonal(k.sp, diagonal, load_score(k.a->scratch, profile + c));
  for (int n = 0; n < Gap::slots; ++n) {
    vscore f = opened(k.sp, above, cost.open[n]);
    if (Gap::states > 0) {
      f = choose_gap(k.sp, extended(k.sp, load_score(k.a->scratch, cell + 1 + n), cost.extend[n]), f);
      store_score(k.a->scratch, cell + 1 + n, f);
    }
    best = choose(best, f);
  }
  vscore h = best;
  for (int n = 0; n < Gap::slots; ++n) h = choose(h, e[n]);
  next_gap(k, best, e);
  store_score(k.a->scratch, cell, h);
  watch.cell(h);
  diagonal = above;
}

// Whether a gap that has come round has anything to say to cells whose H is `h`, or to those behind them.
template <class Gap>
bool matters(const DeviceKernel<Gap> &k, vscore h, const vscore *e) {
  vmask above[Gap::slots];
  for (int n = 0; n < Gap::slots; ++n) {
    vscore reached = h;
    if (Gap::states > 0) reached = opened(k.sp, h, splat(k.v.register_gap.open[n]));
    above[n] = greater(e[n], reached);
  }
  for (int n = 1; n < Gap::slots; ++n) above[0] = above[0] | above[n];
  return any(above[0]);
}

// A letter more of a gap that goes round; it stays where it can be kept however far that is.
template <class Gap>
void go_on(const DeviceKernel<Gap> &k, vscore *e) {
  for (int n = 0; n < Gap::slots; ++n) {
    const vscore cost = k.f.cell.register_gap.extend[n];
    if (floored(k.sp))
      e[n] = sub_floor0(e[n], cost);
    else if (n < Gap::lines - 1)
      e[n] = max(e[n] - cost, least_gap(k, n));
  }
}

// To the next lane.
template <class Gap>
void go_round(const DeviceKernel<Gap> &k, vscore *e) {
  for (int n = 0; n < Gap::slots; ++n) e[n] = shift_up(e[n], least_gap(k, n), sharing_lanes(k.sp));
}

// What has left each lane, or any before it and gone through those between: the largest, in as many steps as the number
// of lanes has bits.
template <class Gap>
void gather_gaps(const DeviceKernel<Gap> &k, const Stripes &s, vscore *e) {
  const int most = 32;  // lanes of the widest vector are twice as many
  for (int n = 0; n < Gap::slots; ++n) {
    const int lane = frame_letter(k.sp, k.v.register_gap, n) * s.stripe;  // what going through one costs
    for (int d = 1; d <= most; d += d) {
      if (d < sharing_lanes(k.sp)) {
        vscore before = shift_up_by(e[n], least_gap(k, n), d);
        if (floored(k.sp)) {
          before = sub_floor0(before, splat(min(d * lane, k.sp.highest)));
        } else if (n < Gap::lines - 1) {
          // As in go_on(): no lower than the least, so never beyond the range.
          const int least = k.sp.lowest + steeper(k.v.register_gap, n), cost = min(d * lane, k.sp.highest - least);
          before = max(before, splat(least + cost)) - splat(cost);
        }
        e[n] = max(e[n], before);
      }
    }
  }
}

// Lets gaps round until they matter no more: first those of the lane before, then, where one of these has gone through
// a whole stripe, those of all. `right`: what leaves the stage takes the largest of what leaves the last lane.
template <class Gap>
void let_round(const DeviceKernel<Gap> &k, const Stripes &s, vscore *e, vscore *right) {
  go_round(k, e);
  int c = residual(0), rounds = residual(0);
  vscore h = load_score(k.a->scratch, striped_cell(k.sp, 0));
  bool on = matters(k, h, e);
  while (on) {
    for (int n = 0; n < Gap::slots; ++n) h = choose(h, e[n]);
    store_score(k.a->scratch, striped_cell(k.sp, c), h);
    go_on(k, e);
    c = c + 1;
    if (c == s.stripe) {
      gather_gaps(k, s, e);
      for (int n = 0; n < Gap::slots; ++n) right[n] = max(right[n], e[n]);
      go_round(k, e);
      c = 0;
      rounds = rounds + 1;
    }
    h = load_score(k.a->scratch, striped_cell(k.sp, c));
    on = matters(k, h, e);
    if (rounds == 2) on = false;
  }
}

// H and E of the stage's last column. The last stage has none behind it.
template <class Gap>
void hand_on(const DeviceKernel<Gap> &k, const Stripes &s, int row, const vscore *right) {
  const int last = sharing_lanes(k.sp) - 1;
  store_int(k.a->border_right, strip_border_element(k.a, row, 0),
            score_of_lane(k.a->scratch, striped_cell(k.sp, s.stripe - 1), last));
  for (int n = 0; n < Gap::states; ++n) {
    store_score(k.a->scratch, striped_right(k.sp) + n, right[n]);
    store_int(k.a->border_right, strip_border_element(k.a, row, 1 + n),
              score_of_lane(k.a->scratch, striped_right(k.sp) + n, last));
  }
}

// `before`: H left of the stage, one row up.
template <class Gap, class Watch>
void striped_row(const DeviceKernel<Gap> &k, const Stripes &s, int row, int &before, Watch &watch) {
  const int lanes = sharing_lanes(k.sp);
  const int profile = striped_profile_row(k.sp, load_letter(k.a->target_letters, row)) * k.sp.k;
  const Entering<Gap> left = entering(k, s, row);
  vscore diagonal = shift_up(load_score(k.a->scratch, striped_cell(k.sp, s.stripe - 1)), splat(before), lanes);
  before = left.h;
  vscore e[Gap::slots], right[Gap::slots];
  for (int n = 0; n < Gap::slots; ++n) e[n] = shift_up(least_gap(k, n), left.e[n], lanes);
  watch.start_row();
  for (int c = residual(0); c < s.stripe; ++c) {
    hot_row();
    striped_cells(k, profile, c, diagonal, e, watch);
  }
  for (int n = 0; n < Gap::slots; ++n) right[n] = e[n];
  let_round(k, s, e, right);
  watch.row(k, s, row);
  if (!s.ends) hand_on(k, s, row, right);
}

template <class Gap, class Watch>
int striped(const Spec &sp, const GroupArgs *a) {
  const DeviceKernel<Gap> k = make_device_kernel<Gap>(sp, a);
  const Group g = make_strip_group(sp, a);
  const Stripes s = make_stripes(k, g);
  store_striped_profile(k, s.first, g.query_length, s.stripe);
  store_row_above(k, s);
  int before = k.f.cell.origin;
  if (s.column > 0) before = register_border(sp, k.v, k.f.cell, s.column);
  Watch watch;
  watch.start(sp);
  int row = residual(0);
  while (row < g.target_max) {
    const int end = min(row + chunk_rows(sp), g.target_max);
    await_rows(end);
    for (; row < end; ++row) striped_row(k, s, row, before, watch);
    if (watch.lost(k, g)) row = g.target_max;
    publish_rows(row);
  }
  Answer answer = no_answer(Watch::nothing);
  watch.finish(k, g, s, answer);
  merge_lanes(sp, answer);
  const OwnResults own = own_results(g);
  own.store(a->score, answer.score);
  store_ends(sp, a, own, answer.column, answer.row);
  store_mask_at(a->status, g.alignment, g.stored, watch.exceeded(k, answer));
  return 0;
}
