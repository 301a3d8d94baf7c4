// Lane mapping `lanes`, bit-sliced: an alignment a bit. A difference of neighbouring scores is a number of a few bits,
// and each bit is a plane: a vector that holds it for all lanes. Global and semi-global alignments, linear and affine
// gaps.
//
// With d and i, what the first letter costs in a gap along the register side and along the stream side, kept are
//           u = H of a cell - H of the one above + i,   v = H of a cell - H of the one on its left + d,
// both from 0 to `total`, the score of a match + d + i; of affine gaps y, by how much the gap along the register side
// that has reached a cell is better than one that opens there, x the same along the stream side. With `floor`, the
// total of a mismatch, or 0 if that is more, a cell is
//           best = letters match ? total : max(u of its left + y, v of the one above + x, floor),
//           u' = best - v,   v' = best - u,   y' = max(u + y - best + open, 0),   x' = max(v + x - best + open, 0),
// which a circuit computes for all lanes at once (sliced_cell.h; Suzuki and Kasahara 2018). u and y of each row lie in
// memory between two strips.
//
// A lane's score is what its border on the left costs and the sum of its own last row's differences. So in rows behind
// a lane's end v stays what it was in the last row, and columns behind its end add nothing; letters say it themselves,
// as pads. Where the stream's end is free u likewise stays what it was in the lane's last column.
#pragma once
#include "gap_affine.h"
#include "scoring.h"
#include "sliced_sums.h"

constexpr int LUT_SAME_AND_NOT = 0x09, LUT_AND_NEITHER = 0x10;

// How memory is shared out, by elements: u and y of each row, digits of the sums, edges with free ends.
struct SlicedMemory {
  int sum, digits;
  Edge last_row, last_column;
};
// Lengths of the batch: the longest stream side; the shortest and longest register side; rows that no lane ends before.
struct SlicedLengths {
  int stream, register_least, registers, all_there;
};
// Templates take where bits lie as a type `Bits`: letters, and memory by elements (sliced_place.h, sliced_strips.h,
// device_sliced.h).
struct SlicedStrip {
  vbits letter[MAX_K][LETTER_PLANES];
  Downwards column[MAX_K];
  vbits behind[MAX_K];    // the lane's end, where columns may be behind it
  int entering, leaving;  // first elements of what each row has on its left and leaves on its right
};

inline int row_elements(const Circuit &circuit) { return circuit.planes + circuit.gap_planes[1]; }
inline int sum_elements(const Spec &sp) {
  return MAX_DIGITS + (register_end_free(sp) ? EDGE_ELEMENTS : 0) + (stream_end_free(sp) ? EDGE_ELEMENTS : 0);
}
inline bool has_edges(const Spec &sp) { return register_end_free(sp) || stream_end_free(sp); }

// What a side's gaps cost; of linear gaps the open is 0.
using SlicedGap = GapCosts<int, 1>;
struct SlicedGaps {
  SlicedGap stream, registers;
};
inline SlicedGaps sliced_gaps(const Spec &sp, const int *scoring) {
  return {read_lines<AffineGap<1>, int>(sp.stream_gap, scoring),
          read_lines<AffineGap<1>, int>(sp.register_gap, scoring)};
}
inline bool of_call(const GapSetting &gap) { return gap.open.runtime || gap.extend.runtime; }

inline vbits equal_letters(const Spec &sp, const vbits *a, const vbits *b) {
  const vbits first = lut3(LUT_XOR, a[0], b[0], b[0]);
  const vbits equal = lut3(LUT_SAME_AND_NOT, first, a[1], b[1]);
  if (!sp.wildcard) return equal;
  return lut3(LUT_AND_NEITHER, equal, a[NO_LETTER_PLANE], b[NO_LETTER_PLANE]);
}
inline vbits behind_end(const vbits *letter) {
  return lut3(LUT_AND, letter[NO_LETTER_PLANE], letter[PAD_PLANE], letter[PAD_PLANE]);
}

// What the strip's columns add to a lane's score, as a number; how many digits it has.
template <class Bits>
int sum_of_strip(const Spec &sp, const Bits &bits, int column, const SlicedStrip &s, vbits *sum) {
  const Meaning itself = {0, 1};
  int digits = 0;
  for (int c = 0; c < sp.k; ++c) {
    const int own = digits_for(sp.circuit.total), all = digits_for(sp.circuit.total * (c + 1));
    const vbits none = bits.register_letter(column + c, NO_LETTER_PLANE);
    vbits carry;
    for (int d = 0; d < all; ++d) {
      vbits value;
      if (d < own)
        value = lut3(LUT_AND_NOT_BOTH, digit_of(sp.circuit, itself, s.column[c].v, d), none, s.letter[c][PAD_PLANE]);
      if (c == 0) {
        sum[d] = value;
      } else if (d == 0) {
        carry = lut3(LUT_AND, sum[d], value, value);
        sum[d] = lut3(LUT_XOR, sum[d], value, value);
      } else if (d < own) {
        const vbits old = sum[d];
        sum[d] = lut3(LUT_SUM, old, value, carry);
        carry = lut3(LUT_CARRY, old, value, carry);
      } else if (d < digits) {
        const vbits old = sum[d];
        sum[d] = lut3(LUT_XOR, old, carry, carry);
        carry = lut3(LUT_AND, old, carry, carry);
      } else {
        sum[d] = carry;
      }
    }
    digits = all;
  }
  return digits;
}

template <class Bits>
void count_strip(const Spec &sp, const Bits &bits, const SlicedMemory &m, int column, const SlicedStrip &s) {
  vbits sum[MAX_DIGITS];
  const int digits = sum_of_strip(sp, bits, column, s, sum);
  add_to(bits, m.sum, m.digits, sum, digits);
  if (!register_end_free(sp)) return;
  for (int c = 0; c < sp.k; ++c) {
    const vbits none = bits.register_letter(column + c, NO_LETTER_PLANE);
    const vbits behind = lut3(LUT_AND, none, s.letter[c][PAD_PLANE], s.letter[c][PAD_PLANE]);
    step_edge(sp, bits, m.last_row, s.column[c].v, lut3(LUT_NOT, behind, behind, behind), column + c);
  }
}

// As many digits as the sums of this call need, all 0.
template <class Bits>
SlicedMemory start_sums(const Spec &sp, const Bits &bits, const SlicedLengths &lengths, const SlicedGaps &gaps) {
  SlicedMemory m;
  m.sum = row_elements(sp.circuit) * lengths.stream;
  int least = digits_for(sp.circuit.total * sp.k);
  if (has_edges(sp)) least = max(least, digits_of_fall(sp.circuit));
  int longest = lengths.registers;
  if (has_edges(sp) && lengths.stream > longest) longest = lengths.stream;
  m.digits = residual(least);
  int above = residual(1 << least);
  while (above <= sp.circuit.total * longest) {
    m.digits = m.digits + 1;
    above = above + above;
  }
  for (int d = residual(0); d < m.digits; ++d) bits.store(m.sum + d, splat_bits(0));
  m.last_row.at = m.sum + MAX_DIGITS;
  m.last_row.fall = {first_letter(gaps.registers), of_call(sp.register_gap[0])};
  m.last_row.digits = m.digits + 1;
  m.last_column.at = m.sum + MAX_DIGITS + (register_end_free(sp) ? EDGE_ELEMENTS : 0);
  m.last_column.fall = {first_letter(gaps.stream), of_call(sp.stream_gap[0])};
  m.last_column.digits = m.digits + 1;
  if (register_end_free(sp)) start_edge(bits, m.last_row);
  if (stream_end_free(sp)) start_edge(bits, m.last_column);
  return m;
}

// A difference of `value`, which may come with the call, and no gap that goes on.
inline void set_difference(const Circuit &circuit, int value, vbits *planes) {
  for (int p = 0; p < circuit.planes; ++p) {
    int bit = 0;
    for (int v = 0; v <= circuit.total; ++v)
      if ((circuit.code[v] >> p & 1) == 1) bit = bit + (value == v ? 1 : 0);
    planes[p] = splat_bits(bit);
  }
}
inline void set_no_gap(const Circuit &circuit, int side, vbits *planes) {
  for (int p = 0; p < circuit.gap_planes[side]; ++p) planes[p] = splat_bits(circuit.gap_code[side][0] >> p & 1);
}
// The difference along a border: of the first letter, or behind it. What a gap costs to open the circuit knows.
inline int border_difference(const SlicedGap &gap, int open, bool free, bool first) {
  if (free) return first_letter(gap);
  return first ? 0 : open;
}

// `border`: its first element.
template <class Bits>
void store_row(const Circuit &circuit, const Bits &bits, int border, int row, const ToTheRight &r) {
  const int at = border + row_elements(circuit) * row;
  for (int p = 0; p < circuit.planes; ++p) bits.store(at + p, r.u[p]);
  for (int p = 0; p < circuit.gap_planes[1]; ++p) bits.store(at + circuit.planes + p, r.y[p]);
}
template <class Bits>
ToTheRight load_row(const Circuit &circuit, const Bits &bits, int border, int row) {
  const int at = border + row_elements(circuit) * row;
  ToTheRight r;
  for (int p = 0; p < circuit.planes; ++p) r.u[p] = bits.load(at + p);
  for (int p = 0; p < circuit.gap_planes[1]; ++p) r.y[p] = bits.load(at + circuit.planes + p);
  return r;
}

template <class Bits>
void start_rows(const Spec &sp, const Bits &bits, const SlicedLengths &lengths, const SlicedGap &gap, int at) {
  const int open = sp.circuit.open[0];
  ToTheRight border;
  set_no_gap(sp.circuit, 1, border.y);
  set_difference(sp.circuit, border_difference(gap, open, stream_begin_free(sp), true), border.u);
  store_row(sp.circuit, bits, at, residual(0), border);
  set_difference(sp.circuit, border_difference(gap, open, stream_begin_free(sp), false), border.u);
  for (int row = residual(1); row < lengths.stream; ++row) store_row(sp.circuit, bits, at, row, border);
}
// Which letters are none, hot rows ask only where there is a wildcard: else that plane is loaded where it is needed.
template <class Bits>
void start_strip(const Spec &sp, const Bits &bits, const SlicedGap &gap, int column, SlicedStrip &s) {
  const int open = sp.circuit.open[1];
  for (int c = 0; c < sp.k; ++c) {
    for (int p = 0; p < LETTER_PLANES; ++p)
      if (p != NO_LETTER_PLANE || sp.wildcard || stream_end_free(sp))
        s.letter[c][p] = bits.register_letter(column + c, p);
    set_no_gap(sp.circuit, 0, s.column[c].x);
    set_difference(sp.circuit, border_difference(gap, open, register_begin_free(sp), false), s.column[c].v);
  }
  if (open > 0 && !register_begin_free(sp) && column == 0) set_difference(sp.circuit, 0, s.column[0].v);
}

// How a row is run. `rows_end`: some lanes may have ended; `columns_end`: some of the strip's columns may be behind a
// lane's end. `keeps_gaps`: gaps stay what they were there too, not only differences.
struct SlicedRow {
  bool rows_end, columns_end, keeps_gaps;
};
template <class Bits>
void sliced_row(const Spec &sp, SlicedRow how, const Bits &bits, int row, SlicedStrip &s) {
  const Circuit &circuit = sp.circuit;
  vbits letter[LETTER_PLANES], ended;
  for (int p = 0; p < LETTER_PLANES; ++p)
    if (p != NO_LETTER_PLANE || sp.wildcard || how.rows_end) letter[p] = bits.stream_letter(row, p);
  if (how.rows_end) ended = behind_end(letter);
  ToTheRight right = load_row(circuit, bits, s.entering, row);
  for (int c = 0; c < sp.k; ++c) {
    const Downwards above = s.column[c];
    const ToTheRight left = right;
    next_cell(circuit, equal_letters(sp, letter, s.letter[c]), right, s.column[c]);
    for (int p = 0; p < circuit.planes; ++p) {
      if (how.rows_end) s.column[c].v[p] = lut3(LUT_SELECT, ended, above.v[p], s.column[c].v[p]);
      if (how.columns_end) right.u[p] = lut3(LUT_SELECT, s.behind[c], left.u[p], right.u[p]);
    }
    for (int p = 0; p < circuit.gap_planes[0]; ++p)
      if (how.rows_end && how.keeps_gaps) s.column[c].x[p] = lut3(LUT_SELECT, ended, above.x[p], s.column[c].x[p]);
    for (int p = 0; p < circuit.gap_planes[1]; ++p)
      if (how.columns_end && how.keeps_gaps) right.y[p] = lut3(LUT_SELECT, s.behind[c], left.y[p], right.y[p]);
  }
  store_row(circuit, bits, s.leaving, row, right);
}

// Rows from `row` on up to `end`, those from `all_there` on behind some lane's end.
template <class Bits>
void rows_until(const Spec &sp, const Bits &bits, int all_there, int end, bool columns_end, int &row, SlicedStrip &s) {
  const SlicedRow whole = {false, columns_end, false}, ending = {true, columns_end, false};
  if (sp.unroll > 1) {
    for (; row + sp.unroll <= all_there; row += sp.unroll) {
      if (!columns_end) hot_row();
      for (int r = 0; r < sp.unroll; ++r) sliced_row(sp, whole, bits, row + r, s);
    }
  }
  for (; row < all_there; ++row) {
    if (sp.unroll == 1 && !columns_end) hot_row();
    sliced_row(sp, whole, bits, row, s);
  }
  for (; row < end; ++row) sliced_row(sp, ending, bits, row, s);
}
template <class Bits, class Keep>
void sliced_rows(const Spec &sp, const Bits &bits, const SlicedLengths &lengths, bool columns_end, SlicedStrip &s,
                 Keep &keep) {
  for (int c = 0; c < sp.k; ++c)
    if (columns_end) s.behind[c] = behind_end(s.letter[c]);
  int row = residual(0);
  if constexpr (Keep::walks) {
    while (row < lengths.stream) {
      keep.columns(sp, bits, s);
      const int end = min(row + sp.patch_rows, lengths.stream);
      rows_until(sp, bits, min(end, lengths.all_there), end, columns_end, row, s);
    }
  } else {
    rows_until(sp, bits, lengths.all_there, lengths.stream, columns_end, row, s);
  }
}

// The last column, from u of each row.
template <class Bits>
void count_rows(const Spec &sp, const Bits &bits, const SlicedLengths &lengths, const SlicedMemory &m) {
  for (int row = residual(0); row < lengths.stream; ++row) {
    vbits letter[LETTER_PLANES];
    for (int p = 0; p < LETTER_PLANES; ++p) letter[p] = bits.stream_letter(row, p);
    const vbits behind = behind_end(letter);
    step_edge(sp, bits, m.last_column, load_row(sp.circuit, bits, 0, row).u, lut3(LUT_NOT, behind, behind, behind),
              row);
  }
}

// Nothing is kept for a way back: all strips use the same rows.
struct NothingKeptOfBits {
  static constexpr bool walks = false;
  int first_border() const { return 0; }
  void start_strip(const Spec &, int, SlicedStrip &s) {
    s.entering = 0;
    s.leaving = 0;
  }
};

// All strips. What is left of it are the sums, and what `keep` has kept of it.
template <class Bits, class Keep>
SlicedMemory run_sliced(const Spec &sp, const Bits &bits, const SlicedLengths &lengths, const SlicedGaps &gaps,
                        Keep &keep) {
  const SlicedMemory m = start_sums(sp, bits, lengths, gaps);
  start_rows(sp, bits, lengths, gaps.stream, keep.first_border());
  for (int column = residual(0); column < lengths.registers; column += sp.k) {
    SlicedStrip s;
    start_strip(sp, bits, gaps.registers, column, s);
    keep.start_strip(sp, column, s);
    if (stream_end_free(sp)) {
      if (column + sp.k > lengths.register_least)
        sliced_rows(sp, bits, lengths, true, s, keep);
      else
        sliced_rows(sp, bits, lengths, false, s, keep);
    } else {
      sliced_rows(sp, bits, lengths, false, s, keep);
    }
    count_strip(sp, bits, m, column, s);
  }
  if (stream_end_free(sp)) count_rows(sp, bits, lengths, m);
  if (register_end_free(sp)) settle_edge(bits, m.last_row);
  if (stream_end_free(sp)) settle_edge(bits, m.last_column);
  return m;
}

// What the sums say of alignments; `Place`: which they are, and where it is stored.
template <class Place>
void store_sliced(const Spec &sp, const Place &place, const SlicedGaps &gaps, const SlicedMemory &m) {
  const vwide rows = place.stream_length(), columns = place.register_length();
  vwide score = place.number(m.sum, m.digits) - splat_wide(first_letter(gaps.registers)) * columns;
  if (!stream_begin_free(sp))
    score = score - splat_wide(gaps.stream.extend[0]) * rows - splat_wide(gaps.stream.open[0]);
  vwide row = rows - splat_wide(1), column = columns - splat_wide(1), above = splat_wide(0);
  if (register_end_free(sp)) {
    const EdgeBest found = best_of_edge(sp, place, m.last_row);
    above = found.above;
    if (wants_end(sp)) column = found.position;
  }
  if (stream_end_free(sp)) {
    const EdgeBest found = best_of_edge(sp, place, m.last_column);
    // The last row wins a tie by its smaller column; at the corner the last column has the smaller row.
    if (wants_end(sp)) {
      const vwide last = columns - splat_wide(1);
      row = select(greater(above, found.above) | greater(last, column), row, found.position);
      const vmask better = greater(found.above, above);
      row = select(better, found.position, row);
      column = select(better, last, column);
    }
    above = max(above, found.above);
  }
  place.store(place.a->score, score + above);
  store_ends(sp, place.a, place, row, column);
  place.store_status();
}
