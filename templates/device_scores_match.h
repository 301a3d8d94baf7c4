// Match and mismatch on devices, each alignment with a query of its own.
#pragma once
#include "device_tile.h"

// A letter of the register side behind `column`.
inline vchar register_letter(const GroupArgs *a, vpos query_first, vpos query_length, vpos at) {
  return load_letter_at(a->query_letters, query_first + at, greater(query_length, at), ALN_CODE_QUERY_PAD);
}

// Compare letters and blend.
struct DeviceCompare {
  static void load(const Spec &sp, const GroupArgs *a, vpos query_first, vpos query_length, vpos column,
                   DeviceTile &tile) {
    for (int c = 0; c < sp.k; ++c)
      tile.letters[c] = register_letter(a, query_first, query_length, column + splat_pos(c));
  }
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos,
                  vchar stream, vscore *score) {
    const int shift = f.cell.substitution_shift;
    const bool folded = !sp.match.runtime && !sp.mismatch.runtime;
    bool direct = sp.base != Base::moving_unsigned_halves;
    if (folded) direct = direct || (v.match + shift >= 0 && v.mismatch + shift >= 0);
    for (int c = 0; c < sp.k; ++c) {
      const vmask same = equal(tile.letters[c], stream);
      if (direct)
        score[c] = select(same, splat(v.match + shift), splat(v.mismatch + shift));
      else  // no half of what the select yields is negative: the planner demands match >= mismatch here
        score[c] = select(same, splat(v.match - v.mismatch), splat(0)) + splat(v.mismatch + shift);
    }
  }
};

// Bits of a score that a row of bytes holds, from its first that is set to its last; 8: none does, as it is negative or
// above 127.
inline int bits_of_byte(int score) {
  if (score < 0 || score > 127) return 8;
  int odd = score, bits = 0;
  while (odd > 0 && odd % 2 == 0) odd = odd / 2;
  for (; odd > 0; odd = odd / 2) bits = bits + 1;
  return bits;
}
// A smallest extension, with which the frame shears; -1 where it comes with the call.
template <class Gap>
int folded_shear(const GapSetting *settings) {
  int least = settings[0].extend.value;
  for (int n = 0; n < Gap::lines; ++n) {
    if (settings[n].extend.runtime) return -1;
    least = min(least, settings[n].extend.value);
  }
  return least;
}
// Bits that the bytes of DevicePermute need for what `row` puts into them; 8: they do not do.
template <class Gap>
int permute_bits(const Spec &sp) {
  const int stream = folded_shear<Gap>(sp.stream_gap), registers = folded_shear<Gap>(sp.register_gap);
  if (sp.scores != Scores::compare || sp.match.runtime || sp.mismatch.runtime || stream < 0 || registers < 0) return 8;
  const int match = sp.match.value, mismatch = sp.mismatch.value, shift = stream + registers;
  if (floored(sp)) return bits_of_byte(match - mismatch);
  if (sp.wildcard) return mismatch + shift < 0 ? 8 : bits_of_byte(match - mismatch);
  return max(bits_of_byte(match + shift), bits_of_byte(mismatch + shift));
}

// Of at most four letters, packed scores: once per step a row of bytes is made of what the stream letter scores with
// each letter, and a register letter looks its own up by a permutation of bytes, one instruction.
struct DevicePermute {
  static void load(const Spec &sp, const GroupArgs *a, vpos query_first, vpos query_length, vpos column,
                   DeviceTile &tile) {
    for (int c = 0; c < sp.k; ++c)
      tile.letters[c] = permute_index(register_letter(a, query_first, query_length, column + splat_pos(c)));
  }
  template <class Gap>
  static void row(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos,
                  vchar stream, vscore *score) {
    const int shift = f.cell.substitution_shift;
    // A wildcard or pad scores the mismatch and selects 0, so that the row holds what a match scores beyond it; a row
    // of bytes has no negative scores either.
    int mismatch = 0;
    if (sp.wildcard || floored(sp)) mismatch = v.mismatch + shift;
    const vrow row = permute_row(stream, v.match + shift - mismatch, v.mismatch + shift - mismatch);
    for (int c = 0; c < sp.k; ++c) score[c] = permute_lookup(row, tile.letters[c]) + splat(mismatch);
  }
};
