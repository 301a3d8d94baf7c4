// See state_columns.h.
#include "state_columns.h"

#include <algorithm>
#include <stdexcept>

namespace golden {

ColumnTarget random_columns(std::mt19937 &random, int states, std::size_t length, bool flags) {
  ColumnTarget target;
  const auto state = [&] { return std::uint32_t{1} << random() % static_cast<unsigned>(states); };
  for (std::size_t i = 0; i < length; ++i) {
    std::uint32_t set = state();
    while (random() % 3 == 0) set |= state();
    if (random() % 16 == 0) set = states == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << states) - 1;
    target.sets.push_back(set);
    if (!flags) continue;
    const bool before = i > 0 && target.flags.back() == 1;
    target.flags.push_back(random() % 8 < (before ? 5u : 1u));
  }
  return target;
}

namespace {

// A deletion's cost on its cheapest line. A flagged column costs what flags cost, and leaves the gap open on every
// line.
long deletion(const oracle::Problem &problem, const oracle::Target &target, std::size_t begin, std::size_t end) {
  long cost = 0, letters = 0;
  bool flagged_before = false;
  const auto settle = [&] {
    if (letters == 0) return;
    long least = problem.deletion.cost(letters);
    if (flagged_before)
      for (const oracle::Line &line : problem.deletion.lines()) least = std::min(least, line.extend * letters);
    cost += least;
    letters = 0;
  };
  for (std::size_t j = begin; j < end; ++j) {
    if (!problem.flag_cost || !target.flagged(j)) {
      ++letters;
      continue;
    }
    settle();
    cost += *problem.flag_cost;
    flagged_before = true;
  }
  settle();
  return cost;
}

}  // namespace

long rescored(const oracle::Problem &problem, std::string_view query, const oracle::Target &target,
              const oracle::Answer &answer) {
  const oracle::Substitution &table = problem.substitution;
  const long sign = problem.minimize ? -1 : 1;
  auto i = static_cast<std::size_t>(answer.query_begin), j = static_cast<std::size_t>(answer.target_begin);
  long score = 0;
  for (const oracle::Run &run : answer.cigar) {
    const auto length = static_cast<std::size_t>(run.length);
    if (run.op == 'M') {
      for (std::size_t n = 0; n < length; ++n, ++i, ++j)
        score +=
            table.score(table.code(query.at(i)), target.codes.at(j)) + (target.flagged(j) ? problem.flag_score : 0);
    } else if (run.op == 'I') {
      score -= sign * problem.insertion.cost(run.length);
      i += length;
    } else {
      score -= sign * deletion(problem, target, j, j + length);
      j += length;
    }
  }
  if (static_cast<long>(i) != answer.query_end + 1 || static_cast<long>(j) != answer.target_end + 1)
    throw std::runtime_error("the CIGAR " + oracle::text(answer.cigar) + " does not lead to the alignment's end");
  return score;
}

}  // namespace golden
