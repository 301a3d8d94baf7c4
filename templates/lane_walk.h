// Mapping `lanes`: the way back, from the lanes' ends to their begins (trace.h).
#pragma once
#include "lane_rows.h"

// The strips of the current section once more, for what is kept of them.
template <class Gap>
void run_section(const Kernel<Gap> &k, Tile &tile, Strip<Gap> &s, Kept &kept, int column, int end, int rows) {
  Unwatched watch;
  s.entering = kept.sections.border;
  s.leaving = 0;
  kept.sections.strip = 0;
  for (; column < end; column += k.sp.k) {
    load_tile(k.sp, k.v, k.frame, k.a, column, tile);
    start_strip(k, tile, column, kept.sections.strip == 0, s);
    kept.keep_strip();
    tile.looked_up = 0;
    for (int row = residual(0); row < rows; ++row) {
      if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
      if (lanes_rebase(k.sp)) {
        if (row == s.chunk_end) move_base(k, row, s, watch);
      }
      strip_row(k, tile, Rows::plain, k.sp.band == Band::of_alignment, row, s, watch, kept);
    }
    s.entering = 0;
    kept.sections.strip = kept.sections.strip + 1;
  }
}

// A patch once more, for where each cell's scores come from.
template <class Gap>
void run_patch(const Kernel<Gap> &k, Tile &tile, const Kept &kept, int border, int state, int column, vscore corner,
               int first, int end) {
  Strip<Gap> s;
  for (int c = 0; c < k.sp.k; ++c) {
    const int element = state + c * (1 + Gap::states);
    s.H[c] = load_score(k.a->scratch, element);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = load_score(k.a->scratch, element + 1 + n);
  }
  s.diagonal = corner;
  if (first > 0 && !lanes_rebase(k.sp))
    s.diagonal = load_score(k.a->scratch, border + kept_per_row(k.sp) * (first - 1));
  s.chunk_end = first + k.sp.chunk;
  int floor = state + column_elements(k.sp);
  s.floor = splat(0);
  if (k.sp.floor == Floor::moving) s.floor = load_score(k.a->scratch, floor);
  tile.looked_up = first;
  int code = kept.codes;
  for (int row = first; row < end; ++row) {
    if (looks_up(k.sp)) OwnTables::reach(k.sp, tile, k.a->stream_letters, row, k.a->stream_max);
    if (lanes_rebase(k.sp)) {
      if (row == s.chunk_end) {
        lower_states(k, s);
        s.chunk_end = row + k.sp.chunk;
        floor = floor + 1;
        if (k.sp.floor == Floor::moving) s.floor = load_score(k.a->scratch, floor);
      }
    }
    vscore score[MAX_K];
    substitution(k.sp, tile, k.a, row, score);
    const int entering = border + kept_per_row(k.sp) * row;
    vscore left = load_score(k.a->scratch, entering), e[Gap::slots];
    for (int n = 0; n < Gap::states; ++n) e[n] = load_score(k.a->scratch, entering + 1 + n);
    const vscore next_diagonal = left;
    BandRow band;
    if (k.sp.band == Band::of_alignment) band = band_row(k, row, column);
    for (int c = 0; c < k.sp.k; ++c) {
      vscore diagonal = s.diagonal + score[c];
      raise_to_floor(k.sp, s.floor, diagonal);
      const vscore above = s.H[c];
      if (k.sp.band == Band::of_alignment) close_cell(k, band, c, diagonal, e, s.F[c]);
      const Frame<Gap> frame = column_frame(k.sp, k.frame, tile, c);
      // The stream side is the query.
      WayOfGap<Gap> deletion, insertion;
      start_way<Gap>(deletion, frame.register_gap, left, e);
      start_way<Gap>(insertion, frame.stream_gap, above, s.F[c]);
      s.diagonal = above;
      s.H[c] = Gap::cell(k.sp, frame, diagonal, above, left, e, s.F[c], false);
      if (k.sp.band == Band::of_alignment) s.H[c] = closed(k, band, c, s.H[c]);
      end_way<Gap>(deletion, e);
      end_way<Gap>(insertion, s.F[c]);
      ScoreCode from;
      Gap::way(k.sp, s.floor, diagonal, s.H[c], deletion, insertion, from);
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
  for (int section = kept.sections.column; section >= 0; section -= section_columns) {
    const int rows = rows_of(k, walk, section);
    if (rows > 0 && !kept.sections.one) run_section(k, tile, s, kept, section, end, rows);
    int strip = residual(0), column = section;
    for (; column + k.sp.k < end; column += k.sp.k) strip = strip + 1;
    for (; column >= section; column -= k.sp.k) {
      const int strip_end = rows_of(k, walk, column);
      if (strip_end > 0) {
        load_tile(k.sp, k.v, k.frame, k.a, column, tile);
        const int border = kept.borders + strip * kept.sections.border_size;
        const vscore corner = strip_corner(k, column);
        int first = residual(0), state = kept.states + strip * kept.states_size;
        for (; first + k.sp.patch_rows < strip_end; first += k.sp.patch_rows) state = state + state_elements(k.sp);
        for (; first >= 0; first -= k.sp.patch_rows) {
          if (any(walk.behind(first, column))) {
            run_patch(k, tile, kept, border, state, column, corner, first, min(first + k.sp.patch_rows, strip_end));
            walk.through_patch(k, kept.codes, first, column);
          }
          state = state - state_elements(k.sp);
        }
      }
      strip = strip - 1;
    }
    end = section;
    kept.sections.border = kept.sections.border - kept.sections.border_size;
  }
  walk.finish(k);
}
