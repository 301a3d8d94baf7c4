// What the DP leaves to the walk back: its full matrices, in the oracle only.
//
// Rows are query prefixes, columns target prefixes, by length; unreachable cells are minus_infinity.
#pragma once

#include <cstddef>
#include <vector>

#include "oracle.h"

namespace oracle {

constexpr long minus_infinity = no_alignment;

struct Matrix {
  Matrix(std::size_t rows, std::size_t columns) : columns(columns), cells(rows * columns, minus_infinity) {}
  long *operator[](std::size_t i) { return cells.data() + i * columns; }
  const long *operator[](std::size_t i) const { return cells.data() + i * columns; }
  std::size_t columns;
  std::vector<long> cells;
};

// align.cpp says what the cells hold. E and F: a matrix for each line of the deletion, of the insertion, in their
// order.
struct Matrices {
  Matrix H;
  std::vector<Matrix> E, F;
};

// None are free but in Mode::semiglobal.
FreeEnds ends_of(const Problem &problem);

// What a query letter against a column adds to H.
long substitution_gain(const Problem &problem, std::size_t query_code, const Target &target, std::size_t column);

// The lines of a deletion's cost at a column.
std::vector<Line> deletion_lines(const Problem &problem, const Target &target, std::size_t column);

// The begins and the CIGAR of an answer whose ends are known; both sequences have letters, as codes.
void walk_back(const Problem &problem, const std::vector<std::size_t> &query, const Target &target,
               const Matrices &matrices, Answer &answer);

}  // namespace oracle
