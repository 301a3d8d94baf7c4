// Profiles on devices: the scores of each stream letter with the register letters, in the block's shared memory.
#pragma once
#include "device_tile.h"

// The profile of the stage that begins at `column`. All warps of the block share the work.
template <class Gap>
void build_profile(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const GroupArgs *a,
                   const int *matrix, vpos first, vpos length, vpos lane, int column) {
  const bool single = sp.sharing == Sharing::single_query;
  const int together = single ? sp.packing : 1;  // columns of a word
  const int bias = single ? lone_bias(sp, v, f) : 0;
  vpos row[MAX_K];
  for (int c = 0; c < sp.k; c += together) {
    vpos own = splat_pos(column + c) + lane * splat_pos(sp.k);
    if (single) own = own + half_index();
    row[c] = register_row(sp, a, first, own, length);
  }
  for (int r = warp_index(); r <= sp.letters; r += sp.warps) {
    const vpos word = (splat_pos(r * quads(sp) * sp.p) + lane) * splat_pos(4);
    for (int c = 0; c < sp.k; c += together) {
      const int n = c / together;
      store_shared(word + splat_pos(n / 4 * sp.p * 4 + n % 4),
                   to_score(kept_score(sp, v, f, matrix, row[c], splat_pos(r)) + splat_wide(bias)));
    }
  }
}

// First word of the stream letter's row.
inline vpos profile_word(const Spec &sp, vpos lane, vchar stream) {
  vpos row = to_pos(stream);
  if (!has_matrix(sp)) row = score_row(sp, stream);
  return (row * splat_pos(quads(sp) * sp.p) + lane) * splat_pos(4);
}

// Element (r, c) of a lane is the score of stream letter r with its register letter c, for all queries packed in a
// score; read four columns at a time. The lanes of a segment lie next to each other, 16 bytes each, so that eight of
// them never meet in a bank, whatever the letters.
struct SharedProfile {
  static void load(const Spec &, const GroupArgs *, vpos, vpos, vpos, DeviceTile &) {}
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &, const DeviceFrame<Gap> &, const DeviceTile &, vpos lane,
                  vchar stream, vscore *score) {
    const vpos word = profile_word(sp, lane, stream);
    for (int c = 0; c < sp.k; c += 4) {
      const vquad quad = load_quad(word + splat_pos(c / 4 * sp.p * 4));
      for (int i = 0; i < min(sp.k - c, 4); ++i) score[c + i] = element(quad, i);
    }
  }
};

// Of one query: a word holds scores of neighbouring columns, as many as a lane has alignments, and each alignment reads
// the row of its own stream letter. Half the memory of the above, one instruction more a cell.
struct SingleQueryProfile {
  static void load(const Spec &, const GroupArgs *, vpos, vpos, vpos, DeviceTile &) {}
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &, vpos lane,
                  vchar stream, vscore *score) {
    const vpos word = profile_word(sp, lane, stream);
    const int columns = quad_columns(sp);
    for (int c = 0; c < sp.k; c += columns) {
      const vquads quads = load_quads(word + splat_pos(c / columns * sp.p * 4));
      for (int i = 0; i < min(sp.k - c, columns); ++i) score[c + i] = element(quads, i) + splat(-lone_bias(sp, v, f));
    }
  }
};
