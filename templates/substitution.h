// Substitution scores of one stream letter against a tile of k register letters, kept in the frame.
//
// match/mismatch   compare and blend.
// matrix           a profile of the tile: element r * k + c is the score of stream letter r with register letter c
//                  of every lane, kept in scratch memory (L1) and rebuilt for every strip. A shared stream reads
//                  one row of it (Rognes 2011, SWIPE); otherwise each lane picks its row by compare and blend.
#pragma once
#include "frame.h"
#include "memory.h"

struct Tile {
  vchar letters[MAX_K];
  vscore match, mismatch;
  vscore foreign;  // what a pad scores
  void *memory;    // the profile's
  int profile;     // and its first element
};

template <class Gap>
void set_scores(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, Tile &tile) {
  tile.foreign = splat(v.score_min + frame.substitution_shift);
  if (!sp.matrix) {
    tile.match = splat(v.match + frame.substitution_shift);
    tile.mismatch = splat(v.mismatch + frame.substitution_shift);
  }
}

// Makes the profile of the tile's letters.
template <class Gap>
void fill_profile(const Spec &sp, const Frame<Gap> &frame, const int *matrix, const Tile &tile) {
  if (sp.matrix) {
    const vscore shift = splat(frame.substitution_shift);
    // A pad looks up entry 31, which holds the smallest score unless the alphabet fills the row.
    const bool full_row = sp.letters == MAX_LETTERS;
    const vchar pad = splat_letter(ALN_CODE_TARGET_PAD);
    for (int r = residual(0); r < sp.letters; ++r) {
      const vtable row = load_table(matrix, r);
      for (int c = 0; c < sp.k; ++c) {
        vscore score = lookup(row, tile.letters[c]) + shift;
        if (full_row) score = select(equal(tile.letters[c], pad), tile.foreign, score);
        store_score(tile.memory, tile.profile + r * sp.k + c, score);
      }
    }
  }
}

template <class Gap>
void load_tile(const Spec &sp, const Frame<Gap> &frame, const unsigned char *letters, const int *matrix, int column,
               Tile &tile) {
  for (int c = 0; c < sp.k; ++c) tile.letters[c] = load_letters(letters, column + c);
  fill_profile(sp, frame, matrix, tile);
}

// The scores of stream position `row` with the tile's letters.
inline void substitution(const Spec &sp, const Tile &tile, const unsigned char *stream, int row, vscore *score) {
  if (sp.matrix && sp.shared) {
    const int first = tile.profile + load_letter(stream, row) * sp.k;
    for (int c = 0; c < sp.k; ++c) score[c] = load_score(tile.memory, first + c);
  } else if (sp.matrix) {
    const vchar letter = load_letters(stream, row);
    for (int c = 0; c < sp.k; ++c) score[c] = tile.foreign;
    for (int r = residual(0); r < sp.letters; ++r) {
      const vmask here = equal(letter, splat_letter(r));
      for (int c = 0; c < sp.k; ++c)
        score[c] = select(here, load_score(tile.memory, tile.profile + r * sp.k + c), score[c]);
    }
  } else {
    vchar letter;
    if (sp.shared)
      letter = splat_letter(load_letter(stream, row));
    else
      letter = load_letters(stream, row);
    for (int c = 0; c < sp.k; ++c) score[c] = select(equal(tile.letters[c], letter), tile.match, tile.mismatch);
  }
}
