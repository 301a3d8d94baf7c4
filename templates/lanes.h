// Lane mapping `lanes`: one alignment per lane. k letters of the register side are held at a time (a strip), the
// stream side runs past them; the strip's last column goes through scratch memory to the next strip.
//
// Ragged lengths are exact without a mask in the inner loop: the stream is run in segments that end where some
// lane's stream ends (segment_end), and the watch takes a lane's result between segments, at its own last row and
// column. Cells behind a lane's end are computed and never used.
#pragma once
#include "trace.h"
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

template <class Gap, class Watch, class Keep>
void strip_row(const Kernel<Gap> &k, const Tile &tile, Rows rows, int row, Strip<Gap> &s, Watch &watch, Keep &keep) {
  vscore score[MAX_K];
  substitution(k.sp, tile, k.a->stream_letters, row, score);
  const int entering = s.entering + row_elements(k.sp) * row, leaving = s.leaving + row_elements(k.sp) * row;
  vscore left = load_score(k.a->scratch, entering), e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = load_score(k.a->scratch, entering + 1 + n);
  watch.enter(k, s, rows, row, left, e);
  keep.row(k, s, row, left, e);
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
template <class Gap, class Watch, class Keep>
void scored_rows(const Kernel<Gap> &k, const Tile &tile, int end, int &row, Strip<Gap> &s, Watch &watch, Keep &keep) {
  if (watch.special()) {
    for (; row < end; ++row) strip_row(k, tile, Rows::special, row, s, watch, keep);
  } else {
    if (k.sp.unroll > 1) {
      for (; row + k.sp.unroll <= end; row += k.sp.unroll) {
        hot_row();
        for (int r = 0; r < k.sp.unroll; ++r) strip_row(k, tile, Rows::plain, row + r, s, watch, keep);
      }
    }
    for (; row < end; ++row) {
      if (k.sp.unroll == 1) hot_row();
      strip_row(k, tile, Rows::plain, row, s, watch, keep);
    }
  }
}

// Where letters are looked up, as many rows at a time as that takes.
template <class Gap, class Watch, class Keep>
void strip_rows(const Kernel<Gap> &k, Tile &tile, int end, int &row, Strip<Gap> &s, Watch &watch, Keep &keep) {
  if (looks_up(k.sp)) {
    while (row < end) {
      OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
      scored_rows(k, tile, min(end, tile.looked_up), row, s, watch, keep);
    }
  } else {
    scored_rows(k, tile, end, row, s, watch, keep);
  }
}

// Runs each lane's own strip once more.
template <class Gap, class Watch>
void replay(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Watch &watch) {
  watch.start_replay(k, tile);
  prepare_scores(k.sp, k.frame, tile);
  start_strip(k, 0, s);
  tile.looked_up = 0;
  NothingKept keep;
  for (int row = residual(0); row < k.a->stream_max; ++row) {
    if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
    strip_row(k, tile, Rows::replayed, row, s, watch, keep);
  }
}

// The strips of the current section once more, for what is kept of them.
template <class Gap>
void run_section(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Kept &kept, int column, int end, int rows) {
  Unwatched watch;
  s.entering = kept.section_border;
  s.leaving = 0;
  kept.strip = 0;
  for (; column < end; column += k.sp.k) {
    load_tile(k.sp, k.frame, k.a->register_letters, column, tile);
    start_strip(k, column, s);
    kept.keep_strip();
    tile.looked_up = 0;
    for (int row = residual(0); row < rows; ++row) {
      if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
      strip_row(k, tile, Rows::plain, row, s, watch, kept);
    }
    s.entering = 0;
    kept.strip = kept.strip + 1;
  }
}

// A patch once more, for where each cell's scores come from.
template <class Gap>
void run_patch(const Kernel<Gap> &k, Tile &tile, const Kept &kept, int border, int state, int corner, int first,
               int end) {
  Strip<Gap> s;
  for (int c = 0; c < k.sp.k; ++c) {
    const int element = state + c * (1 + Gap::states);
    s.H[c] = load_score(k.a->scratch, element);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = load_score(k.a->scratch, element + 1 + n);
  }
  s.diagonal = splat(corner);
  if (first > 0) s.diagonal = load_score(k.a->scratch, border + kept_per_row(k.sp) * (first - 1));
  tile.looked_up = first;
  int code = kept.codes;
  for (int row = first; row < end; ++row) {
    if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
    vscore score[MAX_K];
    substitution(k.sp, tile, k.a->stream_letters, row, score);
    const int entering = border + kept_per_row(k.sp) * row;
    vscore left = load_score(k.a->scratch, entering), e[Gap::slots];
    for (int n = 0; n < Gap::states; ++n) e[n] = load_score(k.a->scratch, entering + 1 + n);
    const vscore next_diagonal = left;
    for (int c = 0; c < k.sp.k; ++c) {
      const vscore diagonal = s.diagonal + score[c], above = s.H[c];
      // The stream side is the query.
      WayOfGap<Gap> deletion, insertion;
      start_way<Gap>(deletion, k.frame.register_gap, left, e);
      start_way<Gap>(insertion, k.frame.stream_gap, above, s.F[c]);
      s.diagonal = above;
      s.H[c] = Gap::cell(k.sp, k.frame, diagonal, above, left, e, s.F[c], false);
      end_way<Gap>(deletion, e);
      end_way<Gap>(insertion, s.F[c]);
      ScoreCode from;
      Gap::way(k.sp, splat(0), diagonal, s.H[c], deletion, insertion, from);
      store_score(k.a->scratch, code + c, from.number);
      left = s.H[c];
    }
    s.diagonal = next_diagonal;
    code = code + k.sp.k;
  }
}

// Rows from the first up to which no lane stands behind `column` and below: a multiple of a patch's, or all.
template <class Gap>
int rows_of(const Kernel<Gap> &k, const Walk<Gap> &walk, int column) {
  int rows = residual(0);
  while (any(walk.behind(rows, column))) rows = rows + k.sp.patch_rows;
  return min(rows, k.a->stream_max);
}

// From the lanes' ends to their begins.
template <class Gap>
void walk_back(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Kept &kept) {
  Walk<Gap> walk;
  walk.start(k);
  const int section_columns = k.a->kept_strips * k.sp.k;
  int end = k.a->register_max;
  for (int section = kept.section_column; section >= 0; section -= section_columns) {
    const int rows = rows_of(k, walk, section);
    if (rows > 0 && !kept.one_section) run_section(k, tile, s, kept, section, end, rows);
    int strip = residual(0), column = section;
    for (; column + k.sp.k < end; column += k.sp.k) strip = strip + 1;
    for (; column >= section; column -= k.sp.k) {
      const int strip_end = rows_of(k, walk, column);
      if (strip_end > 0) {
        load_tile(k.sp, k.frame, k.a->register_letters, column, tile);
        const int border = kept.borders + strip * kept.border_size;
        const int corner = column == 0 ? k.frame.origin : register_border(k.sp, k.v, k.frame, column);
        int first = residual(0), state = kept.states + strip * kept.states_size;
        for (; first + k.sp.patch_rows < strip_end; first += k.sp.patch_rows) state = state + state_elements(k.sp);
        for (; first >= 0; first -= k.sp.patch_rows) {
          if (any(walk.behind(first, column))) {
            run_patch(k, tile, kept, border, state, corner, first, min(first + k.sp.patch_rows, strip_end));
            walk.through_patch(k, kept.codes, first, column);
          }
          state = state - state_elements(k.sp);
        }
      }
      strip = strip - 1;
    }
    end = section;
    kept.section_border = kept.section_border - kept.border_size;
  }
  walk.finish(k);
}

template <class Gap, class Watch, class Keep>
int lanes(const Spec &sp, const aln_args_v1 *a) {
  const Kernel<Gap> k = make_kernel<Gap>(sp, a);
  store_first_border(k);
  Tile tile = make_tile(k.sp, k.v, k.frame, a, border_elements(sp) * a->stream_max);
  Strip<Gap> s;
  s.entering = 0;
  s.leaving = 0;
  Watch watch;
  watch.start(k, s);
  Keep keep;
  keep.start(k);
  for (int column = residual(0); column < a->register_max; column += sp.k) {
    load_tile(sp, k.frame, a->register_letters, column, tile);
    start_strip(k, column, s);
    watch.start_strip(k, column);
    keep.start_strip(k);
    int row = 0;
    tile.looked_up = 0;
    for (int segment = residual(0); segment < a->segments; ++segment) {
      const int end = load_int(a->segment_end, segment);
      strip_rows(k, tile, end, row, s, watch, keep);
      watch.segment(k, column, end, s.H);
    }
    watch.end_strip(k, column, tile, s);
  }
  if constexpr (Watch::replays) replay(k, tile, s, watch);
  watch.finish(k);
  if constexpr (Keep::walks) walk_back(k, tile, s, keep);
  return 0;
}
