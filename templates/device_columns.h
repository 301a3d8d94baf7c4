// Columns of the target that differ, on devices (columns.h has those of mapping `lanes` of CPUs).
//
// Scores are kept as device_frame.h says, base 0: at a flagged column a letter of a gap takes what it costs there, less
// the shear. What such a letter costs is known in its own row, so that the stream side's gap states are handed on
// without it.
#pragma once
#include "device_stage.h"

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
