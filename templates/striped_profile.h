// The profile of a stage of mapping `striped`, in scratch memory (L1): element r * k + c is the score of stream letter
// r with the c-th letter of every lane's stripe. A row of the stream reads one of its rows.
#pragma once
#include "device_tile.h"

// The row of a stream letter. Where letters are compared, pads and wildcards have one behind the alphabet.
inline int striped_profile_row(const Spec &sp, int letter) {
  if (has_matrix(sp)) return letter;
  return min(letter, sp.letters);
}

// The c-th letters of the stripes, of which lane l's begins at `first`; behind the query a pad, which no letter matches
// and whose entry of a matrix is the last one (kernel_abi.h).
inline vchar striped_letters(const GroupArgs *a, vpos first, int c, vpos length) {
  const vpos place = first + splat_pos(c);
  return load_letter_at(a->query_letters, place, greater(length, place), ALN_CODE_TARGET_PAD);
}

// `length`: of the query; `stripe`: letters of each lane.
template <class Gap>
void store_striped_profile(const DeviceKernel<Gap> &k, vpos first, vpos length, int stripe) {
  const Spec &sp = k.sp;
  const int shift = k.f.cell.substitution_shift;
  if (has_matrix(sp)) {
    // A letter's scores with all others are a column of the matrix; they are read once.
    vtable column[MAX_LETTERS];
    for (int r = 0; r < sp.letters; ++r) column[r] = load_column(k.matrix, r);
    const vchar pad = splat_letter(ALN_CODE_TARGET_PAD);
    for (int c = residual(0); c < stripe; ++c) {
      const vchar letters = striped_letters(k.a, first, c, length);
      for (int r = 0; r < sp.letters; ++r) {
        vscore score = lookup(column[r], letters) + splat(shift);
        // A pad looks up entry 31, which holds the smallest score unless the alphabet fills the row.
        if (sp.letters == MAX_LETTERS) score = select(equal(letters, pad), splat(k.v.score_min + shift), score);
        store_score(k.a->scratch, r * sp.k + c, score);
      }
    }
  } else {
    const vscore match = splat(k.v.match + shift), mismatch = splat(k.v.mismatch + shift);
    for (int c = residual(0); c < stripe; ++c) {
      const vchar letters = striped_letters(k.a, first, c, length);
      for (int r = 0; r < sp.letters; ++r)
        store_score(k.a->scratch, r * sp.k + c, select(equal(letters, splat_letter(r)), match, mismatch));
      store_score(k.a->scratch, sp.letters * sp.k + c, mismatch);
    }
  }
}
