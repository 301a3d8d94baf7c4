// Bands: which cells of a stage exist, where lanes share an alignment. What lies outside is kept as outside(), which
// nothing inside comes from: of alignments with a floor 0, which is what a cell has that nothing leads to; else the
// lowest score, exactness.h having proven all inside to be above. H and the gap states of a cell outside are put back
// to it, so that it does not grow. A band is a struct of static members:
//   load    what a group knows of it
//   above   H of the row above a stage behind `length` letters of the register side, 0 and more
//   left    H and the gap states of the border left of the matrix, at `row`
//   cell    the same of a cell whose row is ahead of its column by so many
//   leaves  a chunk of a stage, from step t on, may have cells that do not exist, its left border among them
#pragma once
#include "device_stage.h"

// Kept score of what does not exist; base is 0.
inline int outside(const Spec &sp) { return floored(sp) ? 0 : sp.lowest; }

// Leaves what exists as it is.
template <class Gap>
void keep_inside(const DeviceKernel<Gap> &k, vmask inside, vscore &h, vscore *e, vscore *below) {
  const vscore nothing = splat(outside(k.sp));
  h = select(inside, h, nothing);
  for (int n = 0; n < Gap::states; ++n) {
    e[n] = select(inside, e[n], nothing);
    below[n] = select(inside, below[n], nothing);
  }
}
template <class Gap>
void keep_inside(const DeviceKernel<Gap> &k, vmask inside, vwide &h, vwide *e) {
  const vwide nothing = splat_wide(outside(k.sp));
  h = select(inside, h, nothing);
  for (int n = 0; n < Gap::states; ++n) e[n] = select(inside, e[n], nothing);
}

// Borders may be forbidden: of the row above the matrix, behind `length` letters, and of the column left of it.
inline vmask allowed_above(const Spec &sp, vpos length) {
  vmask exists = all_lanes();
  if (register_begin_forbidden(sp)) exists = equal(length, splat_pos(0));
  return exists;
}
inline vmask allowed_left(const Spec &sp) {
  vmask exists = all_lanes();
  if (stream_begin_forbidden(sp)) exists = no_lanes();
  return exists;
}

// All cells exist.
struct NoBand {
  static void load(const GroupArgs *, Group &) {}
  template <class Gap>
  static vscore above(const DeviceKernel<Gap> &k, const Group &, vpos length, vscore h) {
    if (!irregular(k.sp)) return h;
    return select(allowed_above(k.sp, length), h, splat(outside(k.sp)));
  }
  template <class Gap>
  static void left(const DeviceKernel<Gap> &k, const Group &, vpos, vwide &h, vwide *e) {
    if (irregular(k.sp)) keep_inside(k, allowed_left(k.sp), h, e);
  }
  template <class Gap>
  static void cell(const DeviceKernel<Gap> &, const Group &, vpos, vscore &, vscore *, vscore *) {}
  template <class Gap>
  static bool leaves(const DeviceKernel<Gap> &, const Group &, int, int) {
    return false;
  }
};

// The spec's (mapping `strips`): a cell exists where its row, of the target, is ahead of its column by band_from to
// band_to (strip_abi.h). A window's rows are all that the stage's columns have inside, so that the row above a window
// that does not begin at the matrix's first is outside.
struct SpecBand {
  // Of the call's rows; column -1 is the left border.
  template <class Gap>
  static vmask inside(const DeviceKernel<Gap> &k, vpos ahead) {
    return greater(ahead, splat_pos(k.a->band_from - 1)) & greater(splat_pos(k.a->band_to + 1), ahead);
  }

  static void load(const GroupArgs *, Group &) {}
  template <class Gap>
  static vscore above(const DeviceKernel<Gap> &k, const Group &, vpos length, vscore h) {
    // The matrix's own, or that of a window further down.
    const vmask exists = inside(k, splat_pos(0) - length) & greater(splat_pos(1), splat_pos(k.a->first_row));
    return select(exists, h, splat(outside(k.sp)));
  }
  template <class Gap>
  static void left(const DeviceKernel<Gap> &k, const Group &, vpos row, vwide &h, vwide *e) {
    keep_inside(k, inside(k, row + splat_pos(1)), h, e);
  }
  template <class Gap>
  static void cell(const DeviceKernel<Gap> &k, const Group &, vpos ahead, vscore &h, vscore *e, vscore *below) {
    keep_inside(k, inside(k, ahead), h, e, below);
  }
  template <class Gap>
  static bool leaves(const DeviceKernel<Gap> &k, const Group &, int column, int t) {
    const int lanes = sharing_lanes(k.sp), last_lane = t - k.sp.skew * (lanes - 1) - (column + lanes * k.sp.k - 1);
    return last_lane < k.a->band_from || t + chunk_rows(k.sp) - 1 - column > k.a->band_to;
  }
};

// Each alignment's own (devices): cells exist where the target is ahead of the query by so many letters; borders count
// as 0.
struct OwnBand {
  static vmask inside(const Group &g, vpos ahead) {
    return greater(ahead, g.band_from - splat_pos(1)) & greater(g.band_to + splat_pos(1), ahead);
  }

  static void load(const GroupArgs *a, Group &g) {  // device_abi.h
    g.band_from = load_pos_at(a->pair_query, g.alignment + splat_pos(a->alignments));
    g.band_to = load_pos_at(a->pair_query, g.alignment + splat_pos(2 * a->alignments));
    g.band_from_most = largest(g.band_from);
    g.band_to_least = smallest(g.band_to);
  }
  template <class Gap>
  static vscore above(const DeviceKernel<Gap> &k, const Group &g, vpos length, vscore h) {
    vmask exists = allowed_above(k.sp, length) & inside(g, splat_pos(0) - length);
    if (!register_begin_free(k.sp)) exists = exists & inside(g, splat_pos(0));  // its gap begins at the corner
    return select(exists, h, splat(outside(k.sp)));
  }
  template <class Gap>
  static void left(const DeviceKernel<Gap> &k, const Group &g, vpos row, vwide &h, vwide *e) {
    vmask exists = allowed_left(k.sp) & inside(g, row + splat_pos(1));
    if (!stream_begin_free(k.sp)) exists = exists & inside(g, splat_pos(0));
    keep_inside(k, exists, h, e);
  }
  template <class Gap>
  static void cell(const DeviceKernel<Gap> &k, const Group &g, vpos ahead, vscore &h, vscore *e, vscore *below) {
    keep_inside(k, inside(g, ahead), h, e, below);
  }
  template <class Gap>
  static bool leaves(const DeviceKernel<Gap> &k, const Group &g, int column, int t) {
    const int last_lane = t - k.sp.p + 1 - (column + k.sp.p * k.sp.k - 1);
    return last_lane < g.band_from_most || t + chunk_rows(k.sp) - column > g.band_to_least;
  }
};

// Returns `call` of the band that the spec asks for.
#define ALN_WITH_BAND(sp, call)                            \
  if (sp.band == Band::of_spec) return SpecBand::call;     \
  if (sp.band == Band::of_alignment) return OwnBand::call; \
  return NoBand::call

inline void load_band(const Spec &sp, const GroupArgs *a, Group &g) { ALN_WITH_BAND(sp, load(a, g)); }
template <class Gap>
vscore existing_above(const DeviceKernel<Gap> &k, const Group &g, vpos length, vscore h) {
  ALN_WITH_BAND(k.sp, above(k, g, length, h));
}
template <class Gap>
void keep_existing_left(const DeviceKernel<Gap> &k, const Group &g, vpos row, vwide &h, vwide *e) {
  ALN_WITH_BAND(k.sp, left(k, g, row, h, e));
}
template <class Gap>
void keep_existing(const DeviceKernel<Gap> &k, const Group &g, vpos ahead, vscore &h, vscore *e, vscore *below) {
  ALN_WITH_BAND(k.sp, cell(k, g, ahead, h, e, below));
}
template <class Gap>
bool leaves_band(const DeviceKernel<Gap> &k, const Group &g, int column, int t) {
  ALN_WITH_BAND(k.sp, leaves(k, g, column, t));
}
