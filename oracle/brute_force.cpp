// Roads to the score and to the path that know nothing of Gotoh's recurrence; they check align.cpp and walk.cpp on
// small inputs.
#include <algorithm>
#include <functional>
#include <limits>
#include <ranges>

#include "oracle.h"

namespace oracle {
namespace {

constexpr long nothing = -(1L << 60);

// The value of a problem as one that maximises, its free ends resolved for global and local too.
struct Plain {
  explicit Plain(const Problem &problem)
      : problem(problem),
        local(problem.mode == Mode::local),
        free(problem.mode == Mode::semiglobal ? problem.free : FreeEnds{}) {}
  long substitution(char query, char target) const {
    const Substitution &table = problem.substitution;
    const long score = table.score(table.code(query), table.code(target));
    return problem.minimize ? -score : score;
  }
  long finish(long best) const { return problem.minimize ? -best : best; }
  const Problem &problem;
  bool local;
  FreeEnds free;
};

// What is the kind of the last column of an alignment: letters paired, or one side skipped.
enum Kind { start, pair, insertion, deletion, kinds };

}  // namespace

// One matrix per kind of last column; a gap is added whole, over all its lengths, and never behind a gap
// on the same side, so that no gap is priced as two.
long score_by_all_gap_lengths(const Problem &problem, std::string_view query, std::string_view target) {
  const Plain plain(problem);
  const long m = static_cast<long>(query.size()), n = static_cast<long>(target.size());
  std::vector<std::vector<std::vector<long>>> best(
      kinds, std::vector<std::vector<long>>(static_cast<std::size_t>(m + 1),
                                            std::vector<long>(static_cast<std::size_t>(n + 1), nothing)));
  const auto at = [&](int kind, long i, long j) -> long & {
    return best[static_cast<std::size_t>(kind)][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  long answer = plain.local ? 0 : nothing;
  for (long i = 0; i <= m; ++i)
    for (long j = 0; j <= n; ++j) {
      const bool may_start = plain.local || (i == 0 && j == 0) || (j == 0 && plain.free.query_begin) ||
                             (i == 0 && plain.free.target_begin);
      if (may_start) at(start, i, j) = 0;
      if (i > 0 && j > 0) {
        const long before = std::max(
            {at(start, i - 1, j - 1), at(pair, i - 1, j - 1), at(insertion, i - 1, j - 1), at(deletion, i - 1, j - 1)});
        at(pair, i, j) = before + plain.substitution(query[static_cast<std::size_t>(i - 1)],
                                                     target[static_cast<std::size_t>(j - 1)]);
      }
      for (long length = 1; length <= i; ++length) {
        const long before = std::max({at(start, i - length, j), at(pair, i - length, j), at(deletion, i - length, j)});
        at(insertion, i, j) = std::max(at(insertion, i, j), before - problem.insertion.cost(length));
      }
      for (long length = 1; length <= j; ++length) {
        const long before = std::max({at(start, i, j - length), at(pair, i, j - length), at(insertion, i, j - length)});
        at(deletion, i, j) = std::max(at(deletion, i, j), before - problem.deletion.cost(length));
      }
      const bool may_end =
          plain.local || (i == m && j == n) || (j == n && plain.free.query_end) || (i == m && plain.free.target_end);
      const bool border = (i == 0 || j == 0) && m > 0 && n > 0;  // the answer cell has i, j >= 1
      if (may_end && !border)
        for (int kind = start; kind < kinds; ++kind) answer = std::max(answer, at(kind, i, j));
    }
  return plain.finish(answer);
}

namespace {

// What a deletion of some columns costs. Behind a flagged column, which opens it as well as it extends it, a gap is
// open on every line.
long deletion_cost(const Problem &problem, const Target &target, std::size_t begin, std::size_t end) {
  if (!problem.flag_cost) return problem.deletion.cost(static_cast<long>(end - begin));
  std::size_t first = begin;
  while (first < end && !target.flagged(first)) ++first;
  long least = problem.deletion.extend,
       cost = first > begin ? problem.deletion.cost(static_cast<long>(first - begin)) : 0;
  for (const Line &line : problem.deletion.more) least = std::min(least, line.extend);
  for (std::size_t j = first; j < end; ++j) cost += target.flagged(j) ? *problem.flag_cost : least;
  return cost;
}

// Extends a partial alignment that began somewhere legal and stands before query[i], target[j].
struct Enumerator {
  const Plain &plain;
  std::string_view query;
  const Target &target;
  std::string columns = {};  // one of 'P', 'I', 'D' per column
  std::size_t begin_i = 0, begin_j = 0;
  long best = nothing;

  // The score of the finished alignment: runs of I and of D are gaps, everything else pairs.
  long price() const {
    long total = 0;
    std::size_t i = begin_i, j = begin_j;
    for (std::size_t c = 0; c < columns.size();) {
      if (columns[c] == 'P') {
        const long score =
            plain.problem.substitution.score(plain.problem.substitution.code(query[i++]), target.codes[j]) +
            (target.flagged(j) ? plain.problem.flag_score : 0);
        total += plain.problem.minimize ? -score : score;
        ++j;
        ++c;
        continue;
      }
      std::size_t end = c;
      while (end < columns.size() && columns[end] == columns[c]) ++end;
      const long length = static_cast<long>(end - c);
      total -= columns[c] == 'I' ? plain.problem.insertion.cost(length)
                                 : deletion_cost(plain.problem, target, j, j + (end - c));
      (columns[c] == 'I' ? i : j) += end - c;
      c = end;
    }
    return total;
  }

  void walk(std::size_t i, std::size_t j) {
    const std::size_t m = query.size(), n = target.codes.size();
    if (!plain.problem.exists(i, j, m, n)) return;
    const bool may_end =
        plain.local || (i == m && j == n) || (j == n && plain.free.query_end) || (i == m && plain.free.target_end);
    const bool border = (i == 0 || j == 0) && m > 0 && n > 0;
    if (may_end && !border) best = std::max(best, price());
    const auto step = [&](char column, std::size_t next_i, std::size_t next_j) {
      columns.push_back(column);
      walk(next_i, next_j);
      columns.pop_back();
    };
    if (i < m && j < n) step('P', i + 1, j + 1);
    if (i < m) step('I', i + 1, j);
    if (j < n) step('D', i, j + 1);
  }
};

}  // namespace

long score_by_enumeration(const Problem &problem, std::string_view query, std::string_view target) {
  Target columns;
  for (const char letter : target) columns.codes.push_back(problem.substitution.code(letter));
  return score_by_enumeration(problem, query, columns);
}

long score_by_enumeration(const Problem &problem, std::string_view query, const Target &target) {
  const Plain plain(problem);
  long best = plain.local ? 0 : nothing;
  for (std::size_t i = 0; i <= query.size(); ++i)
    for (std::size_t j = 0; j <= target.codes.size(); ++j) {
      const bool may_start = plain.local || (i == 0 && j == 0) || (j == 0 && plain.free.query_begin) ||
                             (i == 0 && plain.free.target_begin);
      if (!may_start) continue;
      Enumerator all{plain, query, target, {}, i, j, nothing};
      all.walk(i, j);
      best = std::max(best, all.best);
    }
  return plain.finish(best);
}

namespace {

// All paths back from one cell, depth first, each step in the order of the rule; the first best one is kept.
struct Backwards {
  const Plain &plain;
  std::string_view query, target;
  std::string columns = {};  // 'M', 'I' or 'D', from the end
  long best = nothing;
  std::size_t begin_i = 0, begin_j = 0;
  std::string best_columns = {};

  void finish(std::size_t i, std::size_t j, long total) {
    if (total <= best) return;
    best = total;
    begin_i = i;
    begin_j = j;
    best_columns = columns;
  }

  // Whatever is left is skipped, at no cost or as one gap.
  void on_border(std::size_t i, std::size_t j, long total) {
    const bool free = i > 0 ? plain.free.query_begin : plain.free.target_begin;
    if (free || (i == 0 && j == 0)) return finish(i, j, total);
    columns.append(i + j, i > 0 ? 'I' : 'D');
    finish(0, 0, total - (i > 0 ? plain.problem.insertion : plain.problem.deletion).cost(static_cast<long>(i + j)));
    columns.resize(columns.size() - (i + j));
  }

  void in_h(std::size_t i, std::size_t j, long total) {
    if (!plain.problem.exists(i, j, query.size(), target.size())) return;
    if (plain.local) finish(i, j, total);
    if (i == 0 || j == 0) {
      if (!plain.local) on_border(i, j, total);
      return;
    }
    columns.push_back('M');
    in_h(i - 1, j - 1, total + plain.substitution(query[i - 1], target[j - 1]));
    columns.pop_back();
    for (const char op : {'D', 'I'}) {
      std::vector<Line> lines = (op == 'I' ? plain.problem.insertion : plain.problem.deletion).lines();
      std::ranges::sort(lines, std::greater{}, &Line::extend);
      for (const Line &line : lines) in_gap(op, line, i, j, total - line.open);
    }
  }

  // Takes a letter more into the gap, then leaves it or goes on.
  void in_gap(char op, const Line &line, std::size_t i, std::size_t j, long total) {
    if (i == 0 || j == 0) return;
    (op == 'I' ? i : j) -= 1;
    if (!plain.problem.exists(i, j, query.size(), target.size())) return;
    columns.push_back(op);
    in_h(i, j, total - line.extend);
    in_gap(op, line, i, j, total - line.extend);
    columns.pop_back();
  }
};

}  // namespace

Answer align_by_enumeration(const Problem &problem, std::string_view query, std::string_view target) {
  const Plain plain(problem);
  Answer answer{.score = nothing};
  for (std::size_t j = 1; j <= target.size(); ++j)
    for (std::size_t i = 1; i <= query.size(); ++i) {
      const bool last_row = i == query.size(), last_column = j == target.size();
      const bool may_end = plain.local || (last_row && last_column) || (last_column && plain.free.query_end) ||
                           (last_row && plain.free.target_end);
      if (!may_end) continue;
      Backwards all{plain, query, target};
      all.in_h(i, j, 0);
      answer.ends += all.best == answer.score;
      if (all.best <= answer.score) continue;
      answer = {.score = all.best,
                .query_end = static_cast<long>(i) - 1,
                .target_end = static_cast<long>(j) - 1,
                .ends = 1,
                .query_begin = static_cast<long>(all.begin_i),
                .target_begin = static_cast<long>(all.begin_j)};
      for (const char op : all.best_columns | std::views::reverse)
        if (answer.cigar.empty() || answer.cigar.back().op != op)
          answer.cigar.push_back({op, 1});
        else
          ++answer.cigar.back().length;
    }
  if (plain.local && answer.score == 0) return {};
  answer.score = plain.finish(answer.score);
  return answer;
}

}  // namespace oracle
