// Lane mapping `lanes`: one alignment per lane. k letters of the register side are held at a time (a strip), the
// stream side runs past them; the strip's last column goes through scratch memory to the next strip.
//
// Ragged lengths are exact without a mask in the inner loop: the stream is run in segments that end where some
// lane's stream ends (segment_end), and the watch takes a lane's result between segments, at its own last row and
// column. Cells behind a lane's end are computed and never used.
#pragma once
#include "watch.h"

template <class Gap>
void start_strip(const Kernel<Gap> &k, int column, Strip<Gap> &s) {
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = splat(register_border(k.sp, k.v, k.frame, column + c + 1));
    Gap::open(k.sp, k.frame.stream_gap, s.H[c], s.F[c]);
  }
  const int corner = column == 0 ? k.frame.origin : register_border(k.sp, k.v, k.frame, column);
  s.diagonal = splat(corner);
}

// The border left of the first strip.
template <class Gap>
void store_first_border(const Kernel<Gap> &k) {
  for (int i = residual(0); i < k.a->stream_max; ++i) {
    const vscore h = splat(stream_border(k.sp, k.v, k.frame, i + 1));
    vscore e[Gap::slots];
    Gap::open(k.sp, k.frame.register_gap, h, e);
    store_score(k.a->scratch, row_elements(k.sp) * i, h);
    for (int n = 0; n < Gap::states; ++n) store_score(k.a->scratch, row_elements(k.sp) * i + 1 + n, e[n]);
  }
}

template <class Gap, class Watch>
void strip_row(const Kernel<Gap> &k, const Tile &tile, Rows rows, int row, Strip<Gap> &s, Watch &watch) {
  vscore score[MAX_K];
  substitution(k.sp, tile, k.a->stream_letters, row, score);
  const int entering = s.entering + row_elements(k.sp) * row, leaving = s.leaving + row_elements(k.sp) * row;
  vscore left = load_score(k.a->scratch, entering), e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = load_score(k.a->scratch, entering + 1 + n);
  watch.enter(k, s, rows, row, left, e);
  const vscore next_diagonal = left;
  for (int c = 0; c < k.sp.k; ++c) {
    const vscore diagonal = s.diagonal + score[c];
    s.diagonal = s.H[c];
    s.H[c] = Gap::cell(k.sp, k.frame, diagonal, s.H[c], left, e, s.F[c], false);
    left = s.H[c];
    watch.cell(rows, left);
  }
  s.diagonal = next_diagonal;
  store_score(k.a->scratch, leaving, left);
  for (int n = 0; n < Gap::states; ++n) store_score(k.a->scratch, leaving + 1 + n, e[n]);
  watch.row(k, rows, row, s.H);
}

// Rows up to `end`: two loops, so that neither tests what kind its rows are.
template <class Gap, class Watch>
void scored_rows(const Kernel<Gap> &k, const Tile &tile, int end, int &row, Strip<Gap> &s, Watch &watch) {
  if (watch.special()) {
    for (; row < end; ++row) strip_row(k, tile, Rows::special, row, s, watch);
  } else {
    if (k.sp.unroll > 1) {
      for (; row + k.sp.unroll <= end; row += k.sp.unroll) {
        hot_row();
        for (int r = 0; r < k.sp.unroll; ++r) strip_row(k, tile, Rows::plain, row + r, s, watch);
      }
    }
    for (; row < end; ++row) {
      if (k.sp.unroll == 1) hot_row();
      strip_row(k, tile, Rows::plain, row, s, watch);
    }
  }
}

// Where letters are looked up, as many rows at a time as that takes.
template <class Gap, class Watch>
void strip_rows(const Kernel<Gap> &k, Tile &tile, int end, int &row, Strip<Gap> &s, Watch &watch) {
  if (looks_up(k.sp)) {
    while (row < end) {
      OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
      scored_rows(k, tile, min(end, tile.looked_up), row, s, watch);
    }
  } else {
    scored_rows(k, tile, end, row, s, watch);
  }
}

// Runs each lane's own strip once more.
template <class Gap, class Watch>
void replay(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Watch &watch) {
  watch.start_replay(k, tile);
  prepare_scores(k.sp, k.frame, tile);
  start_strip(k, 0, s);
  tile.looked_up = 0;
  for (int row = residual(0); row < k.a->stream_max; ++row) {
    if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
    strip_row(k, tile, Rows::replayed, row, s, watch);
  }
}

template <class Gap, class Watch>
int lanes(const Spec &sp, const aln_args_v1 *a) {
  const Kernel<Gap> k = make_kernel<Gap>(sp, a);
  store_first_border(k);
  Tile tile = make_tile(k.sp, k.v, k.frame, a, border_elements(sp) * a->stream_max);
  Strip<Gap> s;
  s.entering = 0;
  s.leaving = 0;
  Watch watch;
  watch.start(k, s);
  for (int column = residual(0); column < a->register_max; column += sp.k) {
    load_tile(sp, k.frame, a->register_letters, column, tile);
    start_strip(k, column, s);
    watch.start_strip(k, column);
    int row = 0;
    tile.looked_up = 0;
    for (int segment = residual(0); segment < a->segments; ++segment) {
      const int end = load_int(a->segment_end, segment);
      strip_rows(k, tile, end, row, s, watch);
      watch.segment(k, column, end, s.H);
    }
    watch.end_strip(k, column, tile, s);
  }
  if constexpr (Watch::replays) replay(k, tile, s, watch);
  watch.finish(k);
  return 0;
}
