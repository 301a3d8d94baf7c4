// Mapping `lanes`: a strip's border and its rows.
#pragma once
#include "lane_band.h"
#include "lane_base.h"
#include "trace.h"
#include "watch.h"

// H above and on the left of a strip, as kept.
template <class Gap>
vscore strip_corner(const Kernel<Gap> &k, int column) {
  if (lanes_rebase(k.sp)) return splat(low_of(k));
  return existing_corner(k, column, splat(corner_score(k, column)));
}

// The border above a strip and the corner on its left, as columns.h keeps them.
template <class Gap>
void start_strip_border(const Kernel<Gap> &k, const Tile &tile, int column, Strip<Gap> &s) {
  const Spec &sp = k.sp;
  const vscore none = splat(no_score(k));
  s.diagonal = strip_corner(k, column);
  for (int c = 0; c < sp.k && register_begin_forbidden(sp); ++c) s.H[c] = none;
  for (int c = 0; c < sp.k && register_begin_free(sp); ++c)
    s.H[c] = lanes_rebase(sp) ? tile.raise[c] + splat(low_of(k)) : tile.raise[c];
  const bool costs = border_costs(sp);
  if (costs && !has_flag_cost(sp)) {
    const int shift = border_shift(k, column) - column * shear(k.v.register_gap);
    for (int c = 0; c < sp.k; ++c) s.H[c] = splat(shift - sheared_cost(k.v.register_gap, column + c + 1));
  }
  if (costs && has_flag_cost(sp)) {
    if (column == 0) {
      s.above = splat(0);
      for (int n = 0; n < Gap::states; ++n) s.gap_above[n] = s.above - tile.open[0][n];
    }
    if (column > 0) s.diagonal = existing_corner(k, column, s.above);
    for (int c = 0; c < sp.k; ++c) {
      s.H[c] = s.above;
      if (Gap::states > 0) s.H[c] = s.gap_above[0];
      for (int n = 1; n < Gap::states; ++n) s.H[c] = max(s.H[c], s.gap_above[n]);
      for (int n = 0; n < Gap::states; ++n) {
        // Where flags are a letter costs the same on every line, so each goes on from the best one.
        const vscore longer = extended(sp, s.gap_above[n], tile.longer[c + 1][n]);
        s.gap_above[n] = choose_gap(sp, longer, opened(sp, s.H[c], tile.open[c + 1][n]));
      }
    }
    s.above = s.H[sp.k - 1] - tile.raise[sp.k - 1];
    for (int n = 0; n < Gap::states; ++n) s.gap_above[n] = s.gap_above[n] - tile.raise[sp.k - 1];
  }
  keep_existing_above(k, s);
  for (int c = 0; c < sp.k; ++c) Gap::open(sp, k.frame.stream_gap, s.H[c], s.F[c]);
}

// `as_kept`: as in lane_base.h.
template <class Gap>
void start_strip(const Kernel<Gap> &k, const Tile &tile, int column, bool as_kept, Strip<Gap> &s) {
  s.column = column;
  if (lanes_rebase(k.sp)) start_base(k, as_kept, s);
  if (by_strip(k.sp)) return start_strip_border(k, tile, column, s);
  const int shift = border_shift(k, column);
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = splat(register_border(k.sp, k.v, k.frame, column + c + 1) + shift);
    Gap::open(k.sp, k.frame.stream_gap, s.H[c], s.F[c]);
  }
  s.diagonal = strip_corner(k, column);
}

// The frame of what the border on the left hands on to the first column.
template <class Gap>
Frame<Gap> first_frame(const Kernel<Gap> &k) {
  Frame<Gap> frame = k.frame;
  if (has_flag_cost(k.sp)) {
    Tile tile;
    load_letters_of(k.sp, k.a, 0, 1, tile);
    frame.register_gap = flagged_costs<Gap>(k.sp, k.frame.register_gap, flagged(k.sp, tile, 0));
  }
  return frame;
}

// The border left of the first strip.
template <class Gap>
void store_first_border(const Kernel<Gap> &k, const Frame<Gap> &first_column) {
  BorderBase base;
  base.start(k);
  for (int i = residual(0); i < k.a->stream_max; ++i) {
    if (lanes_rebase(k.sp)) base.reach(k, i);
    vscore h = splat(stream_border(k.sp, k.v, k.frame, i + 1) + base.shift);
    if (stream_begin_forbidden(k.sp)) h = splat(no_score(k));
    h = existing_left(k, i, h);
    vscore e[Gap::slots];
    Gap::open(k.sp, first_column.register_gap, h, e);
    store_score(k.a->scratch, row_elements(k.sp) * i, h);
    for (int n = 0; n < Gap::states; ++n) store_score(k.a->scratch, row_elements(k.sp) * i + 1 + n, e[n]);
  }
}

template <class Gap, class Watch, class Keep>
void strip_row(const Kernel<Gap> &k, const Tile &tile, Rows rows, bool partly, int row, Strip<Gap> &s, Watch &watch,
               Keep &keep) {
  vscore score[MAX_K];
  substitution(k.sp, tile, k.a, row, score);
  const int entering = s.entering + row_elements(k.sp) * row, leaving = s.leaving + row_elements(k.sp) * row;
  vscore left = load_score(k.a->scratch, entering), e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = load_score(k.a->scratch, entering + 1 + n);
  if (lanes_rebase(k.sp)) {
    left = left + s.slope;
    for (int n = 0; n < Gap::states; ++n) e[n] = e[n] + s.slope;
  }
  watch.enter(k, s, rows, row, left, e);
  keep.row(k, s, row, left, e);
  const vscore next_diagonal = left;
  BandRow band;
  if (partly) band = band_row(k, row, s.column);
  for (int c = 0; c < k.sp.k; ++c) {
    vscore diagonal = s.diagonal + score[c];
    raise_to_floor(k.sp, s.floor, diagonal);
    if (partly) close_cell(k, band, c, diagonal, e, s.F[c]);
    s.diagonal = s.H[c];
    s.H[c] =
        Gap::cell(k.sp, column_frame(k.sp, k.frame, tile, c), diagonal, s.H[c], left, e, s.F[c], off_pipe(k.sp, c));
    if (partly) s.H[c] = closed(k, band, c, s.H[c]);
    left = s.H[c];
    watch.cell(rows, left);
  }
  s.diagonal = next_diagonal;
  vscore lowered[MAX_K];
  lower(k, tile, s.H, lowered);
  store_score(k.a->scratch, leaving, lowered[k.sp.k - 1]);
  for (int n = 0; n < Gap::states; ++n) {
    if (by_strip(k.sp)) e[n] = e[n] - tile.raise[k.sp.k - 1];
    store_score(k.a->scratch, leaving + 1 + n, e[n]);
  }
  watch.row(k, rows, row, lowered);
}

// Rows up to `end`: two loops, so that neither tests what kind its rows are. `partly`: cells of some lanes may not
// exist.
template <class Gap, class Watch, class Keep>
void scored_rows(const Kernel<Gap> &k, const Tile &tile, bool partly, int end, int &row, Strip<Gap> &s, Watch &watch,
                 Keep &keep) {
  if (watch.special()) {
    for (; row < end; ++row) strip_row(k, tile, Rows::special, partly, row, s, watch, keep);
  } else {
    if (k.sp.unroll > 1) {
      for (; row + k.sp.unroll <= end; row += k.sp.unroll) {
        if (!partly) hot_row();
        for (int r = 0; r < k.sp.unroll; ++r) strip_row(k, tile, Rows::plain, partly, row + r, s, watch, keep);
      }
    }
    for (; row < end; ++row) {
      if (k.sp.unroll == 1 && !partly) hot_row();
      strip_row(k, tile, Rows::plain, partly, row, s, watch, keep);
    }
  }
}

// Chunk by chunk, where each lane has a base of its own.
template <class Gap, class Watch, class Keep>
void based_rows(const Kernel<Gap> &k, const Tile &tile, bool partly, int end, int &row, Strip<Gap> &s, Watch &watch,
                Keep &keep) {
  if (lanes_rebase(k.sp)) {
    while (row < end) {
      if (row == s.chunk_end) move_base(k, row, s, watch);
      scored_rows(k, tile, partly, min(end, s.chunk_end), row, s, watch, keep);
    }
  } else {
    scored_rows(k, tile, partly, end, row, s, watch, keep);
  }
}

// Where letters are looked up, as many rows at a time as that takes.
template <class Gap, class Watch, class Keep>
void looked_up_rows(const Kernel<Gap> &k, Tile &tile, bool partly, int end, int &row, Strip<Gap> &s, Watch &watch,
                    Keep &keep) {
  if (looks_up(k.sp)) {
    while (row < end) {
      OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
      based_rows(k, tile, partly, min(end, tile.looked_up), row, s, watch, keep);
    }
  } else {
    based_rows(k, tile, partly, end, row, s, watch, keep);
  }
}

// Where each lane has a band of its own, the rows in which all of the strip's cells exist apart from those before and
// behind them. Rows in which none exists are left out where nobody looks at them.
template <class Gap, class Watch, class Keep>
void strip_rows(const Kernel<Gap> &k, const BandReach &reach, Tile &tile, int end, int &row, Strip<Gap> &s,
                Watch &watch, Keep &keep) {
  if (k.sp.band == Band::of_alignment) {
    const int first = s.column + k.sp.k - 1 - k.a->band_to_least, behind = s.column - k.a->band_from_most + 1;
    int last = end;
    if (skips_rows<Keep>(k.sp)) {
      if (!watch.special()) {
        skip_to_band(k, reach, end, row, s);
        last = min(end, s.column + k.sp.k - reach.from_least);
      }
    }
    while (row < last) {
      if (row >= first && row < behind)
        looked_up_rows(k, tile, false, min(last, behind), row, s, watch, keep);
      else
        looked_up_rows(k, tile, true, row < first ? min(last, first) : last, row, s, watch, keep);
    }
    if (skips_rows<Keep>(k.sp)) {
      if (row < end) {
        close_strip(k, s);
        row = end;
      }
    }
  } else {
    looked_up_rows(k, tile, false, end, row, s, watch, keep);
  }
}

// Runs each lane's own strip once more.
template <class Gap, class Watch>
void replay(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Watch &watch) {
  watch.start_replay(k, tile);
  prepare_tile(k.sp, k.v, k.frame, tile);
  start_strip(k, tile, 0, true, s);
  watch.placed.enter_base(k.sp, s.base);
  tile.looked_up = 0;
  NothingKept keep;
  Unwatched nothing;  // the best is known, and a lane without one has whatever lay in memory
  for (int row = residual(0); row < k.a->stream_max; ++row) {
    if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
    if (lanes_rebase(k.sp)) {
      if (row == s.chunk_end) {
        move_base(k, row, s, nothing);
        watch.enter_base(k, s);
        watch.placed.enter_base(k.sp, s.base);
      }
    }
    strip_row(k, tile, Rows::replayed, false, row, s, watch, keep);
  }
}
