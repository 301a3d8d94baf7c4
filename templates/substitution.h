// Scores of a stream letter with the letters of a tile, kept in the frame (mapping `lanes`). Where they come from is a
// struct of static members:
//   prepare  what follows from a tile's letters
//   row      the scores of stream position `row`; where letters are looked up, after OwnTables::reach() has seen to it
#pragma once
#include "scores_compare.h"
#include "scores_intersect.h"
#include "scores_profile.h"
#include "scores_tables.h"

// Returns `call` of the type that the spec asks for.
#define ALN_WITH_SCORES(sp, call)                               \
  if (has_sets(sp)) return IntersectScores::call;               \
  if (!has_matrix(sp)) return CompareScores::call;              \
  if (looks_up(sp)) return OwnTables::call;                     \
  if (sp.sharing == Sharing::none) return BlendedProfile::call; \
  return Profile::call

// `profile`: first element of scratch memory for one.
template <class Gap>
Tile make_tile(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, const aln_args_v1 *a, int profile) {
  Tile tile;
  tile.memory = a->scratch;
  tile.profile = profile;
  tile.looked_up = 0;
  tile.args = a;
  tile.matrix = matrix_of(sp, a->matrix);
  tile.match = splat(v.match + frame.substitution_shift);
  tile.mismatch = splat(v.mismatch + frame.substitution_shift);
  tile.least = v.score_min + frame.substitution_shift;
  tile.most = v.score_max + frame.substitution_shift;
  tile.invalid = splat(tile.least);
  return tile;
}

// What follows from the tile's letters.
template <class Gap>
void prepare_scores(const Spec &sp, const Frame<Gap> &frame, const Tile &tile) {
  ALN_WITH_SCORES(sp, prepare(sp, frame, tile));
}
template <class Gap>
void prepare_tile(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, Tile &tile) {
  prepare_columns(sp, v, frame, tile);
  prepare_scores(sp, frame, tile);
}
template <class Gap>
void load_tile(const Spec &sp, const Scoring<Gap> &v, const Frame<Gap> &frame, const aln_args_v1 *a, int column,
               Tile &tile) {
  load_letters_of(sp, a, column, tile_columns(sp), tile);
  prepare_tile(sp, v, frame, tile);
}

// The scores of stream position `row` with the tile's letters.
inline void substitution(const Spec &sp, const Tile &tile, const aln_args_v1 *a, int row, vscore *score) {
  ALN_WITH_SCORES(sp, row(sp, tile, a, row, score));
}
