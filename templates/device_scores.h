// Substitution scores on devices, kept in the frame.
//
// profile  (form `shared`) element (r, c) of a lane is the score of stream letter r with its register letter c, for
//          all queries packed in a score; in the block's shared memory, read four columns at a time. The lanes of a
//          segment lie next to each other, 16 bytes each, so that eight of them never meet in a bank, whatever the
//          letters. One row more than the alphabet serves pads and wildcards.
// single   (form `single`) a profile of one query: a word holds scores of neighbouring columns, as many as a lane has
//          alignments, and each alignment reads the row of its own stream letter. Half the memory of the above, one
//          instruction more a cell.
// compare  match/mismatch, by blending.
// pick     match/mismatch of at most four letters, packed scores: once a step a row is made of what the stream letter
//          scores with each letter, and a register letter selects from it in one instruction.
// table    matrix, each alignment with a query of its own: the matrix lies in shared memory and is read cell by cell.
//          With 32 copies each lane of a warp has one in a bank of its own, so that no two lanes ever meet there.
#pragma once
#include "device_frame.h"
#include "memory.h"

struct DeviceTile {
  vchar letters[MAX_K];  // compare; pick: selectors
  vpos rows[MAX_K];      // table: first byte of the letter's row
};

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
template <class Gap>
vwide kept_score(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const int *matrix, vpos query_row,
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

// What is added to scores that lie alone in a half of a word, and taken off again where two are put together: where
// both halves of a register are added as one number, a negative one would have to borrow from its neighbour.
template <class Gap>
int lone_bias(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f) {
  if (sp.separate) return 0;
  return max(-(v.score_min + f.cell.substitution_shift), 0);
}

// The profile of the stage that begins at `column`. All warps of the block share the work.
template <class Gap>
void build_profile(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a,
                   const int *matrix, vpos first, vpos length, vpos lane, int column) {
  const int together = sp.single ? sp.packing : 1;  // columns of a word
  const int bias = sp.single ? lone_bias(sp, v, f) : 0;
  vpos row[MAX_K];
  for (int c = 0; c < sp.k; c += together) {
    vpos own = splat_pos(column + c) + lane * splat_pos(sp.k);
    if (sp.single) own = own + half_index();
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

// The matrix: row of the register letter, then the stream letter, then the copy.
template <class Gap>
void build_table(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const int *matrix) {
  const int bias = lone_bias(sp, v, f);
  for (int r = warp_index(); r <= sp.letters; r += sp.warps)
    for (int c = residual(0); c < table_words(sp); c += sp.warp / sp.copies) {
      // Lanes that have no word of the row left write its last one again.
      const vpos word = min(splat_pos(c) + segment_index(sp.copies), splat_pos(table_words(sp) - 1));
      const vpos letter = min(word * splat_pos(sp.packing) + half_index(), splat_pos(sp.letters));
      store_shared((splat_pos(r * table_words(sp)) + word) * splat_pos(sp.copies) + lane_index(sp.copies),
                   to_score(kept_score(sp, v, f, matrix, splat_pos(r), letter) + splat_wide(bias)));
    }
}

// How far into a row, in bytes.
inline vpos table_place(const Spec &sp, vpos letter) {
  if (sp.packing == 1) return letter * splat_pos(4 * sp.copies);
  if (sp.copies == 1) return letter * splat_pos(2);
  return letter * splat_pos(2) + halved(letter) * splat_pos(4 * sp.copies - 4);
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
      tile.rows[c] = (register_row(sp, a, query_first, at, query_length) * splat_pos(table_words(sp) * sp.copies) +
                      lane_index(sp.copies)) *
                     splat_pos(4);
    else
      tile.letters[c] =
          load_letter_at(a->query_letters, query_first + at, greater(query_length, at), ALN_CODE_QUERY_PAD);
  }
}

// The scores of the lane's stream letter with its register letters.
template <class Gap>
void device_scores(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos lane,
                   vchar stream, vscore *score) {
  const int shift = f.cell.substitution_shift;
  if (sp.shared) {
    vpos row = to_pos(stream);
    if (!sp.matrix) row = score_row(sp, stream);
    const vpos word = (row * splat_pos(quads(sp) * sp.p) + lane) * splat_pos(4);
    for (int c = 0; c < sp.k; c += quad_columns(sp)) {
      const vpos at = word + splat_pos(c / quad_columns(sp) * sp.p * 4);
      if (sp.single) {
        const vquads quads = load_quads(at);
        for (int i = 0; i < min(sp.k - c, quad_columns(sp)); ++i)
          score[c + i] = element(quads, i) + splat(-lone_bias(sp, v, f));
      } else {
        const vquad quad = load_quad(at);
        for (int i = 0; i < min(sp.k - c, quad_columns(sp)); ++i) score[c + i] = element(quad, i);
      }
    }
  } else if (sp.picked) {
    // A wildcard or pad scores the mismatch and selects 0, so that the row holds what a match scores beyond it; a row
    // of bytes has no negative scores either.
    int mismatch = 0;
    if (sp.wildcard || sp.local) mismatch = v.mismatch + shift;
    const vrow row = letter_scores(stream, v.match + shift - mismatch, v.mismatch + shift - mismatch);
    for (int c = 0; c < sp.k; ++c) score[c] = pick(row, tile.letters[c]) + splat(mismatch);
  } else if (sp.matrix) {
    const vpos place = table_place(sp, to_pos(stream));
    for (int c = 0; c < sp.k; ++c) score[c] = gather_score(tile.rows[c] + place) + splat(-lone_bias(sp, v, f));
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
