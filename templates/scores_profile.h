// A matrix, as a profile of the tile: element r * k + c is the score of stream letter r with register letter c of every
// lane, kept in scratch memory (L1) and rebuilt for every strip.
#pragma once
#include "tile.h"

// A shared stream reads one row of it (Rognes 2011, SWIPE).
struct Profile {
  template <class Gap>
  static void prepare(const Spec &sp, const Frame<Gap> &frame, const Tile &tile) {
    store(sp, frame, tile, sp.k, 1);
  }
  // The score of stream letter r with register letter c at r * row_step + c * column_step.
  template <class Gap>
  static void store(const Spec &sp, const Frame<Gap> &frame, const Tile &tile, int row_step, int column_step) {
    const vscore shift = splat(frame.substitution_shift);
    // A pad looks up entry 31, which holds the smallest score unless the alphabet fills the row.
    const bool full_row = sp.letters == MAX_LETTERS;
    const vchar pad = splat_letter(ALN_CODE_TARGET_PAD);
    for (int r = residual(0); r < sp.letters; ++r) {
      const vtable row = load_table(tile.matrix, r);
      for (int c = 0; c < sp.k; ++c) {
        vscore score = lookup(row, tile.letters[c]) + shift;
        if (full_row) score = select(equal(tile.letters[c], pad), tile.invalid, score);
        store_score(tile.memory, tile.profile + r * row_step + c * column_step, score);
      }
    }
  }
  static void row(const Spec &sp, const Tile &tile, const aln_args_v1 *a, int row, vscore *score) {
    const int first = tile.profile + load_letter(a->stream_letters, row) * sp.k;
    for (int c = 0; c < sp.k; ++c) score[c] = load_score(tile.memory, first + c);
  }
};

// Where each lane has a stream of its own, it picks its row by compare and blend.
struct BlendedProfile {
  template <class Gap>
  static void prepare(const Spec &sp, const Frame<Gap> &frame, const Tile &tile) {
    Profile::prepare(sp, frame, tile);
  }
  static void row(const Spec &sp, const Tile &tile, const aln_args_v1 *a, int row, vscore *score) {
    const vchar letter = stream_letter(sp, a->stream_letters, row);
    for (int c = 0; c < sp.k; ++c) score[c] = tile.invalid;
    for (int r = residual(0); r < sp.letters; ++r) {
      const vmask here = equal(letter, splat_letter(r));
      for (int c = 0; c < sp.k; ++c)
        score[c] = select(here, load_score(tile.memory, tile.profile + r * sp.k + c), score[c]);
    }
  }
};
