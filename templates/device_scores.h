// Substitution scores on devices, kept in the frame.
//
// profile  (form `shared`) element (r, c) of a lane is the score of stream letter r with its register letter c, for
//          all queries packed in a score; in the block's shared memory, read four columns at a time. The lanes of a
//          segment lie next to each other, 16 bytes each, so that eight of them never meet in a bank, whatever the
//          letters. One row more than the alphabet serves pads and wildcards.
// compare  match/mismatch, by blending.
// pick     match/mismatch of at most four letters, packed scores: what the stream letter scores with each letter is
// made
//          once a step, and a register letter selects from it in one instruction.
// table    matrix, each alignment with a query of its own: the matrix lies in shared memory and is read cell by cell.
#pragma once
#include "device_frame.h"

struct DeviceTile {
  vchar letters[MAX_K];  // compare; pick: selectors
  vpos rows[MAX_K];      // table: first word of the letter's row
};

inline int quads(const Spec &sp) { return (sp.k + 3) / 4; }
inline int table_stride(const Spec &sp) { return (sp.letters + 1) / 2 * 2 + 1; }  // odd: neighbours in other banks

// Words of shared memory that scores take. Mapping `block` has its warps' results and the border behind them.
inline int score_words(const Spec &sp) {
  if (sp.shared) return (sp.letters + 1) * quads(sp) * sp.p * 4;
  if (sp.matrix) return (sp.letters + 1) * table_stride(sp);
  return 0;
}
inline int merge_word(const Spec &sp) { return (score_words(sp) + 3) / 4 * 4; }
inline int border_word(const Spec &sp) { return merge_word(sp) + 3 * sp.warps * sp.packing; }

// The code under which a stream letter behind the end is read.
inline int stream_pad(const Spec &sp) {
  if (sp.shared || sp.matrix) return sp.letters;
  return ALN_CODE_TARGET_PAD;
}

// Row of a profile or table: pads and wildcards have codes beyond the alphabet.
inline vpos score_row(const Spec &sp, vchar letter) { return min(to_pos(letter), splat_pos(sp.letters)); }

inline vpos register_row(const Spec &sp, const aln_device_args_v1 *a, vpos first, vpos column, vpos length) {
  return score_row(sp, load_letter_at(a->query_letters, first + column, greater(length, column), ALN_CODE_QUERY_PAD));
}

// A substitution score as a number in the frame, for rows of letters (as in score_row).
inline vwide kept_score(const Spec &sp, const Scoring &v, const DeviceFrame &f, const int *matrix, vpos query_row,
                        vpos stream_row) {
  const vpos letters = splat_pos(sp.letters);
  const vmask known = greater(letters, query_row) & greater(letters, stream_row);
  vwide score;
  if (sp.matrix)
    score = load_wide_at(matrix, query_row * splat_pos(ALN_MATRIX_STRIDE) + stream_row, known, splat_wide(v.score_min));
  else
    score = select(known & equal(query_row, stream_row), splat_wide(v.match), splat_wide(v.mismatch));
  return score + splat_wide(f.cell.substitution_shift);
}

// The profile of the stage that begins at `column`. All warps of the block share the work.
inline void build_profile(const Spec &sp, const Scoring &v, const DeviceFrame &f, const aln_device_args_v1 *a,
                          const int *matrix, vpos first, vpos length, vpos lane, int column) {
  vpos row[MAX_K];
  for (int c = 0; c < sp.k; ++c)
    row[c] = register_row(sp, a, first, splat_pos(column + c) + lane * splat_pos(sp.k), length);
  for (int r = warp_index(); r <= sp.letters; r += sp.warps) {
    const vpos word = (splat_pos(r * quads(sp) * sp.p) + lane) * splat_pos(4);
    for (int c = 0; c < sp.k; ++c)
      store_shared(word + splat_pos(c / 4 * sp.p * 4 + c % 4),
                   to_score(kept_score(sp, v, f, matrix, row[c], splat_pos(r))));
  }
}

// The matrix, as words.
inline void build_table(const Spec &sp, const Scoring &v, const DeviceFrame &f, const int *matrix) {
  for (int r = warp_index(); r <= sp.letters; r += sp.warps)
    for (int c = residual(0); c <= sp.letters; c += sp.warp) {
      const vpos column = splat_pos(c) + lane_index(sp.warp);
      store_shared_wide(splat_pos(r * table_stride(sp)) + column, greater(splat_pos(sp.letters + 1), column),
                        kept_score(sp, v, f, matrix, splat_pos(r), column));
    }
}

inline void load_device_tile(const Spec &sp, const aln_device_args_v1 *a, vpos query_first, vpos query_length,
                             vpos column, DeviceTile &tile) {
  if (sp.shared) return;
  for (int c = 0; c < sp.k; ++c) {
    const vpos at = column + splat_pos(c);
    if (sp.picked)
      tile.letters[c] =
          selector(load_letter_at(a->query_letters, query_first + at, greater(query_length, at), ALN_CODE_QUERY_PAD));
    else if (sp.matrix)
      tile.rows[c] = register_row(sp, a, query_first, at, query_length) * splat_pos(table_stride(sp));
    else
      tile.letters[c] =
          load_letter_at(a->query_letters, query_first + at, greater(query_length, at), ALN_CODE_QUERY_PAD);
  }
}

// The scores of the lane's stream letter with its register letters.
inline void device_scores(const Spec &sp, const Scoring &v, const DeviceFrame &f, const DeviceTile &tile, vpos lane,
                          vchar stream, vscore *score) {
  const int shift = f.cell.substitution_shift;
  if (sp.shared) {
    vpos row = to_pos(stream);
    if (!sp.matrix) row = score_row(sp, stream);
    const vpos word = (row * splat_pos(quads(sp) * sp.p) + lane) * splat_pos(4);
    for (int c = 0; c < sp.k; c += 4) {
      const vquad quad = load_quad(word + splat_pos(c / 4 * sp.p * 4));
      for (int i = 0; i < min(sp.k - c, 4); ++i) score[c + i] = element(quad, i);
    }
  } else if (sp.picked) {
    // A wildcard or pad scores the mismatch and selects 0, so that the row holds what a match scores beyond it; a row
    // of bytes has no negative scores either.
    int mismatch = 0;
    if (sp.wildcard || sp.local) mismatch = v.mismatch + shift;
    const vrow row = letter_scores(stream, v.match + shift - mismatch, v.mismatch + shift - mismatch);
    for (int c = 0; c < sp.k; ++c) score[c] = pick(row, tile.letters[c]) + splat(mismatch);
  } else if (sp.matrix) {
    const vpos row = to_pos(stream);
    for (int c = 0; c < sp.k; ++c)
      score[c] = to_score(load_shared_wide(tile.rows[c] + row, equal(row, row), splat_wide(0)));
  } else {
    const bool folded = !sp.match.runtime && !sp.mismatch.runtime;
    bool direct = sp.separate;
    if (folded) direct = direct || (v.match + shift >= 0 && v.mismatch + shift >= 0);
    for (int c = 0; c < sp.k; ++c) {
      const vmask same = equal(tile.letters[c], stream);
      if (direct)
        score[c] = select(same, splat(v.match + shift), splat(v.mismatch + shift));
      else  // no half of what the select yields is negative: the planner demands match >= mismatch here
        score[c] = select(same, splat(v.match - v.mismatch), splat(0)) + splat(v.mismatch + shift);
    }
  }
}
