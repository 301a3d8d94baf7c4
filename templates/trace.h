// The way back from an alignment's end to its begin, without keeping a direction for each cell: with m stream letters
// and n strips memory grows with m * n borders where all are kept, and with m * sqrt(n) where sections run again.
//
// While the rows run, the border that enters each strip is kept, and every `patch_rows` rows the states that the next
// ones begin with. Then, from the last strip to the first and from the lanes' lowest row up, patches are run again,
// those alone that some lane's path goes through: each cell leaves where its scores come from (way.h), and the lanes
// walk until they leave the patch. Where keeping every strip's border takes too much memory, that of the first strip of
// every section of `kept_strips` is kept, and a section's strips run once more, keeping borders and states, before the
// way goes through them.
//
// Lanes walk side by side, whichever strip and patch they are in. Where each has a base of its own (lane_base.h) what
// is kept of a row is relative to its chunk's, and a patch begins with one.
#pragma once
#include "ends.h"
#include "sections.h"
#include "strip.h"

// Nothing is kept: the way back is not asked for.
struct NothingKept {
  static constexpr bool walks = false;
  template <class Gap>
  void start(const Kernel<Gap> &) {}
  template <class Gap>
  void start_strip(const Kernel<Gap> &) {}
  template <class Gap>
  void row(const Kernel<Gap> &, const Strip<Gap> &, int, vscore, const vscore *) {}
};

// First elements of what is kept, as memory.h lays it out.
struct Kept {
  static constexpr bool walks = true;
  int codes, states, borders;
  int states_size;  // of a strip
  Sections sections;
  // Where the current strip's go: its border, if not -1; the states of the next patch, and that patch's first row; a
  // chunk's floor, and its first row.
  int border, state, next_patch, floor, next_chunk;

  template <class Gap>
  void start(const Kernel<Gap> &k) {
    const int kept_strips = k.a->kept_strips;
    codes = stream_elements(k.sp) * k.a->stream_max + profile_size(k.sp);
    states = codes + patch_elements(k.sp);
    states_size = kernel_memory::strip_states(states_per_row(k.sp), k.a->stream_max, k.sp.patch_rows);
    borders = states + kept_strips * states_size;
    const int border_size = kernel_memory::strip_border(kept_per_row(k.sp), k.a->stream_max);
    sections.start(k.a, k.sp.k, kernel_memory::end_of_section(states, kept_strips, states_size, border_size),
                   border_size);
  }
  // Before each strip, in turn.
  template <class Gap>
  void start_strip(const Kernel<Gap> &k) {
    sections.next_strip(k.a, k.sp.k);
    if (sections.one) {
      keep_strip();
    } else {
      border = sections.strip == 0 ? sections.border : -1;
      next_patch = -1;
      next_chunk = -1;
      state = states;
    }
  }
  // The current strip's border and all its states.
  void keep_strip() {
    border = borders + sections.strip * sections.border_size;
    state = states + sections.strip * states_size;
    next_patch = 0;
    next_chunk = 0;
  }
  // Before the cells of a row: what enters it.
  template <class Gap>
  void row(const Kernel<Gap> &k, const Strip<Gap> &s, int row, vscore left, const vscore *e) {
    if (border >= 0) {
      const int element = border + kept_per_row(k.sp) * row;
      store_score(k.a->scratch, element, left);
      for (int n = 0; n < Gap::states; ++n) store_score(k.a->scratch, element + 1 + n, e[n]);
    }
    if (row == next_patch) {
      for (int c = 0; c < k.sp.k; ++c) {
        const int element = state + c * (1 + Gap::states);
        store_score(k.a->scratch, element, s.H[c]);
        for (int n = 0; n < Gap::states; ++n) store_score(k.a->scratch, element + 1 + n, s.F[c][n]);
      }
      floor = state + column_elements(k.sp);
      state = state + state_elements(k.sp);
      next_patch = next_patch + k.sp.patch_rows;
    }
    if (k.sp.floor == Floor::moving) {
      if (row == next_chunk) {
        store_score(k.a->scratch, floor, s.floor);
        floor = floor + 1;
        next_chunk = next_chunk + k.sp.chunk;
      }
    }
  }
};

// Where the lanes are.
template <class Gap>
struct Walk {
  using W = Way<Gap>;
  vscore state;       // arrived, or where the lane comes from, seen from the cell that it stands in
  vwide row, column;  // that cell; -1: the border
  // The run of the CIGAR that is under way: the operation's number (M, I, D), its letters; and runs before it.
  vscore kind;
  vwide length, runs;

  void start(const Kernel<Gap> &k) {
    row = to_wide(load_pos(query_ends(k.a), 0));
    column = to_wide(load_pos(target_ends(k.a), 0));
    // Whatever the scores, each step leads up or left, so that what overflowed arrives too, somewhere.
    state = select(greater(row, splat_wide(-1)), splat(W::diagonal), splat(W::arrived));
    kind = splat(0);
    length = splat_wide(0);
    runs = splat_wide(0);
  }
  // Lanes that have not arrived and stand in this row and column or behind them.
  vmask behind(int first_row, int first_column) const {
    return greater(state, splat(W::arrived)) & greater(row, splat_wide(first_row - 1)) &
           greater(column, splat_wide(first_column - 1));
  }

  // Hands out the runs of these lanes and begins new ones.
  void end_run(const Kernel<Gap> &k, vmask where, vscore next) {
    const vmask ended = where & greater(length, splat_wide(0));
    const vmask room = ended & greater(splat_wide(k.a->cigar_room), runs);
    store_own(k.a->cigar, runs, room, length * splat_wide(16) + to_wide(kind));
    runs = runs + to_wide(select(ended, splat(1), splat(0)));
    kind = select(where, next, kind);
    length = select(where, splat_wide(0), length);
  }
  // `letters` more of an operation in these lanes.
  void take(const Kernel<Gap> &k, vmask where, vscore operation, vwide letters) {
    if (!wants_cigar(k.sp)) return;
    const vmask other = where & (greater(operation, kind) | greater(kind, operation));
    if (any(other)) end_run(k, other, operation);
    length = length + select(where, letters, splat_wide(0));
  }

  // Through the patch that begins with this row and column, whose codes are at hand.
  void through_patch(const Kernel<Gap> &k, int codes, int first_row, int first_column) {
    const vmask here = behind(first_row, first_column);
    // Rows and columns in the patch, and the cell's element among the codes.
    vscore r = to_score(row - splat_wide(first_row)), c = to_score(column - splat_wide(first_column));
    vwide element = (row - splat_wide(first_row)) * splat_wide(k.sp.k) + (column - splat_wide(first_column));
    vscore on = select(here, state, splat(W::arrived));
    while (any(greater(on, splat(W::arrived)))) {
      const vmask walking = greater(on, splat(W::arrived));
      const vscore code = load_own(k.a->scratch, select(walking, element, splat_wide(0)) + splat_wide(codes));
      vmask goes_on = no_lanes();
      for (int n = 0; n < Gap::states; ++n) {
        goes_on = goes_on | passes(code, on, W::deletion + n);
        goes_on = goes_on | passes(code, on, W::insertion + n);
      }
      const vscore step = select(goes_on, on, bits_of(code, W::sources));
      state = select(walking, step, state);
      on = select(walking, step, splat(W::arrived));
      const vmask moves = greater(on, splat(W::arrived)), gap = greater(on, splat(W::diagonal));
      const vmask inserts = greater(on, splat(W::insertion - 1));
      const vscore one_row = select(gap, select(inserts, splat(1), splat(0)), splat(1));
      const vscore one_column = select(inserts, splat(0), splat(1));
      take(k, moves, select(gap, select(inserts, splat(1), splat(2)), splat(0)), splat_wide(1));
      r = select(moves, r - one_row, r);
      c = select(moves, c - one_column, c);
      element = element - to_wide(select(inserts, splat(k.sp.k), select(gap, splat(1), splat(k.sp.k + 1))));
      on = select(greater(r, splat(-1)) & greater(c, splat(-1)), on, splat(W::arrived));
    }
    row = select(here, to_wide(r) + splat_wide(first_row), row);
    column = select(here, to_wide(c) + splat_wide(first_column), column);
  }
  static vmask passes(vscore code, vscore on, int state) {
    return equal(on, splat(state)) & greater(bits_of(code, W::longer(state)), splat(0));
  }

  // From the border: what is left is one gap, or not aligned.
  void finish(const Kernel<Gap> &k) {
    const vmask under_way = greater(state, splat(W::arrived));
    if (!floored(k.sp) && !stream_begin_free(k.sp)) {
      const vmask down = under_way & greater(row, splat_wide(-1));
      take(k, down, splat(1), row + splat_wide(1));
      row = select(down, splat_wide(-1), row);
    }
    if (!floored(k.sp) && !register_begin_free(k.sp)) {
      const vmask along = under_way & greater(column, splat_wide(-1));
      take(k, along, splat(2), column + splat_wide(1));
      column = select(along, splat_wide(-1), column);
    }
    const vmask aligned = greater(to_wide(load_pos(query_ends(k.a), 0)), splat_wide(-1));
    store_wide(k.a->query_begin, 0, select(aligned, row + splat_wide(1), splat_wide(-1)));
    store_wide(k.a->target_begin, 0, select(aligned, column + splat_wide(1), splat_wide(-1)));
    if (wants_cigar(k.sp)) {
      end_run(k, all_lanes(), kind);
      store_wide(k.a->cigar_runs, 0, runs);
    }
  }
};
