// See tasks_of_all.h.
#include "align/tasks_of_all.h"

#include <algorithm>
#include <utility>

namespace alnsmith::rt::align {
namespace {

constexpr std::size_t kLeast = 8;           // for each thread, where there are queries enough
constexpr std::size_t kTasks = 48;          // where parts of queries
constexpr std::size_t kPartLetters = 1500;  // have so many letters

// Ends of parts of about as many letters; none is empty. `sums`: letters of each query and those before it.
std::vector<std::size_t> part_ends(std::span<const std::size_t> sums, std::size_t parts) {
  std::vector<std::size_t> ends;
  for (std::size_t p = 1; p <= parts; ++p) {
    const auto last = std::ranges::lower_bound(sums, sums.back() * p / parts) - sums.begin();
    const std::size_t end = static_cast<std::size_t>(last) + 1;
    if (ends.empty() || ends.back() < end) ends.push_back(end);
  }
  return ends;
}

}  // namespace

std::vector<TaskOfAll> tasks_of_all(std::span<const TargetWindow::Group> groups, std::span<const BlockQuery> queries,
                                    int threads) {
  std::vector<std::size_t> ends{queries.size()};
  if (threads > 1) {
    std::vector<std::size_t> sums;
    for (const BlockQuery &query : queries) sums.push_back((sums.empty() ? 0 : sums.back()) + query.length);
    const auto parts_of = [&](std::size_t each) {
      return (each * static_cast<std::size_t>(threads) + groups.size() - 1) / groups.size();
    };
    const std::size_t parts = std::max(parts_of(kLeast), std::min(parts_of(kTasks), sums.back() / kPartLetters));
    ends = part_ends(sums, std::min(parts, queries.size()));
  }
  std::vector<TaskOfAll> tasks;
  for (std::size_t g = groups.size(); g-- > 0;) {
    std::size_t first = 0;
    for (const std::size_t last : ends) tasks.push_back({groups[g], std::exchange(first, last), last});
  }
  return tasks;
}

}  // namespace alnsmith::rt::align
