// Windows: a stage of mapping `strips` may run some of its rows alone (strip_abi.h). A window is a struct of static
// members:
//   entering  H and the gap states of the border left of a stage at `row`, `first` the first lane's, as the stage
//             before has left them; `there`: rows of the target
//   loaded    a total of that border as it is in memory, made one of the window's; `stored`: the other way
//   last_row  of an alignment's lanes those whose last row is the matrix's
//   answer    what a stage has found, made a score of the matrix
#pragma once
#include "band.h"

// All rows.
struct NoWindow {
  template <class Gap>
  static void entering(const DeviceKernel<Gap> &, int, vpos, vmask, vwide &, vwide *) {}
  static vwide loaded(const GroupArgs *, vwide total) { return total; }
  static vwide stored(const GroupArgs *, vwide total) { return total; }
  template <class Gap>
  static vmask last_row(const DeviceKernel<Gap> &, vmask here) {
    return here;
  }
  template <class Gap>
  static void answer(const DeviceKernel<Gap> &, int, Answer &) {}
};

// What the spec's band has in the stage's columns. Rows behind those that the stage before has left are outside.
struct BandWindow {
  template <class Gap>
  static void entering(const DeviceKernel<Gap> &k, int, vpos row, vmask there, vwide &h, vwide *e) {
    keep_inside(k, there & greater(splat_pos(k.a->known_rows), row), h, e);
  }
  static vwide loaded(const GroupArgs *, vwide total) { return total; }
  static vwide stored(const GroupArgs *, vwide total) { return total; }
  template <class Gap>
  static vmask last_row(const DeviceKernel<Gap> &k, vmask here) {
    return here & greater(splat_pos(1), splat_pos(k.a->rows_behind));
  }
  template <class Gap>
  static void answer(const DeviceKernel<Gap> &k, int nothing, Answer &answer) {
    if (floored(k.sp)) return;
    const vwide above = splat_wide(k.a->first_row * shear(k.f.stream_gap));
    answer.score = select(greater(answer.score, splat_wide(nothing)), answer.score - above, answer.score);
  }
};

// Of a global alignment any rows: those outside are worth a gap. Totals are relative to the corner above the window.
struct GapWindow {
  template <class Gap>
  static void entering(const DeviceKernel<Gap> &k, int first, vpos row, vmask, vwide &h, vwide *e) {
    if (first + sharing_lanes(k.sp) > k.a->known_rows) behind_known_rows(k, row, h, e);
  }
  // S behind the last known row of the border left of a window: a gap along the stream side.
  template <class Gap>
  static void behind_known_rows(const DeviceKernel<Gap> &k, vpos row, vwide &h, vwide *e) {
    const int known = k.a->known_rows;
    const int last = k.a->last_known - k.a->corner;
    const vpos length = max(row - splat_pos(known - 1), splat_pos(1));
    const vmask behind = greater(row, splat_pos(known - 1));
    const vwide there = splat_wide(last) - to_wide(sheared_cost(k.f.stream_gap, length));
    h = select(behind, there, h);
    for (int n = 0; n < Gap::states; ++n)
      e[n] = select(behind, there - splat_wide(k.f.register_gap.open[n] + steeper(k.f.register_gap, n)), e[n]);
  }
  static vwide loaded(const GroupArgs *a, vwide total) { return total - splat_wide(a->corner); }
  static vwide stored(const GroupArgs *a, vwide total) { return total + splat_wide(a->corner); }
  template <class Gap>
  static vmask last_row(const DeviceKernel<Gap> &, vmask here) {
    return here;
  }
  template <class Gap>
  static void answer(const DeviceKernel<Gap> &k, int nothing, Answer &answer) {
    const vwide apart = splat_wide(k.a->corner - k.a->first_row * shear(k.f.stream_gap));
    answer.score = select(greater(answer.score, splat_wide(nothing)), answer.score + apart, answer.score);
  }
};

// Returns `call` of the window that the spec asks for.
#define ALN_WITH_WINDOW(sp, call)                        \
  if (sp.band == Band::of_spec) return BandWindow::call; \
  if (has_windows(sp)) return GapWindow::call;           \
  return NoWindow::call

template <class Gap>
void enter_window(const DeviceKernel<Gap> &k, int first, vpos row, vmask there, vwide &h, vwide *e) {
  ALN_WITH_WINDOW(k.sp, entering(k, first, row, there, h, e));
}
inline vwide loaded_total(const Spec &sp, const GroupArgs *a, vwide total) { ALN_WITH_WINDOW(sp, loaded(a, total)); }
inline vwide stored_total(const Spec &sp, const GroupArgs *a, vwide total) { ALN_WITH_WINDOW(sp, stored(a, total)); }
template <class Gap>
vmask in_last_row(const DeviceKernel<Gap> &k, vmask here) {
  ALN_WITH_WINDOW(k.sp, last_row(k, here));
}
template <class Gap>
void leave_window(const DeviceKernel<Gap> &k, int nothing, Answer &found) {
  ALN_WITH_WINDOW(k.sp, answer(k, nothing, found));
}
