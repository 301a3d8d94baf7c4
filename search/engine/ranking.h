// How a search ranks targets: by raw score, equal ones by number; integers alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "alnsmith/search.hpp"

namespace alnsmith::search {

// Whether the first score is worse than the second.
inline bool worse(std::int32_t score, std::int32_t other, bool minimize) {
  return minimize ? score > other : score < other;
}

inline bool before(const Found &a, const Found &b, bool minimize) {
  return a.score != b.score ? worse(b.score, a.score, minimize) : a.number < b.number;
}

// Sorts a list in which each target comes once and leaves the best: `top` of them, ties as they are wanted.
inline void keep_best(std::vector<Found> &list, std::size_t top, Ties ties, bool minimize) {
  std::sort(list.begin(), list.end(), [&](const Found &a, const Found &b) { return before(a, b, minimize); });
  std::size_t n = std::min(list.size(), top);
  while (ties == Ties::keep && n > 0 && n < list.size() && list[n].score == list[n - 1].score) ++n;
  list.resize(n);
}

}  // namespace alnsmith::search
