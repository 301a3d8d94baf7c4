// A tile of a device's lane: what it keeps of its register letters; and scores as numbers in the frame. Pads and
// wildcards have codes beyond the alphabet: profiles and tables have one row more for them.
#pragma once
#include "device_frame.h"
#include "memory.h"

struct DeviceTile {
  vchar letters[MAX_K * MAX_LETTER_BYTES];  // compare; permute: selectors
  vpos rows[MAX_K];                         // table: first byte of the letter's row
  const void *profile;                      // strips: where it lies
};

// The code under which a stream letter behind the end is read; a set of no states meets nothing.
inline int stream_pad(const Spec &sp) {
  if (has_sets(sp)) return 0;
  if (sp.sharing != Sharing::none || has_matrix(sp)) return sp.letters;
  return ALN_CODE_TARGET_PAD;
}

// Row of a profile or table: pads and wildcards have codes beyond the alphabet.
inline vpos score_row(const Spec &sp, vchar letter) { return min(to_pos(letter), splat_pos(sp.letters)); }

inline vpos register_row(const Spec &sp, const GroupArgs *a, vpos first, vpos column, vpos length) {
  return score_row(sp, load_letter_at(a->query_letters, first + column, greater(length, column), ALN_CODE_QUERY_PAD));
}

// A substitution score as a number in the frame, for rows of letters (as in score_row).
template <class Gap>
vwide kept_score(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const int *matrix, vpos query_row,
                 vpos stream_row) {
  const vpos letters = splat_pos(sp.letters);
  const vmask known = greater(letters, query_row) & greater(letters, stream_row);
  vwide score;
  if (has_matrix(sp))
    score = load_wide_at(matrix, query_row * splat_pos(ALN_MATRIX_STRIDE) + stream_row, known, splat_wide(v.score_min));
  else
    score = select(known & equal(query_row, stream_row), splat_wide(v.match), splat_wide(v.mismatch));
  return score + splat_wide(f.cell.substitution_shift);
}

// What is added to scores that lie alone in a half of a word, and taken off again where two are put together: where
// both halves of a register are added as one number, a negative one would have to borrow from its neighbour.
template <class Gap>
int lone_bias(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f) {
  if (sp.base != Base::moving_unsigned_halves) return 0;
  return max(-(v.score_min + f.cell.substitution_shift), 0);
}
