// Mapping `lanes` where each lane has a band of its own: which cells of a strip exist, and which rows have none in any
// lane.
#pragma once
#include "strip.h"

// Where a row of cells meets the lanes' bands: cell c of the strip, from 0, exists where low <= c <= high.
struct BandRow {
  vscore low, high;
  vmask holds(int c) const { return greater(splat(c + 1), low) & greater(high, splat(c - 1)); }
};
template <class Gap>
BandRow band_row(const Kernel<Gap> &k, int row, int column) {
  const vpos ahead = splat_pos(column - row), least = splat_pos(-1), most = splat_pos(k.sp.k);
  BandRow band;
  band.low = to_score(max(min(k.band_from - ahead, most), least));
  band.high = to_score(max(min(k.band_to - ahead, most), least - splat_pos(1)));
  return band;
}
template <class Gap>
vscore existing(const Kernel<Gap> &k, const BandRow &band, int c, vscore h) {
  return select(band.holds(c), h, splat(no_score(k)));
}

// What a band makes of borders, a struct of static members:
//   corner  H above and on the left of a strip
//   above   the row above a strip
//   left    H of the border left of the first strip, at `row`
struct NoLaneBand {
  template <class Gap>
  static vscore corner(const Kernel<Gap> &, int, vscore h) {
    return h;
  }
  template <class Gap>
  static void above(const Kernel<Gap> &, Strip<Gap> &) {}
  template <class Gap>
  static vscore left(const Kernel<Gap> &, int, vscore h) {
    return h;
  }
};
// Where a border costs its gap begins at the corner.
struct LaneBand {
  template <class Gap>
  static vscore corner(const Kernel<Gap> &k, int column, vscore h) {
    const vscore here = existing(k, band_row(k, -1, column), -1, h);
    if (!border_costs(k.sp)) return here;
    return existing(k, band_row(k, -1, 0), -1, here);
  }
  template <class Gap>
  static void above(const Kernel<Gap> &k, Strip<Gap> &s) {
    const BandRow band = band_row(k, -1, s.column);
    vmask reached = all_lanes();
    if (border_costs(k.sp)) reached = band_row(k, -1, 0).holds(-1);
    for (int c = 0; c < k.sp.k; ++c) s.H[c] = select(reached, existing(k, band, c, s.H[c]), splat(no_score(k)));
  }
  template <class Gap>
  static vscore left(const Kernel<Gap> &k, int row, vscore h) {
    h = existing(k, band_row(k, row, 0), -1, h);
    if (!stream_begin_free(k.sp)) h = existing(k, band_row(k, -1, 0), -1, h);
    return h;
  }
};

// Returns `call` of the band that the spec asks for.
#define ALN_WITH_LANE_BAND(sp, call)                        \
  if (sp.band == Band::of_alignment) return LaneBand::call; \
  return NoLaneBand::call

template <class Gap>
vscore existing_corner(const Kernel<Gap> &k, int column, vscore h) {
  ALN_WITH_LANE_BAND(k.sp, corner(k, column, h));
}
template <class Gap>
void keep_existing_above(const Kernel<Gap> &k, Strip<Gap> &s) {
  ALN_WITH_LANE_BAND(k.sp, above(k, s));
}
template <class Gap>
vscore existing_left(const Kernel<Gap> &k, int row, vscore h) {
  ALN_WITH_LANE_BAND(k.sp, left(k, row, h));
}

// Before a cell that does not exist in some lanes: nothing leads to it there, so that no gap goes through it.
template <class Gap>
void close_cell(const Kernel<Gap> &k, const BandRow &band, int c, vscore &diagonal, vscore *e, vscore *f) {
  diagonal = existing(k, band, c, diagonal);
  for (int n = 0; n < Gap::states; ++n) {
    e[n] = existing(k, band, c, e[n]);
    f[n] = existing(k, band, c, f[n]);
  }
}
// H of such a cell, to which gaps without states lead all the same.
template <class Gap>
vscore closed(const Kernel<Gap> &k, const BandRow &band, int c, vscore h) {
  if (Gap::states > 0) return h;
  return existing(k, band, c, h);
}

// Whether rows without a cell are left out: where scores need no floor and nothing is kept of rows for a way back.
template <class Keep>
constexpr bool skips_rows(const Spec &sp) {
  return sp.band == Band::of_alignment && by_strip(sp) && !Keep::walks;
}

// How far the lanes' bands reach together, or a little farther; beyond the matrix it does not matter.
constexpr int BAND_STEP = 16;
struct BandReach {
  int from_least, to_most;
};
template <class Keep, class Gap>
BandReach reach_of(const Kernel<Gap> &k) {
  BandReach reach;
  reach.from_least = 0;
  reach.to_most = 0;
  if (!skips_rows<Keep>(k.sp)) return reach;
  reach.from_least = k.a->band_from_most;
  reach.to_most = k.a->band_to_least;
  const vwide from = to_wide(max(k.band_from, splat_pos(-k.a->stream_max)));
  const vwide to = to_wide(min(k.band_to, splat_pos(k.a->register_max)));
  while (any(greater(splat_wide(reach.from_least), from) | greater(to, splat_wide(reach.to_most)))) {
    reach.from_least = reach.from_least - BAND_STEP;
    reach.to_most = reach.to_most + BAND_STEP;
  }
  return reach;
}

// After the last row of a strip in which a cell exists.
template <class Gap>
void close_strip(const Kernel<Gap> &k, Strip<Gap> &s) {
  for (int c = 0; c < k.sp.k; ++c) s.H[c] = splat(no_score(k));
}

// Leaves out the rows above the band, before the first that is run. What strips before this one have left in them is
// old, and nobody reads it: the next strips begin farther down, but for the corner on the left of the first row. Rows
// below the band still have what the border on the left left there, where no cell exists either; nor does one above.
template <class Gap>
void skip_to_band(const Kernel<Gap> &k, const BandReach &reach, int end, int &row, Strip<Gap> &s) {
  const int first = min(end, s.column - reach.to_most);
  if (row < first) {
    row = first;
    s.diagonal = load_score(k.a->scratch, s.entering + row_elements(k.sp) * (row - 1));
  }
}
