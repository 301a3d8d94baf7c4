// Lane mapping `lanes`: one alignment per lane. k letters of the register side are held at a time (a strip), the
// stream side runs past them; the strip's last column goes through scratch memory to the next strip.
//
// Ragged lengths are exact without a mask in the inner loop: the stream is run in segments that end where some
// lane's stream ends (segment_end), and a lane's result is captured between segments, at its own last row and
// column. Cells behind a lane's end are computed and never used.
//
// A search of one query against many targets of unequal lengths refills its lanes (Rognes 2011): where a target ends,
// the lane's next one begins with the next strip, so that short targets do not wait for long ones.
//
// Scratch memory, elements of one vscore per lane: for each stream row the H that leaves the strip and behind it each
// E (three such regions where replay.h is at work), behind all rows the profile of substitution.h.
#pragma once
#include "border.h"
#include "ends.h"
#include "replay.h"
#include "substitution.h"

// What a strip carries from row to row.
template <class Gap>
struct Strip {
  vscore H[MAX_K], F[MAX_K][Gap::slots];
  vscore diagonal;  // H left of the strip, one row up
  vscore watched;   // largest value that could still hide a wrap
  vscore best;      // local: of all cells; free stream end: of the lane's last column, in the current row's frame
  StripEnd end;
};

// What the lanes have found so far.
struct Found {
  vscore score;        // captured in the frame of the lane's last row and column
  vwide register_end;  // free register end: best of the last row, less the origin and the strip's columns
  vscore watched;
  FoundEnd end;
};

template <class Gap>
void start_strip(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, int column, Strip<Gap> &s) {
  for (int c = 0; c < sp.k; ++c) {
    s.H[c] = splat(register_border(sp, v, frame, column + c + 1));
    Gap::open(sp, frame.stream_gap, s.H[c], s.F[c]);
  }
  const int corner = column == 0 ? frame.origin : register_border(sp, v, frame, column);
  s.diagonal = splat(corner);
  s.watched = splat(sp.lowest);
  if (!sp.local && sp.stream_end_free) {
    s.best = splat(sp.lowest);
    if (sp.end) s.end.row = splat_wide(0);  // the first row's score may be the lowest
  }
}

// What the rows of a strip do besides scoring.
struct RowKind {
  bool tail;           // the best of the lanes' last column is wanted
  vscore last_column;  // which of the strip's columns that is, 1-based; 0 or k + 1 where it is none
  vscore stream_step;  // moves a kept score to the frame of the next row
  bool fresh;          // some lanes begin a sequence with this strip: left of it there is nothing
  vmask fresh_lanes;
  bool keep;    // some lanes remember the strip before (replay.h)
  bool replay;  // each lane's own strip once more
  Replay own;
};

// Elements of scratch memory: H left of the strip at a row, behind it E; and where those that leave it go.
inline int entering(const Spec &sp, const RowKind &kind, int row) {
  if (replays(sp)) return kind.own.entering + row_elements(sp) * row;
  return row_elements(sp) * row;
}
inline int leaving(const Spec &sp, const RowKind &kind, int row) {
  if (replays(sp)) return kind.own.leaving + row_elements(sp) * row;
  return row_elements(sp) * row;
}

template <class Gap>
void strip_row(const Spec &sp, const Frame<Gap> &frame, const Tile &tile, const aln_args_v1 *a, const RowKind &kind,
               int row, Strip<Gap> &s) {
  vscore score[MAX_K];
  substitution(sp, tile, a->stream_letters, row, score);
  if (kind.keep) remember_border(sp, a, kind.own, row);
  vscore left = load_score(a->scratch, entering(sp, kind, row));
  vscore e[Gap::slots];
  for (int n = 0; n < Gap::states; ++n) e[n] = load_score(a->scratch, entering(sp, kind, row) + 1 + n);
  if (kind.replay) {
    left = own_border(a, kind.own, row_elements(sp) * row);
    for (int n = 0; n < Gap::states; ++n) e[n] = own_border(a, kind.own, row_elements(sp) * row + 1 + n);
  }
  if (kind.fresh) {
    left = select(kind.fresh_lanes, splat(0), left);
    for (int n = 0; n < Gap::states; ++n) e[n] = select(kind.fresh_lanes, splat(0), e[n]);
  }
  const bool watches = sp.local && sp.end && (sp.refill || kind.replay);
  const vscore next_diagonal = left;
  for (int c = 0; c < sp.k; ++c) {
    const vscore diagonal = s.diagonal + score[c];
    s.diagonal = s.H[c];
    s.H[c] = Gap::cell(sp, frame, diagonal, s.H[c], left, e, s.F[c], false);
    left = s.H[c];
    if (sp.local && !watches) s.best = choose(s.best, left);
  }
  if (watches) watch_row(sp, s.H, row, s.best, s.end);
  s.diagonal = next_diagonal;
  store_score(a->scratch, leaving(sp, kind, row), left);
  for (int n = 0; n < Gap::states; ++n) store_score(a->scratch, leaving(sp, kind, row) + 1 + n, e[n]);
  if (!sp.local) s.watched = max(s.watched, left);
  if (kind.tail) {
    vscore last = left;
    for (int c = 0; c < sp.k - 1; ++c) last = select(equal(kind.last_column, splat(c + 1)), s.H[c], last);
    if (sp.end) watch_last_column(s.best + kind.stream_step, last, row, s.end);
    s.best = choose(s.best + kind.stream_step, last);
    s.watched = max(s.watched, s.best);
  }
}

// Between two segments: keeps the result of the lanes whose stream ends here.
template <class Gap>
void capture(const Spec &sp, const Strip<Gap> &s, int column, vmask ends_here, vscore last_column, vscore columns,
             vwide column_shift, Found &found) {
  if (sp.stream_end_free) {
    // The lane's last column is one of this strip's if 1 <= last_column <= k; it is clamped to 0..k+1.
    const vmask inside = ends_here & greater(last_column, splat(0)) & greater(splat(sp.k + 1), last_column);
    found.score = select(inside, s.best, found.score);
    if (sp.end) found.end.row = select(inside, s.end.row, found.end.row);
  } else if (!sp.register_end_free) {
    for (int c = 0; c < sp.k; ++c)
      found.score = select(ends_here & equal(last_column, splat(c + 1)), s.H[c], found.score);
  }
  if (sp.register_end_free) {
    // In the frame of the strip's own border, so that its columns compare; earlier strips by column_shift.
    vscore best = splat(sp.lowest);
    vscore best_column = splat(0);
    vscore shift = columns;
    for (int c = 0; c < sp.k; ++c) {
      if (sp.end) {
        const vmask better = greater(last_column, splat(c)) & greater(s.H[c] - shift, best);
        best_column = select(better, splat(c), best_column);
      }
      best = choose(best, select(greater(last_column, splat(c)), s.H[c] - shift, best));
      shift = shift + columns;
    }
    if (sp.end) {
      const vmask better = ends_here & greater(to_wide(best) - column_shift, found.register_end);
      found.end.column = select(better, to_wide(best_column) + splat_wide(column), found.end.column);
    }
    found.register_end = select(ends_here, max(found.register_end, to_wide(best) - column_shift), found.register_end);
  }
  found.watched = select(ends_here, max(found.watched, s.watched), found.watched);
}

// Rows up to `end`, for a kind that is known only at run time: two loops, so that neither tests it.
template <class Gap>
void strip_rows(const Spec &sp, const Frame<Gap> &frame, const Tile &tile, const aln_args_v1 *a, RowKind kind, int end,
                int &row, Strip<Gap> &s) {
  const bool special = kind.tail || kind.fresh || kind.keep;
  RowKind plain = kind;
  plain.tail = false;
  plain.fresh = false;
  plain.keep = false;
  kind.tail = !sp.local && sp.stream_end_free;
  kind.fresh = sp.refill;
  kind.keep = replays(sp);
  if (special) {
    for (; row < end; ++row) strip_row(sp, frame, tile, a, kind, row, s);
  } else {
    if (sp.rows > 1) {
      for (; row + sp.rows <= end; row += sp.rows)
        for (int r = 0; r < sp.rows; ++r) strip_row(sp, frame, tile, a, plain, row + r, s);
    }
    for (; row < end; ++row) strip_row(sp, frame, tile, a, plain, row, s);
  }
}

// Hands out what the lanes have found; those that begin a sequence forget it.
template <class Gap>
void refill_lanes(const Spec &sp, const Frame<Gap> &frame, const aln_args_v1 *a, int column, int refill,
                  vmask fresh_lanes, Strip<Gap> &s, Found &found) {
  store_wide(a->score, refill, to_wide(s.best));
  store_mask(a->status, refill, greater(s.best, splat(frame.limit)));
  if (sp.end) {
    store_local_end(sp, a, refill, s.best, s.end, found.end);
    found.end.sequence = select(fresh_lanes, splat_wide(column), found.end.sequence);
  }
  s.best = select(fresh_lanes, splat(0), s.best);
}

// Runs each lane's own strip once more, to find its best there.
template <class Gap>
void replay(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, const aln_args_v1 *a, const int *matrix,
            const Replay &own, Tile &tile, Strip<Gap> &s, Found &found) {
  for (int c = 0; c < sp.k; ++c) tile.letters[c] = own.letters[c];
  fill_profile(sp, frame, matrix, tile);
  RowKind kind;
  kind.tail = false;
  kind.fresh = false;
  kind.keep = false;
  kind.replay = true;
  kind.own = own;
  start_strip(sp, v, frame, 0, s);
  const vscore best = s.best;
  s.best = best - splat(1);
  watch_strip(s.best, s.end);
  for (int row = residual(0); row < a->stream_max; ++row) strip_row(sp, frame, tile, a, kind, row, s);
  found.end.column = found.end.column + to_wide(s.end.column);
  s.best = best;  // a lane whose best never grew has replayed whatever lay in memory
}

template <class Gap>
int lanes(const Spec &sp, const aln_args_v1 *a) {
  const Scoring<Gap> v = read_scoring<Gap>(sp, a->scoring);
  const Frame<Gap> frame = make_frame(sp, v);
  const int rows = a->stream_max;
  const vpos stream_length = load_pos(a->stream_length, 0);
  const vpos register_length = load_pos(a->register_length, 0);
  const vscore stream_step = splat(shear(v.stream_gap));
  const vscore column_step = splat(shear(v.register_gap));
  const int *matrix = a->matrix;
  if (sp.matrix && !sp.matrix_runtime) matrix = folded_matrix();

  for (int i = residual(0); i < rows; ++i) {
    const vscore h = splat(stream_border(sp, v, frame, i + 1));
    vscore e[Gap::slots];
    Gap::open(sp, frame.register_gap, h, e);
    store_score(a->scratch, row_elements(sp) * i, h);
    for (int n = 0; n < Gap::states; ++n) store_score(a->scratch, row_elements(sp) * i + 1 + n, e[n]);
  }

  Tile tile;
  tile.memory = a->scratch;
  tile.profile = border_elements(sp) * rows;
  set_scores(sp, v, frame, tile);

  Found found;
  found.score = splat(sp.lowest);
  found.watched = splat(sp.lowest);
  if (sp.register_end_free) found.register_end = splat_wide(-2147483647);  // below every score, so that one is found
  Strip<Gap> s;
  if (sp.local) s.best = splat(0);
  if (sp.end) {
    s.end.row = splat_wide(-1);
    found.end.row = splat_wide(-1);
    found.end.column = splat_wide(-1);
    if (sp.refill) found.end.sequence = splat_wide(0);
  }

  Replay own;
  if (replays(sp)) start_replay(sp, rows, own);

  int refills = residual(0);  // done so far
  for (int column = residual(0); column < a->register_max; column += sp.k) {
    load_tile(sp, frame, a->register_letters, matrix, column, tile);
    start_strip(sp, v, frame, column, s);
    const vpos behind = register_length - splat_pos(column);
    RowKind kind;
    kind.last_column = to_score(min(max(behind, splat_pos(0)), splat_pos(sp.k + 1)));
    kind.stream_step = stream_step;
    kind.tail = false;
    if (!sp.local && sp.stream_end_free) kind.tail = column + sp.k >= a->register_min;
    kind.fresh = false;
    kind.fresh_lanes = equal(splat(0), splat(1));
    kind.keep = false;
    kind.replay = false;
    if (replays(sp)) {
      kind.keep = any(own.grew);
      kind.own = own;
    }
    if (sp.refill) {
      kind.fresh = load_int(a->refill_column, refills) == column;
      if (kind.fresh) {
        kind.fresh_lanes = load_mask(a->refill_lanes, refills);
        refill_lanes(sp, frame, a, column, refills, kind.fresh_lanes, s, found);
        refills = refills + 1;
      }
    }
    if (sp.refill && sp.end) watch_strip(s.best, s.end);
    const vscore best_before = s.best;
    int row = 0;
    for (int segment = residual(0); segment < a->segments; ++segment) {
      const int end = load_int(a->segment_end, segment);
      strip_rows(sp, frame, tile, a, kind, end, row, s);
      if (!sp.local) {
        const vmask ends_here = equal(stream_length, splat_pos(end));
        const vwide column_shift = splat_wide(frame.origin + column * shear(v.register_gap));
        capture(sp, s, column, ends_here, kind.last_column, column_step, column_shift, found);
      }
    }
    if (sp.refill && sp.end) keep_strip(s.end, column, found.end);
    if (replays(sp)) {
      const vmask grew = greater(s.best, best_before);
      found.end.column = select(grew, splat_wide(column), found.end.column);
      remember_strip(sp, tile, grew, own);
    }
  }

  if (replays(sp)) replay(sp, v, frame, a, matrix, own, tile, s, found);
  if (sp.local) {
    int last = 0;
    if (sp.refill) last = refills;
    store_wide(a->score, last, to_wide(s.best));
    store_mask(a->status, last, greater(s.best, splat(frame.limit)));
    if (sp.end) store_local_end(sp, a, last, s.best, s.end, found.end);
    return 0;
  }
  vwide score =
      to_wide(found.score) - splat_wide(frame.origin) - to_wide(register_length) * splat_wide(shear(v.register_gap));
  if (sp.end) store_end(sp, a, stream_length, register_length, score, found.register_end, found.end);
  if (sp.register_end_free && sp.stream_end_free) score = max(score, found.register_end);
  if (sp.register_end_free && !sp.stream_end_free) score = found.register_end;
  score = score - to_wide(stream_length) * splat_wide(shear(v.stream_gap));
  store_wide(a->score, 0, score);
  store_mask(a->status, 0, greater(found.watched, splat(frame.limit)));
  return 0;
}
