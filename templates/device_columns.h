// Columns of the target that differ, and borders and cells that do not exist, on devices (columns.h has those of
// mapping `lanes` of CPUs).
//
// Scores are kept as device_frame.h says, base 0: at a flagged column a letter of a gap takes what it costs there, less
// the shear. What such a letter costs is known in its own row, so that the stream side's gap states are handed on
// without it. What does not exist is kept as outside() (band.h): exactness.h has proven that nothing which comes of it
// reaches a score that counts.
#pragma once
#include "band.h"

// What a letter of a gap along the stream side takes in the lane's row.
template <class Gap>
FrameCosts<Gap> costs_of_row(const DeviceKernel<Gap> &k, const vchar *letter) {
  FrameCosts<Gap> costs = k.f.cell.stream_gap;
  if (!has_flag_cost(k.sp)) return costs;
  const int kept = k.sp.flag_cost - (floored(k.sp) ? 0 : shear(k.f.stream_gap));
  const vmask flag = flagged(k.sp, letter);
  for (int n = 0; n < Gap::lines; ++n) {
    costs.open[n] = select(flag, splat(kept), costs.open[n]);
    costs.extend[n] = select(flag, splat(kept), costs.extend[n]);
  }
  return costs;
}

// What leads to a cell from the one above, at these costs: the gap states; where there are none, H itself, of which a
// cell of local alignments takes off the letter. Where costs are alike in all rows cells do it themselves.
template <class Gap>
void enter_row(const Spec &sp, const FrameCosts<Gap> &costs, vscore &above, vscore *f) {
  if (!has_flag_cost(sp)) return;
  for (int n = 0; n < Gap::states; ++n)
    f[n] = choose_gap(sp, extended(sp, f[n], costs.extend[n]), opened(sp, above, costs.open[n]));
  if (Gap::states == 0 && !floored(sp)) above = above - costs.open[0];
}

// The gap states that a cell hands on to the one below: where costs are its own row's, as it was entered by.
template <class Gap>
void hand_down(const Spec &sp, const vscore *entered, vscore *below) {
  if (!has_flag_cost(sp)) return;
  for (int n = 0; n < Gap::states; ++n) below[n] = entered[n];
}

// Whether the alignment's cells exist where the target is ahead of the query by so many letters; borders count as 0.
inline vmask in_own_band(const Group &g, vpos ahead) {
  return greater(ahead, g.band_from - splat_pos(1)) & greater(g.band_to + splat_pos(1), ahead);
}

// Whether a chunk of a stage, from step t on, may have cells that do not exist, its left border among them.
template <class Gap>
bool leaves_own_band(const DeviceKernel<Gap> &k, const Group &g, int column, int t) {
  const int last_lane = t - k.sp.p + 1 - (column + k.sp.p * k.sp.k - 1);
  return last_lane < g.band_from_most || t + chunk_rows(k.sp) - column > g.band_to_least;
}

// H of the row above a stage behind `length` letters of the register side, 0 and more.
template <class Gap>
vscore top_that_exists(const DeviceKernel<Gap> &k, const Group &g, vpos length, vscore h) {
  vmask exists = all_lanes();
  if (register_begin_forbidden(k.sp)) exists = equal(length, splat_pos(0));
  if (k.sp.band == Band::of_alignment) {
    exists = exists & in_own_band(g, splat_pos(0) - length);
    if (!register_begin_free(k.sp)) exists = exists & in_own_band(g, splat_pos(0));  // its gap begins at the corner
  }
  return select(exists, h, splat(outside(k.sp)));
}

// H and the gap states of the border left of the matrix, at `row`.
template <class Gap>
void left_that_exists(const DeviceKernel<Gap> &k, const Group &g, vpos row, vwide &h, vwide *e) {
  vmask exists = all_lanes();
  if (stream_begin_forbidden(k.sp)) exists = no_lanes();
  if (k.sp.band == Band::of_alignment) {
    exists = exists & in_own_band(g, row + splat_pos(1));
    if (!stream_begin_free(k.sp)) exists = exists & in_own_band(g, splat_pos(0));
  }
  const vwide nothing = splat_wide(outside(k.sp));
  h = select(exists, h, nothing);
  for (int n = 0; n < Gap::states; ++n) e[n] = select(exists, e[n], nothing);
}
