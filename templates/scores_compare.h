// Match and mismatch: compare letters and blend.
#pragma once
#include "tile.h"

struct CompareScores {
  template <class Gap>
  static void prepare(const Spec &, const Frame<Gap> &, const Tile &) {}
  static void row(const Spec &sp, const Tile &tile, const aln_args_v1 *a, int row, vscore *score) {
    const vchar letter = stream_letter(sp, a->stream_letters, row);
    for (int c = 0; c < sp.k; ++c) score[c] = select(equal(tile.letters[c], letter), tile.match, tile.mismatch);
  }
};
