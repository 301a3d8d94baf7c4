// See alnsmith/score_counts.hpp.
#include "alnsmith/score_counts.hpp"

#include <iterator>
#include <utility>

namespace alnsmith::search {
namespace {

std::vector<CountedPairs> sum(const std::vector<CountedPairs> &a, const std::vector<CountedPairs> &b) {
  std::vector<CountedPairs> out;
  auto left = a.begin(), right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->bin == right->bin) {
      out.push_back({left->bin, left->pairs + right->pairs});
      ++left;
      ++right;
    } else {
      out.push_back(left->bin < right->bin ? *left++ : *right++);
    }
  }
  out.insert(out.end(), left, a.end());
  out.insert(out.end(), right, b.end());
  return out;
}

}  // namespace

void ScoreCounts::append(ScoreCounts &&more) {
  unit = more.unit;
  targets = std::move(more.targets);
  queries.insert(queries.end(), std::make_move_iterator(more.queries.begin()),
                 std::make_move_iterator(more.queries.end()));
}

void ScoreCounts::add(const ScoreCounts &more) {
  for (std::size_t i = 0; i < std::min(targets.size(), more.targets.size()); ++i) {
    targets[i].sequences += more.targets[i].sequences;
    targets[i].letters += more.targets[i].letters;
  }
  for (std::size_t q = 0; q < std::min(queries.size(), more.queries.size()); ++q)
    queries[q] = sum(queries[q], more.queries[q]);
}

}  // namespace alnsmith::search
