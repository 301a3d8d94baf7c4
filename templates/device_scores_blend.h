// A matrix where all lanes of a vector share an alignment: a profile of the stage, in scratch memory (L1), from which
// each lane picks the row of its own stream letter by compare and blend, as in scores_profile.h.
#pragma once
#include "device_tile.h"

// Element r * k + c: the score of stream letter r with register letter c of every lane.
template <class Gap>
void store_blended_profile(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const GroupArgs *a,
                           const int *matrix, vpos first, vpos length) {
  if (!has_matrix(sp)) return;
  for (int c = 0; c < sp.k; ++c) {
    const vpos query_row = register_row(sp, a, splat_pos(0), first + splat_pos(c), length);
    for (int r = residual(0); r < sp.letters; ++r)
      store_score(a->scratch, r * sp.k + c, to_score(kept_score(sp, v, f, matrix, query_row, splat_pos(r))));
  }
}

struct BlendedStage {
  static void load(const Spec &, const GroupArgs *a, vpos, vpos, vpos, DeviceTile &tile) { tile.profile = a->scratch; }
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos,
                  vchar stream, vscore *score) {
    for (int c = 0; c < sp.k; ++c) score[c] = splat(v.score_min + f.cell.substitution_shift);
    for (int r = residual(0); r < sp.letters; ++r) {
      const vmask here = equal(stream, splat_letter(r));
      for (int c = 0; c < sp.k; ++c) score[c] = select(here, load_score(tile.profile, r * sp.k + c), score[c]);
    }
  }
};
