// Lane mapping `strips`, bit-sliced: one alignment for all lanes of a vector. Each lane has an equal share of the
// stage's letters of the query, as rows; k letters of the target go from lane to lane, so that at a turn a lane is k
// columns behind the one before it. What crosses lanes is v and x of these columns; u and y of a lane's rows stay in
// scratch memory (sliced.h has what they mean).
//
// Lanes that the first columns have not reached, and that the last ones have passed, have pads as letters, behind which
// u and y stay what they were: at first the border on the left, at last the last column. Where letters are not shared
// out evenly the last row of some lanes is a pad, past which v and x go unchanged. So the last lane hands on what the
// stage's last letter has left, and the border right of the stage has an int for each column: v's planes, then x's.
//
// As in strips.h the stages of an alignment run one behind another or side by side, and each stores what it has found.
#pragma once
#include "ends.h"
#include "sliced.h"

constexpr int NOTHING_FOUND = -2147483647;
constexpr int COLUMNS_A_WAIT = 64;  // a multiple of k

// What a call's `query_length` has for stages that are shared out (strip_abi.h).
struct SlicedShare {
  int query, first, letters, rows;  // letters of the query, before the stage and of it; rows of a lane
};
inline SlicedShare sliced_share(const GroupArgs *a) {
  return {load_int(a->query_length, 0), load_int(a->query_length, 1), load_int(a->query_length, 2),
          load_int(a->query_length, 3)};
}

// Where a stage's bits lie (sliced.h).
struct ShareBits {
  const GroupArgs *a;
  vbits stream_letter(int row, int plane) const { return load_bits(a->query_letters, LETTER_PLANES * row + plane); }
  vbits load(int at) const { return load_bits(a->scratch, at); }
  void store(int at, vbits bits) const { store_bits(a->scratch, at, bits); }
};

// Digits of a difference, and how many elements of scratch memory a row takes.
inline int difference_digits(const Spec &sp) { return digits_for(sp.circuit.total); }
inline int share_elements(const Spec &sp) {
  return row_elements(sp.circuit) + (stream_end_free(sp) ? difference_digits(sp) : 0);
}

// A difference as it is handed on between stages, and what it stands for.
inline int code_of_difference(const Circuit &circuit, int value) {
  int code = residual(0);
  for (int v = 0; v <= circuit.total; ++v)
    if (value == v) code = residual(circuit.code[v]);
  return code;
}
inline int difference_of_code(const Circuit &circuit, int code) {
  const int planes = bits_of(code, (1 << circuit.planes) - 1);
  int value = residual(0);
  for (int v = 1; v <= circuit.total; ++v) value = value + (planes == circuit.code[v] ? v : 0);
  return value;
}
inline int code_of_no_gap(const Circuit &circuit) {
  return circuit.gap_planes[0] > 0 ? circuit.gap_code[0][0] << circuit.planes : 0;
}

// Every lane's border on its left; only the first letter of the query is the first of a gap.
inline void start_shares(const Spec &sp, const GroupArgs *a, const SlicedGap &gap, const SlicedShare &share) {
  const Circuit &circuit = sp.circuit;
  const ShareBits bits = {a};
  ToTheRight border;
  set_no_gap(circuit, 1, border.y);
  set_difference(circuit, border_difference(gap, circuit.open[0], stream_begin_free(sp), false), border.u);
  for (int row = residual(0); row < share.rows; ++row) store_row(circuit, bits, 0, row, border);
  if (block_index() == 0) {
    const int code = code_of_difference(circuit, border_difference(gap, circuit.open[0], stream_begin_free(sp), true));
    for (int p = 0; p < circuit.planes; ++p) border.u[p] = shift_in(border.u[p], code, p);
    store_row(circuit, bits, 0, residual(0), border);
  }
}
inline void start_columns(const Spec &sp, const SlicedGap &gap, SlicedStrip &s) {
  const Circuit &circuit = sp.circuit;
  for (int c = 0; c < sp.k; ++c) {
    for (int p = 0; p < LETTER_PLANES; ++p) s.letter[c][p] = splat_bits(1);
    set_no_gap(circuit, 0, s.column[c].x);
    set_difference(circuit, border_difference(gap, circuit.open[1], register_begin_free(sp), false), s.column[c].v);
  }
}

// The difference above a column of the stage.
struct SlicedBorder {
  int first, others;  // of the first stage: in column 0, and behind it
};
inline int above_stage(const GroupArgs *a, const SlicedBorder &border, int column) {
  int above = residual(0);
  if (block_index() == 0) {
    above = border.others;
    if (column == 0) above = border.first;
  } else {
    above = load_int(a->border, ALN_STRIP_PAD + column);
  }
  return above;
}

// `ramp`: some lanes have pads as letters. Returns what the differences that enter stand for, where that is wanted.
inline int take_columns(const Spec &sp, const GroupArgs *a, bool ramp, const SlicedBorder &border, int first,
                        SlicedStrip &s) {
  const Circuit &circuit = sp.circuit;
  int entered = residual(0);
  for (int c = 0; c < sp.k; ++c) {
    int letter = residual(ALN_CODE_TARGET_PAD), above = border.others;
    if (ramp) {
      if (first + c < load_int(a->target_length, 0)) {
        letter = load_letter(a->target_letters, first + c);
        above = above_stage(a, border, first + c);
        if (stream_end_free(sp)) entered = entered + difference_of_code(circuit, above);
      }
    } else {
      letter = load_letter(a->target_letters, first + c);
      above = above_stage(a, border, first + c);
      if (stream_end_free(sp)) entered = entered + difference_of_code(circuit, above);
    }
    for (int p = 0; p < LETTER_PLANES; ++p)
      if (p != NO_LETTER_PLANE || sp.wildcard || ramp) s.letter[c][p] = shift_in(s.letter[c][p], letter, letter_bit(p));
    for (int p = 0; p < circuit.planes; ++p) s.column[c].v[p] = shift_in(s.column[c].v[p], above, p);
    for (int p = 0; p < circuit.gap_planes[0]; ++p)
      s.column[c].x[p] = shift_in(s.column[c].x[p], above, circuit.planes + p);
    if (ramp) s.behind[c] = behind_end(s.letter[c]);
  }
  return entered;
}

inline void run_shares(const Spec &sp, const GroupArgs *a, bool ramp, const SlicedShare &share, SlicedStrip &s) {
  const ShareBits bits = {a};
  const SlicedRow whole = {false, ramp, true}, ending = {true, ramp, true};
  int even = share.rows;
  if (share.letters < vector_lanes() * share.rows) even = share.rows - 1;
  for (int row = residual(0); row < even; ++row) {
    if (!ramp) hot_row();
    sliced_row(sp, whole, bits, row, s);
  }
  if (even < share.rows) sliced_row(sp, ending, bits, even, s);
}

inline void hand_on_columns(const Spec &sp, const GroupArgs *a, bool ramp, int first, const SlicedStrip &s) {
  const Circuit &circuit = sp.circuit;
  for (int c = 0; c < sp.k; ++c) {
    int code = residual(0);
    for (int p = 0; p < circuit.planes; ++p) code = code + (1 << p) * last_bit(s.column[c].v[p]);
    for (int p = 0; p < circuit.gap_planes[0]; ++p)
      code = code + (1 << (circuit.planes + p)) * last_bit(s.column[c].x[p]);
    if (ramp) {
      if (first + c < load_int(a->target_length, 0)) store_int(a->border_right, ALN_STRIP_PAD + first + c, code);
    } else {
      store_int(a->border_right, ALN_STRIP_PAD + first + c, code);
    }
  }
}

struct SlicedFound {
  int score, row, column;
};

// Where the results of a stage lie, each of one alignment.
struct StageResults {
  int stage;
  void store(int *list, int value) const { store_int(list, stage, value); }
};

// The last row, from the differences along it.
inline SlicedFound best_of_last_row(const Spec &sp, const GroupArgs *a, const SlicedGap &gap, const SlicedShare &share,
                                    int corner) {
  const int columns = load_int(a->target_length, 0), first = first_letter(gap);
  SlicedFound found = {residual(NOTHING_FOUND), share.query - 1, columns - 1};
  if (register_end_free(sp)) {
    int score = corner;
    for (int column = residual(0); column < columns; ++column) {
      score = score + difference_of_code(sp.circuit, load_int(a->border_right, ALN_STRIP_PAD + column)) - first;
      if (found.score < score) {
        found.score = score;
        found.column = column;
      }
    }
  } else {
    int sum = residual(0);
    for (int column = residual(0); column < columns; ++column)
      sum = sum + difference_of_code(sp.circuit, load_int(a->border_right, ALN_STRIP_PAD + column));
    found.score = corner + sum - first * columns;
  }
  return found;
}

// The stage's part of the last column, from the differences down it; `top`: the score above it.
inline SlicedFound best_of_last_column(const Spec &sp, const GroupArgs *a, const SlicedGap &gap,
                                       const SlicedShare &share, int top) {
  const Meaning itself = {0, 1};
  const ShareBits bits = {a};
  const int digits = difference_digits(sp), behind = row_elements(sp.circuit) * share.rows;
  for (int row = residual(0); row < share.rows; ++row) {
    const ToTheRight last = load_row(sp.circuit, bits, 0, row);
    for (int d = 0; d < digits; ++d) bits.store(behind + digits * row + d, digit_of(sp.circuit, itself, last.u, d));
  }
  SlicedFound found = {residual(NOTHING_FOUND), residual(0), load_int(a->target_length, 0) - 1};
  const int lanes = vector_lanes(), first = first_letter(gap);
  const int whole = share.letters - lanes * (share.rows - 1);  // lanes that have a letter in the last row
  int score = top, at = share.first;
  for (int lane = residual(0); lane < lanes; ++lane) {
    int rows = share.rows;
    if (whole <= lane) rows = share.rows - 1;
    for (int row = residual(0); row < rows; ++row) {
      int difference = residual(0);
      for (int d = 0; d < digits; ++d)
        difference = difference + (1 << d) * bit_of_lane(a->scratch, behind + digits * row + d, lane);
      score = score + difference - first;
      if (found.score < score) {
        found.score = score;
        found.row = at;
      }
      at = at + 1;
    }
  }
  return found;
}

// What a gap over the query's first letters costs.
inline int above_cost(const Spec &sp, const SlicedGap &gap, int letters) {
  int cost = residual(0);
  if (!stream_begin_free(sp))
    if (0 < letters) cost = gap.open[0] + gap.extend[0] * letters;
  return cost;
}

// `entered`: what the differences above the stage stand for, all together.
inline void store_found(const Spec &sp, const GroupArgs *a, const SlicedGaps &gaps, const SlicedShare &share,
                        int entered) {
  const int columns = load_int(a->target_length, 0), stage = block_index();
  SlicedFound found = {residual(NOTHING_FOUND), share.query - 1, columns - 1};
  if (stream_end_free(sp)) {
    const int top = entered - first_letter(gaps.registers) * columns - above_cost(sp, gaps.stream, share.first);
    found = best_of_last_column(sp, a, gaps.stream, share, top);
  }
  if (!stream_end_free(sp) || register_end_free(sp)) {
    if (share.first + share.letters == share.query) {
      const SlicedFound row = best_of_last_row(sp, a, gaps.registers, share, -above_cost(sp, gaps.stream, share.query));
      // Of equal ones the row's has the smaller column; in the corner the column's has the smaller row.
      bool better = found.score < row.score;
      if (found.score == row.score) better = row.column < found.column;
      if (better) found = row;
    }
  }
  const StageResults own{stage};
  own.store(a->score, found.score);
  store_ends(sp, a, own, found.row, found.column);
  store_byte(a->status, stage, 0);
}

inline int sliced_strips(const Spec &sp, const GroupArgs *a) {
  const Circuit &circuit = sp.circuit;
  const SlicedGaps gaps = sliced_gaps(sp, a->scoring);
  const SlicedShare share = sliced_share(a);
  const int columns = load_int(a->target_length, 0), late = sp.k * (vector_lanes() - 1);
  const bool free = register_begin_free(sp);
  const SlicedBorder border = {
      code_of_difference(circuit, border_difference(gaps.registers, circuit.open[1], free, true)) +
          code_of_no_gap(circuit),
      code_of_difference(circuit, border_difference(gaps.registers, circuit.open[1], free, false)) +
          code_of_no_gap(circuit)};
  start_shares(sp, a, gaps.stream, share);
  SlicedStrip s;
  s.entering = 0;
  s.leaving = 0;
  start_columns(sp, gaps.registers, s);
  int entered = residual(0);
  for (int first = residual(0); first < columns + late; first += sp.k) {
    if (bits_of(first, COLUMNS_A_WAIT - 1) == 0) {
      publish_rows(max(first - late, 0));
      await_rows(min(first + COLUMNS_A_WAIT, columns));
    }
    if (first < late || columns < first + sp.k) {
      entered = entered + take_columns(sp, a, true, border, first, s);
      run_shares(sp, a, true, share, s);
      if (late <= first) hand_on_columns(sp, a, true, first - late, s);
    } else {
      entered = entered + take_columns(sp, a, false, border, first, s);
      run_shares(sp, a, false, share, s);
      hand_on_columns(sp, a, false, first - late, s);
    }
  }
  publish_rows(columns);
  store_found(sp, a, gaps, share, entered);
  return 0;
}
