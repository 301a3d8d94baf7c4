// Small random problems for the oracle: every alignment type, scorings full of ties, gaps per side.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "oracle.h"

namespace golden {

inline std::string random_letters(std::mt19937 &random, std::string_view letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

inline oracle::FreeEnds subset(unsigned bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

// Alignment types by number: 0 global, 1 to 15 the other subsets of free ends, 16 local.
inline constexpr unsigned alignment_types = 17;

// Letters are A, C and the wildcard N.
inline oracle::Problem random_problem(std::mt19937 &random, unsigned type) {
  oracle::Problem problem{type == 16  ? oracle::Mode::local
                          : type == 0 ? oracle::Mode::global
                                      : oracle::Mode::semiglobal,
                          subset(type % 16),
                          {static_cast<long>(random() % 4), static_cast<long>(random() % 3)},
                          {static_cast<long>(random() % 4), static_cast<long>(random() % 3)},
                          oracle::Substitution::match_mismatch("ACN", 1 + static_cast<long>(random() % 3),
                                                               -static_cast<long>(random() % 4), 'N'),
                          false};
  if (random() % 2 == 0) {
    std::vector<long> scores;
    for (int i = 0; i < 9; ++i) scores.push_back(static_cast<long>(random() % 9) - 4);
    problem.substitution = oracle::Substitution::matrix("ACN", scores);
  }
  // A second line may be the smaller for short gaps, for long ones, always or never.
  for (oracle::Gap *gap : {&problem.insertion, &problem.deletion})
    if (random() % 3 == 0) gap->more = {{static_cast<long>(random() % 7), static_cast<long>(random() % 4)}};
  problem.minimize = type != 16 && random() % 4 == 0;
  return problem;
}

// Gap models by number.
enum GapModel : unsigned { linear, affine, dual_affine, gap_models };

inline oracle::Gap random_gap(std::mt19937 &random, unsigned model) {
  const auto draw = [&](unsigned limit) { return static_cast<long>(random() % limit); };
  oracle::Gap gap{model == linear ? 0 : 1 + draw(3), draw(3)};
  if (model == dual_affine) gap.more = {{draw(7), draw(4)}};
  return gap;
}

}  // namespace golden
