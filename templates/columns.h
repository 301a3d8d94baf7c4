// Columns that differ: sets of states, flagged columns, borders and cells that do not exist (mapping `lanes`).
//
// Frame. Where alignments have no floor such kernels shear the register side within a strip alone: at stream row i and
// column c of a strip (both from 1) a score is kept as
//           H + shear of the stream's gaps * i + what a gap's last line takes for the strip's columns up to c,
// the strip's borders without the latter. So a gap along the register side costs its open, at flagged columns nothing,
// though each lane has flags of its own; and the range serves a register side of any length, as long as the scores do.
// Nothing is guarded: `exact` says for which lengths no score can leave the range, or `usable`, beside a base of each
// lane's own (exactness.h).
//
// Cells and borders that do not exist hold `nothing`, a score below all others that a step along the diagonal does not
// lift above any of them; what gaps open behind them is not far below.
#pragma once
#include "tile.h"

// Columns that a tile knows: behind its own the one that a gap goes on into.
inline int tile_columns(const Spec &sp) { return has_flag_cost(sp) ? sp.k + 1 : sp.k; }

inline int letters_of_tile(const Spec &sp) { return tile_columns(sp) * letter_bytes(sp); }

// The flag of a letter of several bytes.
inline vmask flagged(const Spec &sp, const vchar *letter) {
  const int byte = sp.states / ALN_STATES_OF_BYTE, bit = sp.states - byte * ALN_STATES_OF_BYTE;
  int mask = 1;
  for (int i = 0; i < bit; ++i) mask = mask + mask;
  return meets(letter[byte], splat_letter(mask));
}
inline vmask flagged(const Spec &sp, const Tile &tile, int c) {
  return flagged(sp, tile.letters + c * letter_bytes(sp));
}

inline void load_letters_of(const Spec &sp, const aln_args_v1 *a, int column, int columns, Tile &tile) {
  for (int c = 0; c < columns; ++c)
    for (int b = 0; b < letter_bytes(sp); ++b)
      tile.letters[c * letter_bytes(sp) + b] = load_letters(a->register_letters, b * a->register_rows + column + c);
}

// What a letter of a gap takes in the frame at a column that is flagged in some lanes.
template <class Gap>
FrameCosts<Gap> flagged_costs(const Spec &sp, const FrameCosts<Gap> &usual, vmask flag) {
  FrameCosts<Gap> costs = usual;
  const int kept = floored(sp) ? sp.flag_cost : 0;
  for (int n = 0; n < Gap::lines; ++n) {
    costs.open[n] = select(flag, splat(kept), usual.open[n]);
    if (floored(sp) || n < Gap::lines - 1) costs.extend[n] = select(flag, splat(kept), usual.extend[n]);
  }
  return costs;
}

// What follows from the tile's letters beside their scores.
template <class Gap>
void prepare_columns(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, Tile &tile) {
  vscore raise = splat(0);
  for (int c = 0; c < tile_columns(sp) && (by_strip(sp) || has_sets(sp)); ++c) {
    vscore shift = splat(shear(v.register_gap));
    vmask flag = no_lanes();
    if (has_flags(sp)) flag = flagged(sp, tile, c);
    if (has_flag_cost(sp)) {
      const FrameCosts<Gap> costs = flagged_costs<Gap>(sp, frame.register_gap, flag);
      for (int n = 0; n < Gap::lines; ++n) {
        tile.open[c][n] = costs.open[n];
        tile.longer[c][n] = costs.extend[n];
      }
      shift = select(flag, splat(sp.flag_cost), shift);
    }
    if (c < sp.k) {
      vscore match = splat(v.match), mismatch = splat(v.mismatch);
      if (sp.flag_score != 0) {
        match = select(flag, splat(v.match + sp.flag_score), match);
        mismatch = select(flag, splat(v.mismatch + sp.flag_score), mismatch);
      }
      if (!floored(sp)) {
        raise = raise + shift;
        tile.raise[c] = raise;
        match = match + shift + splat(shear(v.stream_gap));
        mismatch = mismatch + shift + splat(shear(v.stream_gap));
      }
      tile.matches[c] = match;
      tile.mismatches[c] = mismatch;
    }
  }
}

// The frame of a cell in column c. A gap state is handed on with the cost of the next column's letter; where there is
// none a cell takes off its own.
template <class Gap>
Frame<Gap> column_frame(const Spec &sp, const Frame<Gap> &frame, const Tile &tile, int c) {
  Frame<Gap> here = frame;
  if (!has_flag_cost(sp)) return here;
  const int priced = Gap::states > 0 ? c + 1 : c;
  for (int n = 0; n < Gap::lines; ++n) {
    here.register_gap.open[n] = tile.open[priced][n];
    here.register_gap.extend[n] = tile.longer[priced][n];
  }
  return here;
}

// The most that a letter of a gap along the register side takes on its last line.
template <class Gap, class Number>
Number most_shear(const Spec &sp, const Scoring<Gap, Number> &v) {
  return max(shear(v.register_gap), Number(has_flag_cost(sp) ? sp.flag_cost : 0));
}
// What such a step, and the columns of a strip, add to a kept score at most.
template <class Gap, class Number>
Number most_step(const Spec &sp, const Scoring<Gap, Number> &v) {
  return max(v.score_max + shear(v.stream_gap) + most_shear(sp, v), Number(0));
}
template <class Gap, class Number>
Number most_raise(const Spec &sp, const Scoring<Gap, Number> &v) {
  return Number(sp.k) * most_shear(sp, v);
}
// How far below the scores that count there are others: gap states, diagonals, what a strip's columns are taken off.
template <class Gap, class Number>
Number strip_room(const Spec &sp, const Scoring<Gap, Number> &v) {
  const Number opens = gap_depth(v);
  return max(opens, max(-v.score_min, Number(0))) + most_raise(sp, v) + most_step(sp, v);
}

template <class Gap>
int nothing(const Spec &sp, const Scoring<Gap> &v) {
  return sp.lowest + strip_room(sp, v);
}

// How far scores rise above the corner's, and fall below it, in a matrix of these lengths. Two gaps reach every cell,
// one where the other side's begin is free; where cells or borders do not exist, so does a path along the diagonal with
// them.
template <class Gap, class Number>
Number strip_growth(const Spec &sp, const Scoring<Gap, Number> &v, Number stream, Number registers) {
  return max(v.score_max, Number(0)) * min(stream, registers) + shear(v.stream_gap) * stream + most_raise(sp, v) +
         most_step(sp, v);
}
template <class Gap, class Number>
Number strip_fall(const Spec &sp, const Scoring<Gap, Number> &v, Number stream, Number registers) {
  Number fall = reach(v.stream_gap) + strip_room(sp, v) + most_step(sp, v) + Number(1);
  if (!register_begin_free(sp)) fall = fall + reach(v.register_gap) + most_shear(sp, v) * registers;
  if (irregular(sp)) fall = fall + max(-v.score_min, Number(0)) * min(stream, registers) + shear(v.stream_gap) * stream;
  return fall;
}
