// A matrix on devices, each alignment with a query of its own: it lies in shared memory and is read cell by cell. With
// 32 replicas each lane of a warp has one in a bank of its own, so that no two lanes ever meet there.
#pragma once
#include "device_tile.h"

// The matrix: row of the register letter, then the stream letter, then the replica.
template <class Gap>
void build_table(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const int *matrix) {
  const int bias = lone_bias(sp, v, f);
  for (int r = warp_index(); r <= sp.letters; r += sp.warps)
    for (int c = residual(0); c < table_words(sp); c += sp.warp / sp.replicas) {
      // Lanes that have no word of the row left write its last one again.
      const vpos word = min(splat_pos(c) + segment_index(sp.replicas), splat_pos(table_words(sp) - 1));
      const vpos letter = min(word * splat_pos(sp.packing) + half_index(), splat_pos(sp.letters));
      store_shared((splat_pos(r * table_words(sp)) + word) * splat_pos(sp.replicas) + lane_index(sp.replicas),
                   to_score(kept_score(sp, v, f, matrix, splat_pos(r), letter) + splat_wide(bias)));
    }
}

// How far into a row, in bytes.
inline vpos table_place(const Spec &sp, vpos letter) {
  if (sp.packing == 1) return letter * splat_pos(4 * sp.replicas);
  if (sp.replicas == 1) return letter * splat_pos(2);
  return letter * splat_pos(2) + halved(letter) * splat_pos(4 * sp.replicas - 4);
}

struct DeviceTable {
  static void load(const Spec &sp, const GroupArgs *a, vpos query_first, vpos query_length, vpos column,
                   DeviceTile &tile) {
    for (int c = 0; c < sp.k; ++c)
      tile.rows[c] = (register_row(sp, a, query_first, column + splat_pos(c), query_length) *
                          splat_pos(table_words(sp) * sp.replicas) +
                      lane_index(sp.replicas)) *
                     splat_pos(4);
  }
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos,
                  vchar stream, vscore *score) {
    const vpos place = table_place(sp, to_pos(stream));
    for (int c = 0; c < sp.k; ++c) score[c] = gather_score(tile.rows[c] + place) + splat(-lone_bias(sp, v, f));
  }
};
