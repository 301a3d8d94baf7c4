// A stage: p lanes of a warp, k register letters each, and the stream letters that run past them.
//
// At step t lane l scores row t - l of its k columns; H and E of its last column and the stream letter go on to
// lane l + 1 by a shuffle. Steps come in chunks. Before a chunk its stream letters and the border left of the stage
// are read, one row a lane, and behind it the border right of the stage is written, one row a lane: memory is touched
// once a chunk, coalesced. A segment of one lane (p = 1) holds the rows of a chunk in registers instead.
//
// Rows that a lane has not reached or has passed: where the watch needs no masks their letters are pads, which gain
// nothing; elsewhere the first and last chunks are masked: a lane keeps its state until its first row and behind its
// last. So at the end of a stage every lane holds its last row.
#pragma once
#include "device_border.h"
#include "device_watch.h"

// What enters a stage from the left and leaves it on the right, a chunk of rows.
template <class Gap>
struct Feed {
  vscore h[MAX_ROWS], e[MAX_ROWS][Gap::slots];
  vchar letters[MAX_ROWS];
  vscore out_h[MAX_ROWS], out_e[MAX_ROWS][Gap::slots];
};

template <class Gap>
void start_stage(const DeviceKernel<Gap> &k, const Group &g, int column, Stage<Gap> &s) {
  s.first = splat_pos(column) + g.lane * splat_pos(k.sp.k);
  s.last_column = g.query_length - s.first;
  start_borders(k, column, s);
  s.stream = splat_letter(stream_pad(k.sp));
  load_device_tile(k.sp, k.a, g.query_first, g.query_length, s.first, s.tile);
}

// What a row makes of a lane's state: a lane outside its rows keeps it.
inline vscore advance(Chunk chunk, vmask inside, vscore next, vscore now) {
  if (chunk == Chunk::masked) return select(inside, next, now);
  return next;
}

// One row of a lane. `left`, `e`: what enters its first column. `score`: of its letters.
template <class Gap, class Watch>
void stage_row(const DeviceKernel<Gap> &k, Chunk chunk, vmask inside, vpos row, const vscore *score, vscore left,
               vscore *e, Stage<Gap> &s, Watch &watch) {
  const vscore entered = left;
  vscore diagonal = s.diagonal;
  watch.start_row(k.sp);
  for (int c = 0; c < k.sp.k; ++c) {
    const vscore candidate = along_diagonal(k.sp, diagonal, score[c]);
    diagonal = s.H[c];
    vscore below[Gap::slots];
    for (int n = 0; n < Gap::states; ++n) below[n] = s.F[c][n];
    // Some columns take a maximum elsewhere, so that no pipe waits for the one of maxima.
    const bool via_add = c * k.sp.fp16_max_columns % 8 < k.sp.fp16_max_columns;
    const vscore h = Gap::cell(k.sp, k.f.cell, candidate, s.H[c], left, e, below, via_add);
    left = h;
    s.H[c] = advance(chunk, inside, h, s.H[c]);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = advance(chunk, inside, below[n], s.F[c][n]);
    watch.cell(s, chunk, c, h);
  }
  s.diagonal = advance(chunk, inside, entered, s.diagonal);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = advance(chunk, inside, e[n], s.e[n]);
  watch.row(k, s, chunk, inside, row);
}

// The border left of the stage at `row`, as S.
template <class Gap>
void left_of_stage(const DeviceKernel<Gap> &k, const Group &g, int column, vpos row, const Stage<Gap> &s, vwide &h,
                   vwide *e) {
  stream_border(k, g, row, h, e);
  if (column > 0) {
    const vmask there = greater(g.target_length, row);
    const vwide otherwise = s.base + splat_wide(k.f.low);
    h = load_border(k.sp, k.a, g, row, 0, there, otherwise);
    for (int n = 0; n < Gap::states; ++n) e[n] = load_border(k.sp, k.a, g, row, 1 + n, there, otherwise);
  }
}

template <class Gap>
void fill_feed(const DeviceKernel<Gap> &k, const Group &g, int column, int t, const Stage<Gap> &s, Feed<Gap> &feed) {
  const int held = k.sp.p == 1 ? chunk_rows(k.sp) : 1;
  vfour letters;
  for (int r = 0; r < held; ++r) {
    const vpos row = splat_pos(t + r) + g.lane;
    const vmask inside = greater(g.target_length, row);
    if (k.sp.p == 1 && r % 4 == 0) {
      const vpos first = splat_pos(t + r);
      letters = load_four(k.a->target_letters, g.target_first + first, g.target_length - first);
    }
    if (k.sp.p == 1)
      feed.letters[r] = letter_of(letters, r % 4, inside, stream_pad(k.sp));
    else
      feed.letters[r] = load_letter_at(k.a->target_letters, g.target_first + row, inside, stream_pad(k.sp));
    vwide h, e[Gap::slots];
    left_of_stage(k, g, column, row, s, h, e);
    feed.h[r] = to_score(h - s.base);
    feed.out_h[r] = feed.h[r];
    for (int n = 0; n < Gap::states; ++n) {
      feed.e[r][n] = to_score(e[n] - s.base);
      feed.out_e[r][n] = feed.e[r][n];
    }
  }
}

template <class Gap>
void keep_right(const DeviceKernel<Gap> &k, const Group &g, int t, const Stage<Gap> &s, const Feed<Gap> &feed) {
  const int held = k.sp.p == 1 ? chunk_rows(k.sp) : 1;
  for (int r = 0; r < held; ++r) {
    const vpos row = splat_pos(t + r - (k.sp.p - 1)) + g.lane;
    const vmask there = greater(g.target_length, row) & greater(row, splat_pos(-1));
    store_border(k.sp, k.a, g, row, 0, there, to_wide(feed.out_h[r]) + s.base);
    for (int n = 0; n < Gap::states; ++n)
      store_border(k.sp, k.a, g, row, 1 + n, there, to_wide(feed.out_e[r][n]) + s.base);
  }
  warp_barrier();  // other lanes read it
}

// The border left of the stage differs from row to row; the one right of it is wanted.
template <class Gap>
bool loads_border(const DeviceKernel<Gap> &k, Chunk chunk) {
  return chunk != Chunk::single_stage || slanted(k.sp, k.sp.stream_begin_free, k.f.stream_gap);
}
inline bool stores_border(Chunk chunk) { return chunk != Chunk::single_stage; }

// One step of all lanes. `r`: which of the feed's rows, where a lane holds several.
template <class Gap, class Watch>
void stage_step(const DeviceKernel<Gap> &k, const Group &g, Chunk chunk, int t, int r, Feed<Gap> &feed, Stage<Gap> &s,
                Watch &watch) {
  const int p = k.sp.p, last = k.sp.k - 1;
  vscore left = feed.h[r], e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = feed.e[r][n];
  if (p == 1) {
    s.stream = feed.letters[r];
  } else {
    left = shift_up(s.H[last], left, p);
    for (int n = 0; n < Gap::states; ++n) e[n] = shift_up(s.e[n], e[n], p);
    s.stream = shift_up(s.stream, feed.letters[0], p);
    feed.letters[0] = rotate_down(feed.letters[0], p);
    if (loads_border(k, chunk)) {
      feed.h[0] = rotate_down(feed.h[0], p);
      for (int n = 0; n < Gap::states; ++n) feed.e[0][n] = rotate_down(feed.e[0][n], p);
    }
  }
  vscore score[MAX_K];
  device_scores(k.sp, k.v, k.f, s.tile, g.lane, s.stream, score);
  const vpos row = splat_pos(t) - g.lane;
  const vmask inside = greater(g.target_length, row) & greater(row, splat_pos(-1));
  stage_row(k, chunk, inside, row, score, left, e, s, watch);
  if (stores_border(chunk)) {
    if (p == 1) {
      feed.out_h[r] = s.H[last];
      for (int n = 0; n < Gap::states; ++n) feed.out_e[r][n] = s.e[n];
    } else {
      feed.out_h[0] = shift_down(feed.out_h[0], s.H[last], p);
      for (int n = 0; n < Gap::states; ++n) feed.out_e[0][n] = shift_down(feed.out_e[0][n], s.e[n], p);
    }
  }
}

template <class Gap, class Watch>
void chunk_steps(const DeviceKernel<Gap> &k, const Group &g, Chunk chunk, int t, Feed<Gap> &feed, Stage<Gap> &s,
                 Watch &watch) {
  if (k.sp.p == 1) {
    if (chunk == Chunk::single_stage) hot_row();
    for (int r = 0; r < chunk_rows(k.sp); ++r) stage_step(k, g, chunk, t + r, r, feed, s, watch);
  } else {
    for (int u = residual(0); u < k.sp.p; ++u) {
      if (chunk == Chunk::single_stage) hot_row();
      stage_step(k, g, chunk, t + u, 0, feed, s, watch);
    }
  }
  if (stores_border(chunk)) keep_right(k, g, t, s, feed);
}

// Moves the base of 16-bit scores along, so that the segment's first lane has its first H where it was.
template <class Gap>
void rebase(const DeviceKernel<Gap> &k, Stage<Gap> &s) {
  if (k.sp.base == Base::fixed) return;
  const vscore reference = first_lane(s.H[0], k.sp.p);
  const vscore delta = reference - splat(k.f.low);
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = s.H[c] - delta;
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = s.F[c][n] - delta;
  }
  s.diagonal = s.diagonal - delta;
  for (int n = 0; n < Gap::states; ++n) s.e[n] = s.e[n] - delta;
  s.base = s.base + to_wide(reference) - splat_wide(k.f.low);
}

// The chunk that begins with step t.
template <class Gap, class Watch>
void run_chunk(const DeviceKernel<Gap> &k, const Group &g, int column, int t, Stage<Gap> &s, Watch &watch,
               Answer &answer) {
  Feed<Gap> feed;
  fill_feed(k, g, column, t, s, feed);
  watch.start_chunk(k.sp);
  const bool single = column == 0 && column + k.sp.p * k.sp.k >= g.query_max;
  const bool ragged = Watch::masks && (t < k.sp.p - 1 || t + chunk_rows(k.sp) > g.target_min);
  if (single && !ragged)
    chunk_steps(k, g, Chunk::single_stage, t, feed, s, watch);
  else if (!ragged && !watch.last_column(k, g, column))
    chunk_steps(k, g, Chunk::between_stages, t, feed, s, watch);
  else
    chunk_steps(k, g, Chunk::masked, t, feed, s, watch);
  watch.end_chunk(k, g, s, t, answer);
  rebase(k, s);
}
