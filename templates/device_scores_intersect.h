// Match and mismatch of sets of states on devices: two letters match where they have a state in common
// (scores_intersect.h). Each alignment has a query of its own; what a match scores follows from the stream letter's
// flag.
#pragma once
#include "columns.h"
#include "device_tile.h"

struct DeviceIntersect {
  static void load(const Spec &sp, const GroupArgs *a, vpos query_first, vpos query_length, vpos column,
                   DeviceTile &tile) {
    for (int c = 0; c < sp.k; ++c) {
      const vpos at = column + splat_pos(c), first = (query_first + at) * splat_pos(letter_bytes(sp));
      for (int b = 0; b < letter_bytes(sp); ++b)
        tile.letters[c * letter_bytes(sp) + b] =
            load_letter_at(a->query_letters, first + splat_pos(b), greater(query_length, at), 0);
    }
  }
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile,
                  const vchar *stream, vscore *score) {
    const int shift = f.cell.substitution_shift;
    vscore match = splat(v.match + shift), mismatch = splat(v.mismatch + shift);
    if (sp.flag_score != 0) {
      const vmask flag = flagged(sp, stream);
      match = select(flag, splat(v.match + sp.flag_score + shift), match);
      mismatch = select(flag, splat(v.mismatch + sp.flag_score + shift), mismatch);
    }
    for (int c = 0; c < sp.k; ++c) {
      vmask met = meets(tile.letters[c * letter_bytes(sp)], stream[0]);
      for (int b = 1; b < letter_bytes(sp); ++b) met = met | meets(tile.letters[c * letter_bytes(sp) + b], stream[b]);
      score[c] = select(met, match, mismatch);
    }
  }
};
