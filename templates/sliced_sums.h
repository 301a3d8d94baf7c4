// Sums of differences along the edges of the matrix, bit-sliced: a lane's score and, where ends are free, how far below
// the edge's best cell its last one is and where that best cell is. All in memory, an element a digit.
#pragma once
#include "sliced_cell.h"

constexpr int MAX_DIGITS = 31;  // of a number
// Tables of gates.
constexpr int LUT_AND = 0xC0, LUT_XOR = 0x3C, LUT_OR = 0xFC, LUT_NOT = 0x0F, LUT_AND_NOT = 0x30,
              LUT_AND_NOT_BOTH = 0x70, LUT_SELECT = 0xCA, LUT_SUM = 0x96, LUT_CARRY = 0xE8;

// Bits that a number of 0 to `most` takes.
inline int digits_for(int most) {
  int digits = 0;
  while (1 << digits <= most) ++digits;
  return digits;
}

// A number that a difference stands for: the value, or a cost less it, which may be below 0.
struct Meaning {
  int first, step;
};
constexpr int TWO_S_COMPLEMENT = 1 << 7;  // added so that no number is below 0

// A digit of the number that the planes of a difference stand for, from their code; `above` the planes beyond three.
inline vbits digit_of_three(const Circuit &circuit, Meaning meaning, const vbits *planes, int digit, int above) {
  const int low = min(circuit.planes, 3), mask = (1 << low) - 1;
  int table = 0;
  for (int i = 0; i < 8; ++i)
    for (int value = 0; value <= circuit.total; ++value)
      if (circuit.code[value] == above * 8 + (i & mask) &&
          ((meaning.first + meaning.step * value + TWO_S_COMPLEMENT) >> digit & 1) == 1)
        table = table | 1 << i;
  return lut3(table, planes[low - 1], planes[min(low - 1, 1)], planes[0]);
}
inline vbits digit_of(const Circuit &circuit, Meaning meaning, const vbits *planes, int digit) {
  vbits part[1 << (MAX_PLANES - 3)];
  int parts = 1;
  for (int p = 3; p < circuit.planes; ++p) parts = parts * 2;
  for (int i = 0; i < parts; ++i) part[i] = digit_of_three(circuit, meaning, planes, digit, i);
  for (int p = 3; p < circuit.planes; ++p) {
    parts = parts / 2;
    for (int i = 0; i < parts; ++i) part[i] = lut3(LUT_SELECT, planes[p], part[2 * i + 1], part[2 * i]);
  }
  return part[0];
}

// Adds a number of fewer digits, from 0 up, to the one in memory. `Bits`: where that is (sliced.h).
template <class Bits>
void add_to(const Bits &bits, int at, int digits, const vbits *number, int own) {
  vbits carry = splat_bits(0);
  for (int d = 0; d < own; ++d) {
    const vbits old = bits.load(at + d);
    bits.store(at + d, lut3(LUT_SUM, old, number[d], carry));
    carry = lut3(LUT_CARRY, old, number[d], carry);
  }
  for (int d = residual(own); d < digits; ++d) {
    const vbits old = bits.load(at + d);
    bits.store(at + d, lut3(LUT_XOR, old, carry, carry));
    carry = lut3(LUT_AND, old, carry, carry);
  }
}

// By how much a score falls from cell to cell along an edge: what a gap's first letter costs, less the difference.
struct Fall {
  int first;
  bool of_call;  // `first` comes with the call
};

// Its digits in two's complement, to be asked for from the lowest on; `carry` is 0 before.
inline vbits digit_of_fall(const Circuit &circuit, const Fall &fall, const vbits *difference, int digit, vbits &carry) {
  if (!fall.of_call) return digit_of(circuit, {fall.first, -1}, difference, digit);
  const vbits less = digit_of(circuit, {0, -1}, difference, digit), first = bit_of_int(fall.first, digit);
  const vbits sum = lut3(LUT_SUM, less, first, carry);
  carry = lut3(LUT_CARRY, less, first, carry);
  return sum;
}

// The best cell of an edge, the first of several. Elements of scratch memory from `at` on: how far the last cell is
// below the best one, which lanes' last cell is the best so far (their distance is 0, whatever is in memory), where the
// best one is.
struct Edge {
  int at;
  Fall fall;
  int digits;  // of distances, in two's complement
};
constexpr int EDGE_BEST = MAX_DIGITS, EDGE_POSITION = MAX_DIGITS + 1, EDGE_ELEMENTS = 2 * MAX_DIGITS + 1;

// Digits of how much a score falls or rises from cell to cell, in two's complement.
inline int digits_of_fall(const Circuit &circuit) { return digits_for(circuit.total) + 1; }

template <class Bits>
void start_edge(const Bits &bits, const Edge &edge) {
  for (int d = residual(0); d < EDGE_ELEMENTS; ++d) bits.store(edge.at + d, splat_bits(0));
}

// The edge's next cell, number `index`, in the lanes that have it.
template <class Bits>
void step_edge(const Spec &sp, const Bits &bits, const Edge &edge, const vbits *difference, vbits there, int index) {
  const int own = digits_of_fall(sp.circuit);
  const vbits was_best = bits.load(edge.at + EDGE_BEST);
  vbits carry = splat_bits(0), fall_carry = splat_bits(0), fall, distance;
  for (int d = 0; d < own; ++d) {
    const vbits old = lut3(LUT_AND_NOT, bits.load(edge.at + d), was_best, was_best);
    fall = lut3(LUT_AND, digit_of_fall(sp.circuit, edge.fall, difference, d, fall_carry), there, there);
    distance = lut3(LUT_SUM, old, fall, carry);
    bits.store(edge.at + d, distance);
    carry = lut3(LUT_CARRY, old, fall, carry);
  }
  for (int d = residual(own); d < edge.digits; ++d) {
    const vbits old = lut3(LUT_AND_NOT, bits.load(edge.at + d), was_best, was_best);
    distance = lut3(LUT_SUM, old, fall, carry);
    bits.store(edge.at + d, distance);
    carry = lut3(LUT_CARRY, old, fall, carry);
  }
  int first = residual(0);
  if (index == 0) first = residual(1);
  const vbits best = lut3(LUT_OR, distance, splat_bits(first), splat_bits(first));
  bits.store(edge.at + EDGE_BEST, best);
  if (!wants_end(sp)) return;
  int above = residual(1);
  for (int d = residual(0); above <= index; ++d) {
    const vbits old = bits.load(edge.at + EDGE_POSITION + d);
    bits.store(edge.at + EDGE_POSITION + d, lut3(LUT_SELECT, best, bit_of_int(index, d), old));
    above = above + above;
  }
}

struct EdgeBest {
  vwide above, position;  // the last cell; 0-based
};
// Where the last cell is the best its distance is 0.
template <class Bits>
void settle_edge(const Bits &bits, const Edge &edge) {
  const vbits best = bits.load(edge.at + EDGE_BEST);
  for (int d = residual(0); d < edge.digits; ++d)
    bits.store(edge.at + d, lut3(LUT_AND_NOT, bits.load(edge.at + d), best, best));
}
// Of an edge that is settled.
template <class Place>
EdgeBest best_of_edge(const Spec &sp, const Place &place, const Edge &edge) {
  EdgeBest found;
  found.above = place.number(edge.at, edge.digits);
  if (wants_end(sp)) found.position = place.number(edge.at + EDGE_POSITION, edge.digits);
  return found;
}
