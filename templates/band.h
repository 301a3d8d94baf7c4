// A band of the matrix (mapping `strips`, where the spec has `band: {width}`): cells outside of it do not exist, and no
// path goes through them.
//
// A cell is inside where its row, of the target, is ahead of its column by band_from to band_to (strip_abi.h). What
// lies outside is kept as `outside()`, which nothing inside comes from: of alignments with a floor 0, which is what a
// cell has that nothing leads to; else the lowest score, exactness.h having proven all inside to be above. H and the
// gap states of a cell outside are put back to it, so that it does not grow. A window's rows are all that the stage's
// columns have inside, so that the row above a window that does not begin at the matrix's first is outside, and so are
// the rows behind those that the stage before has left.
#pragma once
#include "device_stage.h"

// Kept score of what is outside; base is 0.
inline int outside(const Spec &sp) { return floored(sp) ? 0 : sp.lowest; }

// Whether cells exist whose row, of the call's, is ahead of their column by so many; column -1 is the left border.
template <class Gap>
vmask in_band(const DeviceKernel<Gap> &k, vpos ahead) {
  return greater(ahead, splat_pos(k.a->band_from - 1)) & greater(splat_pos(k.a->band_to + 1), ahead);
}

// Whether a chunk of a stage, from step t on, has cells outside.
template <class Gap>
bool leaves_band(const DeviceKernel<Gap> &k, int column, int t) {
  const int lanes = sharing_lanes(k.sp), last_lane = t - k.sp.skew * (lanes - 1) - (column + lanes * k.sp.k - 1);
  return last_lane < k.a->band_from || t + chunk_rows(k.sp) - 1 - column > k.a->band_to;
}

// Leaves of a cell what it has, or puts it outside.
template <class Gap>
void keep_inside(const DeviceKernel<Gap> &k, vmask inside, vscore &h, vscore *e, vscore *below) {
  const vscore nothing = splat(outside(k.sp));
  h = select(inside, h, nothing);
  for (int n = 0; n < Gap::states; ++n) {
    e[n] = select(inside, e[n], nothing);
    below[n] = select(inside, below[n], nothing);
  }
}

// The row above the stage, behind `length` letters of the register side.
template <class Gap>
vscore top_in_band(const DeviceKernel<Gap> &k, vpos length, vscore h) {
  // The matrix's own, or that of a window further down.
  const vmask inside = in_band(k, splat_pos(0) - length) & greater(splat_pos(1), splat_pos(k.a->first_row));
  return select(inside, h, splat(outside(k.sp)));
}

// What is left of a stage at `row`: `known`, those of its rows that there are.
template <class Gap>
void left_in_band(const DeviceKernel<Gap> &k, vmask known, vwide &h, vwide *e) {
  const vwide nothing = splat_wide(outside(k.sp));
  h = select(known, h, nothing);
  for (int n = 0; n < Gap::states; ++n) e[n] = select(known, e[n], nothing);
}
