// Match and mismatch of sets of states: two letters match where they have a state in common.
//
// A shared stream says of which sets its letters are: their scores with a tile's columns are a profile, flagged columns
// included, so that neither sets nor flags cost a cell anything. Where each lane has a stream of its own its letters
// are compared.
#pragma once
#include "columns.h"

struct IntersectScores {
  // Column c against a letter of which `byte(b)` has the states.
  template <class Byte>
  static vscore score(const Spec &sp, const Tile &tile, int c, Byte byte) {
    vmask met = meets(tile.letters[c * letter_bytes(sp)], byte(0));
    for (int b = 1; b < letter_bytes(sp); ++b) met = met | meets(tile.letters[c * letter_bytes(sp) + b], byte(b));
    return select(met, tile.matches[c], tile.mismatches[c]);
  }
  struct OfSet {
    const int *sets;
    int first;
    vchar operator()(int b) const { return splat_letter(load_int(sets, first + b)); }
  };
  struct OfLane {
    const aln_args_v1 *a;
    int row;
    vchar operator()(int b) const { return load_letters(a->stream_letters, b * a->stream_rows + row); }
  };

  template <class Gap>
  static void prepare(const Spec &sp, const Frame<Gap> &, const Tile &tile) {
    if (sp.sharing == Sharing::none) return;
    for (int r = residual(0); r < tile.args->stream_sets; ++r) {
      OfSet set;
      set.sets = tile.args->stream_set;
      set.first = r * letter_bytes(sp);
      for (int c = 0; c < sp.k; ++c) store_score(tile.memory, tile.profile + r * sp.k + c, score(sp, tile, c, set));
    }
  }
  static void row(const Spec &sp, const Tile &tile, const aln_args_v1 *a, int row, vscore *score_of) {
    if (sp.sharing == Sharing::none) {
      OfLane letter;
      letter.a = a;
      letter.row = row;
      for (int c = 0; c < sp.k; ++c) score_of[c] = score(sp, tile, c, letter);
    } else {
      const int first = tile.profile + load_letter(a->stream_letters, row) * sp.k;
      for (int c = 0; c < sp.k; ++c) score_of[c] = load_score(tile.memory, first + c);
    }
  }
};
