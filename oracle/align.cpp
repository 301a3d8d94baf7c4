// The oracle's DP: H, E and F as full matrices over (query length + 1) x (target length + 1) cells.
//
//   E[i][j] = best alignment of the prefixes i, j that ends with target letter j skipped (deletion)
//   F[i][j] = ... that ends with query letter i skipped (insertion); a matrix for each of the gap's lines
//   H[i][j] = best of all
// A problem that minimises is solved as its negation.
#include <algorithm>
#include <stdexcept>

#include "matrices.h"

namespace oracle {

FreeEnds ends_of(const Problem &problem) { return problem.mode == Mode::semiglobal ? problem.free : FreeEnds{}; }

long substitution_gain(const Problem &problem, std::size_t query_code, const Target &target, std::size_t column) {
  const long score =
      problem.substitution.score(query_code, target.codes[column]) + (target.flagged(column) ? problem.flag_score : 0);
  return problem.minimize ? -score : score;
}

std::vector<Line> deletion_lines(const Problem &problem, const Target &target, std::size_t column) {
  std::vector<Line> lines = problem.deletion.lines();
  if (problem.flag_cost && target.flagged(column))
    for (Line &line : lines) line = {0, *problem.flag_cost};
  return lines;
}

namespace {

// Scores of a deletion of all columns up to each, 0 of none.
std::vector<long> above(const Problem &problem, const Target &target) {
  std::vector<long> scores = {0}, states(problem.deletion.lines().size(), minus_infinity);
  for (std::size_t j = 0; j < target.codes.size(); ++j) {
    const std::vector<Line> lines = deletion_lines(problem, target, j);
    long best = minus_infinity;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      states[n] = std::max(scores.back() - lines[n].open, states[n]) - lines[n].extend;
      best = std::max(best, states[n]);
    }
    scores.push_back(best);
  }
  return scores;
}

// docs/manifest.md, "Empty sequences".
long score_of_empty(const Problem &problem, std::size_t query_length, const Target &target) {
  const std::size_t target_length = target.codes.size();
  const FreeEnds free = ends_of(problem);
  const long sign = problem.minimize ? 1 : -1;
  if (problem.mode == Mode::local) return 0;
  if (query_length > 0)
    return free.query_begin || free.query_end ? 0 : sign * problem.insertion.cost(static_cast<long>(query_length));
  if (target_length > 0) return free.target_begin || free.target_end ? 0 : -sign * above(problem, target).back();
  return 0;
}

std::vector<std::size_t> codes_of(const Problem &problem, std::string_view letters) {
  std::vector<std::size_t> codes;
  for (char letter : letters) codes.push_back(problem.substitution.code(letter));
  return codes;
}

// Extends the gap states of one side, a matrix a line, by the letter between two cells; the best of them.
inline long extended(const std::vector<Line> &lines, std::vector<Matrix> &states, long h, std::size_t from_i,
                     std::size_t from_j, std::size_t i, std::size_t j) {
  long best = minus_infinity;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    Matrix &state = states[n];
    state[i][j] = std::max(h - lines[n].open, state[from_i][from_j]) - lines[n].extend;
    best = std::max(best, state[i][j]);
  }
  return best;
}

Matrices gotoh(const Problem &problem, const std::vector<std::size_t> &query, const Target &target) {
  const FreeEnds free = ends_of(problem);
  const bool local = problem.mode == Mode::local;
  const std::size_t m = query.size(), n = target.codes.size();
  Matrices all{Matrix(m + 1, n + 1), {}, {}};
  auto &[H, E, F] = all;
  const std::vector<Line> insertion = problem.insertion.lines();
  while (E.size() < problem.deletion.lines().size()) E.emplace_back(m + 1, n + 1);
  while (F.size() < insertion.size()) F.emplace_back(m + 1, n + 1);

  const auto exists = [&](std::size_t i, std::size_t j) { return problem.exists(i, j, m, n); };
  if (exists(0, 0)) H[0][0] = 0;
  // A gap along a border begins at the corner and goes through all of it; a free begin is anywhere that exists.
  const std::vector<long> deleted = above(problem, target);
  std::vector<std::vector<Line>> deletion;  // by column
  for (std::size_t j = 0; j < n; ++j) deletion.push_back(deletion_lines(problem, target, j));
  for (std::size_t i = 1; i <= m; ++i)
    if (exists(i, 0) && (local || free.query_begin || H[i - 1][0] > minus_infinity))
      H[i][0] = local || free.query_begin ? 0 : -problem.insertion.cost(static_cast<long>(i));
  for (std::size_t j = 1; j <= n; ++j)
    if (exists(0, j) && (local || free.target_begin || H[0][j - 1] > minus_infinity))
      H[0][j] = local || free.target_begin ? 0 : deleted[j];
  const bool everywhere = problem.everywhere();
  for (std::size_t i = 1; i <= m; ++i) {
    long *const row = H[i];
    const long *const before = H[i - 1];
    for (std::size_t j = 1; j <= n; ++j) {
      if (!everywhere && !exists(i, j)) continue;  // all of it stays minus_infinity
      const long skipped_target = extended(deletion[j - 1], E, row[j - 1], i, j - 1, i, j);
      const long skipped_query = extended(insertion, F, before[j], i - 1, j, i, j);
      const long diagonal = before[j - 1] + substitution_gain(problem, query[i - 1], target, j - 1);
      row[j] = std::max({diagonal, skipped_target, skipped_query});
      if (local) row[j] = std::max(row[j], 0L);
    }
  }
  return all;
}

}  // namespace

Answer align(const Problem &problem, std::string_view query, std::string_view target) {
  return align(problem, query, Target{codes_of(problem, target)});
}

Answer align(const Problem &problem, std::string_view query, const Target &target) {
  if (problem.minimize && problem.mode == Mode::local) throw std::invalid_argument("local cannot minimize");
  const std::vector<std::size_t> q = codes_of(problem, query);
  if (q.empty() || target.codes.empty()) return {.score = score_of_empty(problem, q.size(), target)};

  const Matrices matrices = gotoh(problem, q, target);
  const Matrix &H = matrices.H;
  const FreeEnds free = ends_of(problem);
  const std::size_t m = q.size(), n = target.codes.size();
  const auto may_end = [&](std::size_t i, std::size_t j) {
    if (problem.mode == Mode::local) return true;
    return (i == m || free.query_end) && (j == n || free.target_end) && (i == m || j == n);
  };
  // Column by column, so that the first best cell has the smallest target end, then the smallest query end. All of a
  // column may end a local alignment; of others the last cell, of the last column all.
  Answer best{.score = minus_infinity};
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = problem.mode == Mode::local || j == n ? 1 : m; i <= m; ++i) {
      if (!may_end(i, j) || H[i][j] < best.score) continue;
      if (H[i][j] == best.score)
        ++best.ends;
      else
        best = {
            .score = H[i][j], .query_end = static_cast<long>(i) - 1, .target_end = static_cast<long>(j) - 1, .ends = 1};
    }
  if (problem.mode == Mode::local && best.score == 0) return {};
  if (best.score < minus_infinity / 2) return {.score = no_alignment};
  walk_back(problem, q, target, matrices, best);
  if (problem.minimize) best.score = -best.score;
  return best;
}

}  // namespace oracle
