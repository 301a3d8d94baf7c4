// A stage: p lanes of a warp, k register letters each, and the stream letters that run past them.
//
// At step t lane l scores row t - l of its k columns; H and E of its last column and the stream letter go on to
// lane l + 1 by a shuffle. Steps come in chunks. Before a chunk its stream letters and the border left of the stage
// are read, one row a lane, and behind it the border right of the stage is written, one row a lane: memory is touched
// once a chunk, coalesced. A segment of one lane (p = 1) holds the rows of a chunk in registers instead.
//
// Rows that a lane has not reached or has passed: in local alignments their letters are pads, which gain nothing, so
// that they need no care; elsewhere the first and last chunks are run carefully: a lane keeps its state until its first
// row and behind its last. So at the end of a stage every lane holds its last row.
//
// The border right of a stage is kept as S itself (device_frame.h), a total of 32 bits each for H and every gap state,
// in place: a row is read by a stage before it is written by it.
#pragma once
#include "answer.h"
#include "device_scores.h"

// The alignments of a group, each lane's own.
struct Group {
  vpos lane;       // of the segment
  vpos alignment;  // its index; the last one where there is none
  vmask stored;    // not a repetition
  vpos query_first, query_length, target_first, target_length;
  int query_min, query_max, target_min, target_max;  // over the warp
  int border;                                        // first element of the group's border in global memory
  vpos slot;                                         // of the alignment in its group
  int slots;                                         // alignments of the group
};

template <class Gap>
struct Stage {
  vscore H[MAX_K], F[MAX_K][Gap::slots];
  DeviceTile tile;       // of the register side
  vscore diagonal;       // H left of the lane's first column, one row up
  vscore e[Gap::slots];  // E that leaves the last column
  vchar stream;          // the lane's stream letter
  vwide base;
  vpos first;        // the lane's first column
  vpos last_column;  // of the alignment, 1-based from `first`; outside 1..k where it is another lane's or stage's
  vscore best;       // local: of all cells; free stream end: of the last column, in this chunk
  vpos row, column;  // where `best` is, if `end`
};

// What enters a stage from the left and leaves it on the right, a chunk of rows.
template <class Gap>
struct Feed {
  vscore h[MAX_ROWS], e[MAX_ROWS][Gap::slots];
  vchar letters[MAX_ROWS];
  vscore out_h[MAX_ROWS], out_e[MAX_ROWS][Gap::slots];
};

// How a chunk is run. All static.
struct ChunkKind {
  bool careful;  // some lanes are before their first or behind their last row
  bool left;     // the border left of the stage differs from row to row
  bool right;    // the border right of the stage is wanted
  bool tail;     // the best of the last column is wanted
};

// The border right of a stage: element of `state` (0 H, behind it the gap states) at `row`. Mapping `block` keeps a
// short one in the block's own memory.
inline vpos border_element(const Spec &sp, const Group &g, vpos row, int state) {
  const int states = border_states(sp);
  return row * splat_pos(states * g.slots) + splat_pos(state * g.slots) + g.slot;
}
inline vwide load_border(const Spec &sp, const aln_device_args_v1 *a, const Group &g, vpos row, int state, vmask there,
                         vwide otherwise) {
  const vpos element = border_element(sp, g, row, state);
  vwide value;
  if (sp.shared_rows > 0 && a->border_rows <= sp.shared_rows)
    value = load_shared_wide(splat_pos(border_word(sp)) + element, there, otherwise);
  else
    value = load_wide_at(a->border, splat_pos(g.border) + element, there, otherwise);
  return value;
}
inline void store_border(const Spec &sp, const aln_device_args_v1 *a, const Group &g, vpos row, int state, vmask there,
                         vwide value) {
  const vpos element = border_element(sp, g, row, state);
  if (sp.shared_rows > 0 && a->border_rows <= sp.shared_rows)
    store_shared_wide(splat_pos(border_word(sp)) + element, there, value);
  else
    store_wide_at(a->border, splat_pos(g.border) + element, there, value);
}

template <class Gap>
void start_stage(const Spec &sp, const DeviceFrame<Gap> &f, const Group &g, int column, Stage<Gap> &s) {
  s.first = splat_pos(column) + g.lane * splat_pos(sp.k);
  s.last_column = g.query_length - s.first;
  const bool free = sp.register_begin_free;
  const int corner = border_total(sp, free, f.register_gap, column + 1) - f.low;
  int base = 0;
  if (sp.rebased) base = corner;
  s.base = splat_wide(base);
  for (int c = 0; c < sp.k; ++c) {
    if (slanted(sp, free, f.register_gap))
      s.H[c] = to_score(to_wide(border_total(sp, free, f.register_gap, s.first + splat_pos(c + 1))) - s.base);
    else
      s.H[c] = splat(border_total(sp, free, f.register_gap, 1) - base);
    Gap::open(sp, f.cell.stream_gap, s.H[c], s.F[c]);
  }
  if (slanted(sp, free, f.register_gap))
    s.diagonal = to_score(to_wide(border_total(sp, free, f.register_gap, s.first)) - s.base);
  else
    s.diagonal = splat(border_total(sp, free, f.register_gap, 1) - base);
  // A free border is 0 at the corner by itself.
  if (!sp.local && !free) s.diagonal = select(equal(s.first, splat_pos(0)), splat(0 - base), s.diagonal);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = splat(f.low);
  s.stream = splat_letter(stream_pad(sp));
}

// What a row makes of a lane's state: a lane outside its rows keeps it.
inline vscore advance(const ChunkKind &kind, vmask inside, vscore next, vscore now) {
  if (kind.careful) return select(inside, next, now);
  return next;
}

// One row of a lane. `left`, `e`: what enters its first column. `score`: of its letters.
template <class Gap>
void stage_row(const Spec &sp, const DeviceFrame<Gap> &f, const ChunkKind &kind, vmask inside, vpos row,
               const vscore *score, vscore left, vscore *e, Stage<Gap> &s) {
  const vscore entered = left;
  vscore diagonal = s.diagonal;
  vscore last = splat(sp.lowest);
  vscore row_best;
  for (int c = 0; c < sp.k; ++c) {
    vscore candidate;
    if (sp.local && sp.floor_diagonal)
      candidate = add_floor0(diagonal, score[c]);
    else
      candidate = diagonal + score[c];
    diagonal = s.H[c];
    vscore below[Gap::slots];
    for (int n = 0; n < Gap::states; ++n) below[n] = s.F[c][n];
    // Some columns take a maximum elsewhere, so that no pipe waits for the one of maxima.
    const vscore h = Gap::cell(sp, f.cell, candidate, s.H[c], left, e, below, c * sp.eased % 8 < sp.eased);
    left = h;
    s.H[c] = advance(kind, inside, h, s.H[c]);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = advance(kind, inside, below[n], s.F[c][n]);
    if (sp.local) {
      if (c == 0)
        row_best = h;
      else
        row_best = choose(row_best, h);
    }
    if (kind.tail) last = select(equal(s.last_column, splat_pos(c + 1)), h, last);
  }
  s.diagonal = advance(kind, inside, entered, s.diagonal);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = advance(kind, inside, e[n], s.e[n]);
  if (sp.local) {
    if (sp.end) {
      const vmask better = greater(row_best, s.best);
      if (any(better)) {
        vpos column = splat_pos(0);
        for (int c = sp.k - 1; c >= 0; --c) column = select(equal(s.H[c], row_best), splat_pos(c), column);
        s.column = select(better, s.first + column, s.column);
        s.row = select(better, row, s.row);
        s.best = choose(s.best, row_best);
      }
    } else {
      s.best = choose(s.best, row_best);
    }
  }
  if (kind.tail) {
    const vscore moved = s.best + splat(shear(f.stream_gap));
    vmask better = greater(last, moved);
    if (kind.careful) better = better & inside;
    s.best = select(better, last, moved);
    if (sp.end) s.row = select(better, row, s.row);
  }
}

// The border left of the stage at `row`, as S.
template <class Gap>
void left_of_stage(const Spec &sp, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a, const Group &g, int column,
                   vpos row, const Stage<Gap> &s, vwide &h, vwide *e) {
  const bool free = sp.stream_begin_free;
  if (slanted(sp, free, f.stream_gap))
    // Behind its end an alignment's border stands: growing on it would leave its half of a register.
    h = to_wide(border_total(sp, free, f.stream_gap, min(row + splat_pos(1), g.target_length)));
  else
    h = splat_wide(border_total(sp, free, f.stream_gap, 1));
  for (int n = 0; n < Gap::states; ++n) {
    int open = 0;
    if (!sp.local) open = f.register_gap.open[n] + steeper(f.register_gap, n);
    e[n] = h - splat_wide(open);
  }
  if (column > 0) {
    const vmask there = greater(g.target_length, row);
    const vwide otherwise = s.base + splat_wide(f.low);
    h = load_border(sp, a, g, row, 0, there, otherwise);
    for (int n = 0; n < Gap::states; ++n) e[n] = load_border(sp, a, g, row, 1 + n, there, otherwise);
  }
}

template <class Gap>
void fill_feed(const Spec &sp, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a, const Group &g, int column,
               int t, const Stage<Gap> &s, Feed<Gap> &feed) {
  const int held = sp.p == 1 ? chunk_rows(sp) : 1;
  vfour letters;
  for (int r = 0; r < held; ++r) {
    const vpos row = splat_pos(t + r) + g.lane;
    const vmask inside = greater(g.target_length, row);
    if (sp.p == 1 && r % 4 == 0) {
      const vpos first = splat_pos(t + r);
      letters = load_four(a->target_letters, g.target_first + first, g.target_length - first);
    }
    if (sp.p == 1)
      feed.letters[r] = letter_of(letters, r % 4, inside, stream_pad(sp));
    else
      feed.letters[r] = load_letter_at(a->target_letters, g.target_first + row, inside, stream_pad(sp));
    vwide h, e[Gap::slots];
    left_of_stage(sp, f, a, g, column, row, s, h, e);
    feed.h[r] = to_score(h - s.base);
    feed.out_h[r] = feed.h[r];
    for (int n = 0; n < Gap::states; ++n) {
      feed.e[r][n] = to_score(e[n] - s.base);
      feed.out_e[r][n] = feed.e[r][n];
    }
  }
}

template <class Gap>
void keep_right(const Spec &sp, const aln_device_args_v1 *a, const Group &g, int t, const Stage<Gap> &s,
                const Feed<Gap> &feed) {
  const int held = sp.p == 1 ? chunk_rows(sp) : 1;
  for (int r = 0; r < held; ++r) {
    const vpos row = splat_pos(t + r - (sp.p - 1)) + g.lane;
    const vmask there = greater(g.target_length, row) & greater(row, splat_pos(-1));
    store_border(sp, a, g, row, 0, there, to_wide(feed.out_h[r]) + s.base);
    for (int n = 0; n < Gap::states; ++n) store_border(sp, a, g, row, 1 + n, there, to_wide(feed.out_e[r][n]) + s.base);
  }
  warp_barrier();  // other lanes read it
}

// One step of all lanes. `r`: which of the feed's rows, where a lane holds several.
template <class Gap>
void stage_step(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const Group &g, const ChunkKind &kind,
                int t, int r, Feed<Gap> &feed, Stage<Gap> &s) {
  vscore left = feed.h[r], e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = feed.e[r][n];
  if (sp.p == 1) {
    s.stream = feed.letters[r];
  } else {
    left = shift_up(s.H[sp.k - 1], left, sp.p);
    for (int n = 0; n < Gap::states; ++n) e[n] = shift_up(s.e[n], e[n], sp.p);
    s.stream = shift_up(s.stream, feed.letters[0], sp.p);
    feed.letters[0] = rotate_down(feed.letters[0], sp.p);
    if (kind.left) {
      feed.h[0] = rotate_down(feed.h[0], sp.p);
      for (int n = 0; n < Gap::states; ++n) feed.e[0][n] = rotate_down(feed.e[0][n], sp.p);
    }
  }
  vscore score[MAX_K];
  device_scores(sp, v, f, s.tile, g.lane, s.stream, score);
  const vpos row = splat_pos(t) - g.lane;
  const vmask inside = greater(g.target_length, row) & greater(row, splat_pos(-1));
  stage_row(sp, f, kind, inside, row, score, left, e, s);
  if (kind.right) {
    if (sp.p == 1) {
      feed.out_h[r] = s.H[sp.k - 1];
      for (int n = 0; n < Gap::states; ++n) feed.out_e[r][n] = s.e[n];
    } else {
      feed.out_h[0] = shift_down(feed.out_h[0], s.H[sp.k - 1], sp.p);
      for (int n = 0; n < Gap::states; ++n) feed.out_e[0][n] = shift_down(feed.out_e[0][n], s.e[n], sp.p);
    }
  }
}

template <class Gap>
void chunk_steps(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a,
                 const Group &g, const ChunkKind &kind, int t, Feed<Gap> &feed, Stage<Gap> &s) {
  if (sp.p == 1) {
    for (int r = 0; r < chunk_rows(sp); ++r) stage_step(sp, v, f, g, kind, t + r, r, feed, s);
  } else {
    for (int u = residual(0); u < sp.p; ++u) stage_step(sp, v, f, g, kind, t + u, 0, feed, s);
  }
  if (kind.right) keep_right(sp, a, g, t, s, feed);
}

// The chunk that begins with step t.
template <class Gap>
void run_chunk(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a,
               const Group &g, int column, int t, Stage<Gap> &s, Answer &answer) {
  const int rows = chunk_rows(sp);
  Feed<Gap> feed;
  fill_feed(sp, f, a, g, column, t, s, feed);
  const bool tail = !sp.local && sp.stream_end_free;
  if (tail) {
    s.best = splat(sp.lowest);
    s.row = splat_pos(-1);
  }
  const bool last = column + sp.p * sp.k >= g.query_max;
  const bool single = column == 0 && last;
  // Plain rows without a border on either side; plain rows of a stage between others; and all that is seldom.
  ChunkKind inner = {false, slanted(sp, sp.stream_begin_free, f.stream_gap), false, tail};
  ChunkKind between = {false, true, true, false};
  ChunkKind careful = {!sp.local, true, true, tail};
  if (sp.local) {
    if (single)
      chunk_steps(sp, v, f, a, g, inner, t, feed, s);
    else
      chunk_steps(sp, v, f, a, g, between, t, feed, s);
  } else {
    const bool ragged = t < sp.p - 1 || t + rows > g.target_min;
    bool middle = !ragged;
    if (tail) middle = middle && column + sp.p * sp.k < g.query_min;
    if (single && !ragged)
      chunk_steps(sp, v, f, a, g, inner, t, feed, s);
    else if (middle)
      chunk_steps(sp, v, f, a, g, between, t, feed, s);
    else
      chunk_steps(sp, v, f, a, g, careful, t, feed, s);
  }
  if (tail) {
    // The best of these rows, as it was on the last of them: take off what S grows by on the way there.
    const vpos behind = splat_pos(t + rows) - g.lane;
    const vwide sheared =
        to_wide(behind * splat_pos(shear(f.stream_gap))) + to_wide(g.query_length * splat_pos(shear(f.register_gap)));
    const vmask here = greater(s.last_column, splat_pos(0)) & greater(splat_pos(sp.k + 1), s.last_column) &
                       greater(s.best, splat(sp.lowest + rows * shear(f.stream_gap)));
    vwide row;
    if (sp.end) row = to_wide(s.row);
    consider(sp, answer, here, to_wide(s.best) + s.base - sheared, row, to_wide(g.query_length - splat_pos(1)));
  }
  if (sp.rebased) {
    const vscore reference = first_lane(s.H[0], sp.p);
    const vscore delta = reference - splat(f.low);
    for (int c = 0; c < sp.k; ++c) {
      s.H[c] = s.H[c] - delta;
      for (int n = 0; n < Gap::states; ++n) s.F[c][n] = s.F[c][n] - delta;
    }
    s.diagonal = s.diagonal - delta;
    for (int n = 0; n < Gap::states; ++n) s.e[n] = s.e[n] - delta;
    s.base = s.base + to_wide(reference) - splat_wide(f.low);
  }
}

// What a finished stage contributes: the corner, or its part of the last row.
template <class Gap>
void finish_stage(const Spec &sp, const DeviceFrame<Gap> &f, const Group &g, const Stage<Gap> &s, Answer &answer) {
  if (sp.local) return;
  const vwide row = to_wide(g.target_length - splat_pos(1));
  const vwide sheared = to_wide(g.target_length * splat_pos(shear(f.stream_gap))) +
                        to_wide((s.first + splat_pos(1)) * splat_pos(shear(f.register_gap))) - s.base;
  if (sp.register_end_free) {
    vscore best = s.H[0];
    vpos column = splat_pos(0);
    for (int c = 1; c < sp.k; ++c) {
      const vscore h = s.H[c] - splat(c * shear(f.register_gap));
      const vmask better = greater(s.last_column, splat_pos(c)) & greater(h, best);
      best = select(better, h, best);
      if (sp.end) column = select(better, splat_pos(c), column);
    }
    consider(sp, answer, greater(s.last_column, splat_pos(0)), to_wide(best) - sheared, row, to_wide(s.first + column));
  } else if (!sp.stream_end_free) {
    vscore corner = s.H[0];
    for (int c = 1; c < sp.k; ++c) corner = select(equal(s.last_column, splat_pos(c + 1)), s.H[c], corner);
    const vmask here = greater(s.last_column, splat_pos(0)) & greater(splat_pos(sp.k + 1), s.last_column);
    const vwide columns = to_wide((s.last_column - splat_pos(1)) * splat_pos(shear(f.register_gap)));
    consider(sp, answer, here, to_wide(corner) - sheared - columns, row, to_wide(g.query_length - splat_pos(1)));
  }
}
