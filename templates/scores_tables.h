// A matrix, where each lane has a stream of its own: a table for each lane and register letter, which holds its score
// with every letter of the stream. The stream's letters are looked up in it sixteen rows at a time, ahead of these
// rows, which find their scores in scratch memory (L1) as those of a profile do.
//
// What a lane looks up lies side by side, so that a shuffle of bytes serves sixteen rows of a lane; what rows want lies
// lane by lane. Turning one into the other takes a shuffle for each doubling from 1 to 16, whatever the alphabet.
#pragma once
#include "scores_profile.h"

struct OwnTables {
  template <class Gap>
  static void prepare(const Spec &sp, const Frame<Gap> &frame, const Tile &tile) {
    const int entries = table_entries(sp);
    Profile::store(sp, frame, tile, 1, entries);
    for (int r = residual(sp.letters); r < entries; ++r)
      for (int c = 0; c < sp.k; ++c) store_score(tile.memory, tile.profile + r + c * entries, tile.invalid);
    for (int i = residual(0); i < tables_size(sp); i += LOOKED_UP) turn_table(tile.memory, tile.profile + i);
  }
  // Looks up the scores of row `row`, and of those behind it, before the first row that has none, or one behind that.
  static void reach(const Spec &sp, Tile &tile, const unsigned char *stream, int row, int end) {
    if (row >= tile.looked_up) {
      const int letters = tile.profile + tables_size(sp), entries = table_entries(sp);
      turn_letters(tile.memory, letters, entries, stream, row, end);
      for (int c = residual(0); c < sp.k; ++c)
        look_up(tile.memory, letters + entries + c, sp.k, tile.profile + c * entries, letters, entries, tile.least,
                tile.most);
      tile.looked_up = row + LOOKED_UP;
    }
  }
  static void row(const Spec &sp, const Tile &tile, const aln_args_v1 *, int row, vscore *score) {
    const int scores = tile.profile + tables_size(sp) + table_entries(sp);
    const int first = scores + (row + LOOKED_UP - tile.looked_up) * sp.k;
    for (int c = 0; c < sp.k; ++c) score[c] = load_score(tile.memory, first + c);
  }
};
