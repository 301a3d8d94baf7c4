// A stage: p lanes of a warp, k register letters each, and the stream letters that run past them.
//
// At step t lane l scores row t - l of its k columns; H and E of its last column and the stream letter go on to
// lane l + 1 by a shuffle. Steps come in chunks. Before a chunk its stream letters and the border left of the stage
// are read, one row per lane, and behind it the border right of the stage is written, one row per lane: memory is
// touched once per chunk, coalesced. A segment of one lane (p = 1) holds the rows of a chunk in registers instead.
//
// Rows that a lane has not reached or has passed: where the watch needs no masks their letters are pads, which gain
// nothing; elsewhere the first and last chunks are masked: a lane keeps its state until its first row and behind its
// last. So at the end of a stage every lane holds its last row.
#pragma once
#include "device_watch.h"
#include "stage_letters.h"
#include "way.h"

// What follows from the lanes' bases.
template <class Gap>
void follow_base(const DeviceKernel<Gap> &k, Stage<Gap> &s) {
  // A floor of 0; where it is too low to be kept no score comes near it.
  s.floor = to_score(max(splat_wide(0) - s.base, splat_wide(k.sp.lowest)));
  if (k.sp.base == Base::moving_by_lane) s.slope = to_score(shift_up(s.base, s.base, sharing_lanes(k.sp)) - s.base);
}

template <class Gap>
void start_stage(const DeviceKernel<Gap> &k, const Group &g, int column, Stage<Gap> &s) {
  s.first = splat_pos(column) + g.lane * splat_pos(k.sp.k);
  s.last_column = g.query_length - s.first;
  start_borders(k, g, column, s);
  follow_base(k, s);
  start_letters(k, s);
  for (int r = 0; r < k.sp.skew; ++r) {
    s.late_h[r] = s.H[k.sp.k - 1];
    for (int n = 0; n < Gap::states; ++n) s.late_e[r][n] = s.e[n];
    s.late_stream[r] = s.stream;
  }
  load_device_tile(k.sp, k.a, g.query_first, g.query_length, s.first, s.tile);
}

// What a row makes of a lane's state: a lane outside its rows keeps it.
inline vscore advance(Chunk chunk, vmask inside, vscore next, vscore now) {
  if (chunk == Chunk::masked) return select(inside, next, now);
  return next;
}

// One row of a lane. `left`, `e`: what enters its first column. `score`: of its letters.
//
// A watch that traces is told where the scores of each cell come from.
template <class Gap, class Watch>
void stage_row(const DeviceKernel<Gap> &k, const Group &g, Chunk chunk, vmask inside, vpos row, const vscore *score,
               vscore left, vscore *e, Stage<Gap> &s, Watch &watch) {
  const vscore entered = left;
  vscore diagonal = s.diagonal;
  Frame<Gap> frame = k.f.cell;
  frame.stream_gap = costs_of_row(k, s.set);
  watch.start_row(k.sp);
  for (int c = 0; c < k.sp.k; ++c) {
    vscore candidate = along_diagonal(k.sp, diagonal, score[c]);
    const vscore floor = raise_to_floor(k.sp, s.floor, candidate);
    WayOfGap<Gap> deletion, insertion;  // the stream side is the target
    if constexpr (Watch::traces) {
      start_way<Gap>(deletion, k.f.cell.stream_gap, s.H[c], s.F[c]);
      start_way<Gap>(insertion, k.f.cell.register_gap, left, e);
    }
    diagonal = s.H[c];
    vscore above = s.H[c], below[Gap::slots], entered[Gap::slots];
    for (int n = 0; n < Gap::states; ++n) below[n] = s.F[c][n];
    enter_row<Gap>(k.sp, frame.stream_gap, above, below);
    for (int n = 0; n < Gap::states; ++n) entered[n] = below[n];
    const vscore h = Gap::cell(k.sp, frame, candidate, above, left, e, below, off_pipe(k.sp, c));
    hand_down<Gap>(k.sp, entered, below);
    if constexpr (Watch::traces) {
      end_way<Gap>(deletion, below);
      end_way<Gap>(insertion, e);
      typename Watch::Code code = watch.code(k.sp, c);
      Gap::way(k.sp, floor, candidate, h, deletion, insertion, code);
      watch.came_from(k, c, code);
    }
    vscore kept = h;
    const vpos ahead = row - s.first - splat_pos(c);
    if (chunk == Chunk::masked) keep_existing(k, g, ahead, kept, e, below);
    left = kept;
    s.H[c] = advance(chunk, inside, kept, s.H[c]);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = advance(chunk, inside, below[n], s.F[c][n]);
    watch.cell(s, chunk, c, kept);
  }
  s.diagonal = advance(chunk, inside, entered, s.diagonal);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = advance(chunk, inside, e[n], s.e[n]);
  watch.row(k, s, chunk, inside, row);
}

// What a lane's feed is relative to: it goes to the segment's first lane.
template <class Gap>
vwide base_of_first(const DeviceKernel<Gap> &k, const Stage<Gap> &s) {
  vwide base = s.base;
  if (k.sp.base == Base::moving_by_lane) base = first_lane(s.base, sharing_lanes(k.sp));
  return base;
}

// The border left of the stage at `row`, as S.
template <class Gap>
void left_of_stage(const DeviceKernel<Gap> &k, const Group &g, int column, int first, vpos row, const Stage<Gap> &s,
                   vwide &h, vwide *e) {
  stream_border(k, g, row, h, e);
  if (column > 0) {
    const vmask there = greater(g.target_length, row);
    const vwide otherwise = base_of_first(k, s) + splat_wide(k.f.low);
    h = load_border(k.sp, k.a, g, first, row, 0, there, otherwise);
    for (int n = 0; n < Gap::states; ++n) e[n] = load_border(k.sp, k.a, g, first, row, 1 + n, there, otherwise);
    enter_window(k, first, row, there, h, e);
  }
}

// Lane l of what leaves a stage on the right has, behind a chunk that began with step t, row t + l - this; the last
// `chunk_rows` lanes have the rows that the chunk has left.
inline int rows_behind(const Spec &sp) {
  const int lanes = sharing_lanes(sp), apart = sp.skew * (lanes - 1);
  return fills_vector(sp) ? apart + lanes - chunk_rows(sp) : apart;
}

template <class Gap>
void fill_feed(const DeviceKernel<Gap> &k, const Group &g, int column, int t, const Stage<Gap> &s, Feed<Gap> &feed) {
  const int held = k.sp.p == 1 ? chunk_rows(k.sp) : 1;
  vfour four;
  const vwide base = base_of_first(k, s);
  for (int r = 0; r < held; ++r) {
    const vpos row = splat_pos(t + r) + g.lane;
    const vmask inside = greater(g.target_length, row);
    fill_letter(k, g, t, r, row, inside, four, feed);
    vwide h, e[Gap::slots];
    left_of_stage(k, g, column, t + r, row, s, h, e);
    feed.h[r] = to_score(h - base);
    feed.out_h[r] = feed.h[r];
    for (int n = 0; n < Gap::states; ++n) {
      feed.e[r][n] = to_score(e[n] - base);
      feed.out_e[r][n] = feed.e[r][n];
    }
  }
}

template <class Gap>
void keep_right(const DeviceKernel<Gap> &k, const Group &g, int t, const Stage<Gap> &s, const Feed<Gap> &feed) {
  const int held = k.sp.p == 1 ? chunk_rows(k.sp) : 1;
  vwide base = s.base;
  if (k.sp.base == Base::moving_by_lane) base = last_lane(s.base, sharing_lanes(k.sp));
  for (int r = 0; r < held; ++r) {
    const int first = t + r - rows_behind(k.sp);
    const vpos row = splat_pos(first) + g.lane;
    const vmask there = greater(g.target_length, row) & greater(row, splat_pos(-1));
    store_border(k.sp, k.a, g, first, row, 0, there, to_wide(feed.out_h[r]) + base);
    for (int n = 0; n < Gap::states; ++n)
      store_border(k.sp, k.a, g, first, row, 1 + n, there, to_wide(feed.out_e[r][n]) + base);
  }
  warp_barrier();  // other lanes read it
}

// The border left of the stage differs from row to row; the one right of it is wanted.
template <class Gap>
bool loads_border(const DeviceKernel<Gap> &k, Chunk chunk) {
  return chunk != Chunk::single_stage || left_border_slants(k);
}
template <class Watch>
bool stores_border(Chunk chunk) {
  return chunk != Chunk::single_stage && Watch::hands_on;
}

// What the lanes behind take up at a step.
template <class Gap>
struct Passed {
  vscore h, e[Gap::slots];
  vchar stream;
};
template <class Gap>
Passed<Gap> passed_on(const DeviceKernel<Gap> &k, int r, const Stage<Gap> &s) {
  Passed<Gap> passed;
  const bool late = k.sp.skew > 1;
  if (late) {
    passed.h = s.late_h[r];
    for (int n = 0; n < Gap::states; ++n) passed.e[n] = s.late_e[r][n];
    passed.stream = s.late_stream[r];
  } else {
    passed.h = s.H[k.sp.k - 1];
    for (int n = 0; n < Gap::states; ++n) passed.e[n] = s.e[n];
    passed.stream = s.stream;
  }
  return passed;
}

// Keeps what the lanes behind take up later. Masked chunks, whose text is long and seldom run, take one step per turn
// and move what is kept; the others take turns of as many steps as it takes, and nothing moves.
template <class Gap>
void keep_late(const DeviceKernel<Gap> &k, Chunk chunk, int r, Stage<Gap> &s) {
  const int last = k.sp.skew - 1;
  int place = r;
  if (chunk == Chunk::masked) {
    place = last;
    for (int i = 0; i < last; ++i) {
      s.late_h[i] = s.late_h[i + 1];
      for (int n = 0; n < Gap::states; ++n) s.late_e[i][n] = s.late_e[i + 1][n];
      s.late_stream[i] = s.late_stream[i + 1];
    }
  }
  s.late_h[place] = s.H[k.sp.k - 1];
  for (int n = 0; n < Gap::states; ++n) s.late_e[place][n] = s.e[n];
  s.late_stream[place] = s.stream;
}

// One step of all lanes. `r`: which of the feed's rows, where a lane holds several; else of the rows between lanes.
template <class Gap, class Watch>
void stage_step(const DeviceKernel<Gap> &k, const Group &g, Chunk chunk, int t, int r, Feed<Gap> &feed, Stage<Gap> &s,
                Watch &watch) {
  const int p = sharing_lanes(k.sp), last = k.sp.k - 1;
  const int held = k.sp.p == 1 ? r : 0;
  vscore left = feed.h[held], e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = feed.e[held][n];
  if (k.sp.p == 1) {
    take_letter(k, r, s.stream, feed, s);
  } else {
    const Passed<Gap> passed = passed_on(k, r, s);
    left = shift_up(passed.h, left, p);
    for (int n = 0; n < Gap::states; ++n) e[n] = shift_up(passed.e[n], e[n], p);
    take_letter(k, r, passed.stream, feed, s);
    if (k.sp.base == Base::moving_by_lane) {
      left = left + s.slope;
      for (int n = 0; n < Gap::states; ++n) e[n] = e[n] + s.slope;
    }
    if (loads_border(k, chunk)) {
      feed.h[0] = rotate_down(feed.h[0], p);
      for (int n = 0; n < Gap::states; ++n) feed.e[0][n] = rotate_down(feed.e[0][n], p);
    }
  }
  vscore score[MAX_K];
  score_letter(k, g, s, score);
  const vpos row = splat_pos(t) - g.late;
  const vmask inside = greater(g.target_length, row) & greater(row, splat_pos(-1));
  stage_row(k, g, chunk, inside, row, score, left, e, s, watch);
  if (k.sp.skew > 1) keep_late(k, chunk, r, s);
  if (stores_border<Watch>(chunk)) {
    if (k.sp.p == 1) {
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
    const int turn = chunk == Chunk::masked ? 1 : k.sp.skew;
    for (int u = residual(0); u < chunk_rows(k.sp); u += turn) {
      if (chunk == (fills_vector(k.sp) ? Chunk::between_stages : Chunk::single_stage)) hot_row();
      for (int r = 0; r < turn; ++r) stage_step(k, g, chunk, t + u + r, r, feed, s, watch);
    }
  }
}

// Moves the base of 16-bit scores along, so that the segment's first lane has its first H where it was.
template <class Gap>
void rebase(const DeviceKernel<Gap> &k, Stage<Gap> &s) {
  if (k.sp.base == Base::fixed) return;
  vscore reference = s.H[0];
  if (k.sp.base != Base::moving_by_lane) reference = first_lane(s.H[0], sharing_lanes(k.sp));
  const vscore delta = reference - splat(k.f.low);
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = s.H[c] - delta;
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = s.F[c][n] - delta;
  }
  s.diagonal = s.diagonal - delta;
  for (int n = 0; n < Gap::states; ++n) s.e[n] = s.e[n] - delta;
  if (k.sp.skew > 1) {
    for (int r = 0; r < k.sp.skew; ++r) {
      s.late_h[r] = s.late_h[r] - delta;
      for (int n = 0; n < Gap::states; ++n) s.late_e[r][n] = s.late_e[r][n] - delta;
    }
  }
  s.base = s.base + to_wide(reference) - splat_wide(k.f.low);
  follow_base(k, s);
}

// The chunk that begins with step t.
template <class Gap, class Watch>
void run_chunk(const DeviceKernel<Gap> &k, const Group &g, int column, int t, Stage<Gap> &s, Watch &watch,
               Answer &answer) {
  Feed<Gap> feed;
  fill_feed(k, g, column, t, s, feed);
  watch.start_chunk(k, s, answer);
  // Vectors have no text for a stage that is the only one: their pairs are long.
  const bool single = !fills_vector(k.sp) && column == 0 && column + sharing_lanes(k.sp) * k.sp.k >= g.query_max;
  bool ragged =
      Watch::masks(k.sp) && (t < k.sp.skew * (sharing_lanes(k.sp) - 1) || t + chunk_rows(k.sp) > g.target_min);
  ragged = ragged || leaves_band(k, g, column, t);
  if (single && !ragged) {
    chunk_steps(k, g, Chunk::single_stage, t, feed, s, watch);
  } else {
    if (!ragged && !watch.last_column(k, g, column))
      chunk_steps(k, g, Chunk::between_stages, t, feed, s, watch);
    else
      chunk_steps(k, g, Chunk::masked, t, feed, s, watch);
    // Once for both: where each had stores and a barrier, LLVM joined them into one text, and PoCL took the lanes that
    // store for all lanes.
    if (Watch::hands_on) keep_right(k, g, t, s, feed);
  }
  watch.end_chunk(k, g, s, t, answer);
  rebase(k, s);
}
