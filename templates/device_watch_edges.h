// Watches of alignments without a floor: the answer lies on an edge of the matrix, or in its corner (device_watch.h).
#pragma once
#include "window.h"

// What the frame has added to a score: for the target's letters, and for the columns up to `columns`.
template <class Gap>
vwide target_shear(const DeviceKernel<Gap> &k, vpos letters) {
  return to_wide(letters * splat_pos(shear(k.f.stream_gap)));
}
template <class Gap>
vwide query_shear(const DeviceKernel<Gap> &k, vpos columns) {
  return to_wide(columns * splat_pos(shear(k.f.register_gap)));
}

// H of the column of a lane's own number, from 0; of a number that is none of the lane's columns, of any. The masks
// stay the same from row to row, so that a row has a select for each column but one.
template <class Gap>
vscore column_of(const DeviceKernel<Gap> &k, const Stage<Gap> &s, vpos number) {
  vscore h[MAX_K];
  for (int c = 0; c < k.sp.k; ++c) h[c] = s.H[c];
  int columns = k.sp.k;
  for (int half = (columns + 1) / 2; columns > 1; half = (columns + 1) / 2) {
    const vmask upper = greater(number, splat_pos(half - 1));
    for (int c = 0; c + half < columns; ++c) h[c] = select(upper, h[c + half], h[c]);
    number = select(upper, number - splat_pos(half), number);
    columns = half;
  }
  return h[0];
}

// Where the answer may lie: in rows of the last column, which a struct with these members sees chunk by chunk, and
// where the stream ends, which another one looks at when a stage has ended. The one that sees nothing:
struct DeviceNoColumn {
  void start_chunk(const Spec &) {}
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &, const Group &, int) {
    return false;
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &, const Stage<Gap> &, Chunk, vmask, vpos) {}
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, int, Answer &) {}
};

// The rows of its last column, where the stream's end is free.
struct DeviceLastColumn {
  vscore best;  // of the chunk
  vpos row_of_best;

  void start_chunk(const Spec &sp) {
    best = splat(sp.lowest);
    row_of_best = splat_pos(-1);
  }
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &k, const Group &g, int column) {
    return column + sharing_lanes(k.sp) * k.sp.k >= g.query_min;
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &s, Chunk chunk, vmask inside, vpos row) {
    if (chunk == Chunk::between_stages) return;
    const vscore last = column_of(k, s, s.last_column - splat_pos(1));
    const vscore moved = best + splat(shear(k.f.stream_gap));
    vmask better = greater(last, moved);
    if (chunk == Chunk::masked) better = better & inside;
    best = select(better, last, moved);
    row_of_best = select(better, row, row_of_best);
  }
  // The best of these rows, as it was on the last of them: take off what S grows by on the way there.
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, int t, Answer &answer) {
    const int rows = chunk_rows(k.sp);
    const vwide sheared = target_shear(k, splat_pos(t + rows) - g.late) + query_shear(k, g.query_length);
    const vmask here = greater(s.last_column, splat_pos(0)) & greater(splat_pos(k.sp.k + 1), s.last_column) &
                       greater(best, splat(k.sp.lowest + rows * shear(k.f.stream_gap)));
    consider(k.sp, answer, here, to_wide(best) + s.base - sheared, to_wide(row_of_best),
             to_wide(g.query_length - splat_pos(1)));
  }
};

// The other one: nothing.
struct DeviceNoRow {
  template <class Gap>
  static void end_stage(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, Answer &) {}
};

// The alignment's own last cell.
struct DeviceCornerCell {
  template <class Gap>
  static void end_stage(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, Answer &answer) {
    const vscore corner = column_of(k, s, s.last_column - splat_pos(1));
    const vmask here = greater(s.last_column, splat_pos(0)) & greater(splat_pos(k.sp.k + 1), s.last_column);
    const vwide sheared = target_shear(k, g.target_length) + query_shear(k, s.first + splat_pos(1)) - s.base;
    const vwide columns = query_shear(k, s.last_column - splat_pos(1));
    consider(k.sp, answer, here, to_wide(corner) - sheared - columns, to_wide(g.target_length - splat_pos(1)),
             to_wide(g.query_length - splat_pos(1)));
  }
};

// The columns of its last row, where the register side's end is free.
struct DeviceLastRow {
  template <class Gap>
  static void end_stage(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, Answer &answer) {
    vscore best = s.H[0];
    vpos column = splat_pos(0);
    for (int c = 1; c < k.sp.k; ++c) {
      const vscore h = s.H[c] - splat(c * shear(k.f.register_gap));
      const vmask better = greater(s.last_column, splat_pos(c)) & greater(h, best);
      best = select(better, h, best);
      column = select(better, splat_pos(c), column);
    }
    const vwide sheared = target_shear(k, g.target_length) + query_shear(k, s.first + splat_pos(1)) - s.base;
    const vmask here = in_last_row(k, greater(s.last_column, splat_pos(0)));
    consider(k.sp, answer, here, to_wide(best) - sheared, to_wide(g.target_length - splat_pos(1)),
             to_wide(s.first + column));
  }
};

template <class Column, class Row>
struct DeviceEdges {
  static bool masks(const Spec &) { return true; }
  static constexpr bool traces = false, hands_on = true;
  static constexpr int nothing = -2147483647;
  Column in_column;

  void start() {}
  template <class Gap>
  void start_stage(const DeviceKernel<Gap> &, int, Answer &) {}
  template <class Gap>
  void start_chunk(const DeviceKernel<Gap> &k, const Stage<Gap> &, const Answer &) {
    in_column.start_chunk(k.sp);
  }
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &k, const Group &g, int column) {
    return Column::last_column(k, g, column);
  }
  void start_row(const Spec &) {}
  template <class Gap>
  void cell(const Stage<Gap> &, Chunk, int, vscore) {}
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &s, Chunk chunk, vmask inside, vpos row) {
    in_column.row(k, s, chunk, inside, row);
  }
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, int t, Answer &answer) {
    in_column.end_chunk(k, g, s, t, answer);
  }
  template <class Gap>
  void end_stage(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, Answer &answer) {
    Row::end_stage(k, g, s, answer);
  }
  template <class Gap>
  void finish(const DeviceKernel<Gap> &, Answer &) {}
  template <class Gap>
  static vmask exceeded(const DeviceKernel<Gap> &, const Answer &) {
    return no_lanes();
  }
};

using DeviceCorner = DeviceEdges<DeviceNoColumn, DeviceCornerCell>;
using DeviceColumn = DeviceEdges<DeviceLastColumn, DeviceNoRow>;
using DeviceRow = DeviceEdges<DeviceNoColumn, DeviceLastRow>;
using DeviceBothEdges = DeviceEdges<DeviceLastColumn, DeviceLastRow>;
