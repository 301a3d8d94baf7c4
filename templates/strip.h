// A strip: k letters of the register side, past which the stream runs row by row; and what the functions of a kernel
// for CPUs share.
#pragma once
#include "border.h"
#include "substitution.h"

template <class Gap>
struct Kernel {
  Spec sp;
  const aln_args_v1 *a;
  Scoring<Gap> v;
  Frame<Gap> frame;
  vpos stream_length, register_length;
  vpos band_from, band_to;  // register position - stream position of the cells that exist
};

template <class Gap>
Kernel<Gap> make_kernel(const Spec &sp, const aln_args_v1 *a) {
  Kernel<Gap> k;
  k.sp = sp;
  k.a = a;
  k.v = read_scoring<Gap>(sp, a->scoring);
  k.frame = make_frame(sp, k.v);
  k.stream_length = load_pos(a->stream_length, 0);
  k.register_length = load_pos(a->register_length, 0);
  if (sp.band == Band::of_alignment) {
    k.band_from = load_pos(a->lane_band_from, 0);
    k.band_to = load_pos(a->lane_band_to, 0);
  }
  return k;
}

// What cells hold that do not exist.
template <class Gap>
int no_score(const Kernel<Gap> &k) {
  return nothing(k.sp, k.v);
}
// Whether the border above begins with a gap, which costs something.
inline bool border_costs(const Spec &sp) { return sp.register_begin == Begin::costs; }
// H above and on the left of a strip, where flags do not say what its gap costs.
template <class Gap>
int corner_score(const Kernel<Gap> &k, int column) {
  if (!by_strip(k.sp)) return column == 0 ? k.frame.origin : register_border(k.sp, k.v, k.frame, column);
  int corner = 0;
  if (register_begin_forbidden(k.sp)) corner = column == 0 ? 0 : no_score(k);
  if (border_costs(k.sp))
    corner = column == 0 ? 0 : -sheared_cost(k.v.register_gap, column) - column * shear(k.v.register_gap);
  return corner;
}
// H of a row less what the frame adds for the strip's columns.
template <class Gap>
void lower(const Kernel<Gap> &k, const Tile &tile, const vscore *H, vscore *lowered) {
  for (int c = 0; c < k.sp.k; ++c) {
    lowered[c] = H[c];
    if (by_strip(k.sp)) lowered[c] = H[c] - tile.raise[c];
  }
}
// What the frame adds for each column before a strip.
template <class Gap>
int column_shear(const Kernel<Gap> &k) {
  if (by_strip(k.sp)) return 0;
  return shear(k.v.register_gap);
}

template <class Gap>
struct Strip {
  int column;  // its first
  vscore H[MAX_K], F[MAX_K][Gap::slots];
  vscore diagonal;  // H left of the strip, one row up
  // The border above the strip where its gap costs what flags say: the score before it, and the gap's states.
  vscore above, gap_above[Gap::slots];
  // First elements of scratch memory for the borders on its left and on its right.
  int entering, leaving;
  // Where each lane has a base of its own (lane_base.h): it, 0 as kept, and what is added to what comes from the strip
  // before; the row behind the chunk, and the place of what the next chunk's base moves by.
  vwide base;
  vscore floor, slope;
  int chunk_end, move;
  bool enters_as_kept;  // beside this strip's own bases (trace.h)
};

// How a row is run: as most are; so that the watch looks at it more closely; and as one of each lane's own strip, once
// more (watch_replayed.h).
enum class Rows { plain, special, replayed };
