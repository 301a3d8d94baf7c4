// How far the best local alignments of a pair reach, by one matrix and every length of a last gap, as
// oracle::score_by_all_gap_lengths has it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "oracle.h"

namespace golden {

// The last row and column of the cells with the best score; -1 where that is 0.
struct BestCells {
  long score = 0, row = -1, column = -1;
};

inline BestCells best_cells(const oracle::Problem &problem, std::string_view query, std::string_view target) {
  std::vector<std::vector<long>> h(query.size() + 1, std::vector<long>(target.size() + 1, 0));
  BestCells best;
  for (std::size_t i = 1; i <= query.size(); ++i)
    for (std::size_t j = 1; j <= target.size(); ++j) {
      const oracle::Substitution &scores = problem.substitution;
      long top = std::max(0L, h[i - 1][j - 1] + scores.score(scores.code(query[i - 1]), scores.code(target[j - 1])));
      for (std::size_t n = 1; n <= i; ++n) top = std::max(top, h[i - n][j] - problem.insertion.cost(long(n)));
      for (std::size_t n = 1; n <= j; ++n) top = std::max(top, h[i][j - n] - problem.deletion.cost(long(n)));
      h[i][j] = top;
      if (top == 0 || top < best.score) continue;
      if (top > best.score) best = {top, -1, -1};
      best.row = std::max(best.row, static_cast<long>(i) - 1);
      best.column = std::max(best.column, static_cast<long>(j) - 1);
    }
  return best;
}

}  // namespace golden
