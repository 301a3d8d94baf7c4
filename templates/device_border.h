// Borders of a stage: those of the matrix, kept relative to a base; and the one between stages.
//
// The border right of a stage is kept as S itself (device_frame.h), a total of 32 bits each for H and every gap state,
// on devices in place: a row is read by a stage before it is written by it. In mapping `strips` the caller says where.
#pragma once
#include "window.h"

// Kept H of the row above the matrix, behind `length` letters of the register side, 1 and more.
template <class Gap>
vscore register_border(const DeviceKernel<Gap> &k, vwide base, int static_base, vpos length) {
  const bool free = register_begin_free(k.sp);
  if (slanted(k.sp, free, k.f.register_gap))
    return to_score(to_wide(border_total(k.sp, free, k.f.register_gap, length)) - base);
  return splat(border_total(k.sp, free, k.f.register_gap, 1) - static_base);
}

// Fills the row above a stage, whose first column of all is `column`, and what is left of it.
template <class Gap>
void start_borders(const DeviceKernel<Gap> &k, const Group &g, int column, Stage<Gap> &s) {
  int base = 0;
  const bool by_lane = k.sp.base == Base::moving_by_lane && slanted(k.sp, register_begin_free(k.sp), k.f.register_gap);
  if (k.sp.base != Base::fixed)
    base = border_total(k.sp, register_begin_free(k.sp), k.f.register_gap, column + 1) - k.f.low;
  s.base = splat_wide(base);
  if (by_lane)
    s.base = to_wide(border_total(k.sp, register_begin_free(k.sp), k.f.register_gap, s.first + splat_pos(1))) -
             splat_wide(k.f.low);
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = register_border(k, s.base, base, s.first + splat_pos(c + 1));
    s.H[c] = existing_above(k, g, s.first + splat_pos(c + 1), s.H[c]);
    Gap::open(k.sp, k.f.cell.stream_gap, s.H[c], s.F[c]);
  }
  s.diagonal = register_border(k, s.base, base, s.first);
  // A free border is 0 at the corner by itself.
  if (!floored(k.sp) && !register_begin_free(k.sp))
    s.diagonal = select(equal(s.first, splat_pos(0)), splat(0 - base), s.diagonal);
  s.diagonal = existing_above(k, g, s.first, s.diagonal);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = splat(k.f.low);
}

// The column left of the matrix differs from row to row.
template <class Gap>
bool left_border_slants(const DeviceKernel<Gap> &k) {
  return slanted(k.sp, stream_begin_free(k.sp), k.f.stream_gap);
}

// S there, at `row`: H and the gap states.
template <class Gap>
void stream_border(const DeviceKernel<Gap> &k, const Group &g, vpos row, vwide &h, vwide *e) {
  const bool free = stream_begin_free(k.sp);
  if (left_border_slants(k))
    // Behind its end an alignment's border stands: growing on it would leave its half of a register.
    h = to_wide(border_total(k.sp, free, k.f.stream_gap, min(row + splat_pos(1), g.target_length)));
  else
    h = splat_wide(border_total(k.sp, free, k.f.stream_gap, 1));
  for (int n = 0; n < Gap::states; ++n) {
    int open = 0;
    if (!floored(k.sp)) open = k.f.register_gap.open[n] + steeper(k.f.register_gap, n);
    e[n] = h - splat_wide(open);
  }
  keep_existing_left(k, g, row, h, e);
}

// Element of `state` (0 H, behind it the gap states) at `row` of the border between stages, `before` rows behind the
// group's first. Mapping `block` keeps a short one in the block's own memory.
inline vpos border_element(const Spec &sp, const Group &g, int before, vpos row, int state) {
  if (wants_begin(sp)) row = row + splat_pos(before);
  return row * splat_pos(border_states(sp) * g.slots) + splat_pos(state * g.slots) + g.slot;
}
// Where all lanes of a vector share the alignment, rows lie one behind another, state by state, with room before the
// first and behind the last (strip_abi.h). `first`: the first lane's row.
inline int strip_border_element(const GroupArgs *a, int first, int state) {
  return state * a->border_rows + ALN_STRIP_PAD + first;
}

inline vwide load_border(const Spec &sp, const GroupArgs *a, const Group &g, int first, vpos row, int state,
                         vmask there, vwide otherwise) {
  const vpos element = border_element(sp, g, g.left, row, state);
  vwide value;
  if (fills_vector(sp))
    value = select(there, loaded_total(sp, a, load_along(a->border, strip_border_element(a, first, state))), otherwise);
  else if (sp.shared_rows > 0 && a->border_rows <= sp.shared_rows)
    value = load_shared_wide(splat_pos(border_word(sp)) + element, there, otherwise);
  else
    value = load_wide_at(a->border, splat_pos(g.border) + element, there, otherwise);
  return value;
}
inline void store_border(const Spec &sp, const GroupArgs *a, const Group &g, int first, vpos row, int state,
                         vmask there, vwide value) {
  const vpos element = border_element(sp, g, g.right, row, state);
  if (fills_vector(sp)) {
    // Those of a chunk are with the last lanes.
    const int from = vector_lanes() - chunk_rows(sp);
    store_along(a->border_right, strip_border_element(a, first, state), from, stored_total(sp, a, value));
  } else if (sp.shared_rows > 0 && a->border_rows <= sp.shared_rows)
    store_shared_wide(splat_pos(border_word(sp)) + element, there, value);
  else
    store_wide_at(a->border, splat_pos(g.border) + element, there, value);
}
