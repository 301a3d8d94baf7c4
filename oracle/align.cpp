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

long substitution_gain(const Problem &problem, std::size_t query_code, std::size_t target_code) {
  const long score = problem.substitution.score(query_code, target_code);
  return problem.minimize ? -score : score;
}

namespace {

// docs/manifest.md, "Empty sequences".
long score_of_empty(const Problem &problem, std::size_t query_length, std::size_t target_length) {
  const FreeEnds free = ends_of(problem);
  const long sign = problem.minimize ? 1 : -1;
  if (problem.mode == Mode::local) return 0;
  if (query_length > 0)
    return free.query_begin || free.query_end ? 0 : sign * problem.insertion.cost(static_cast<long>(query_length));
  if (target_length > 0)
    return free.target_begin || free.target_end ? 0 : sign * problem.deletion.cost(static_cast<long>(target_length));
  return 0;
}

std::vector<std::size_t> codes_of(const Problem &problem, std::string_view letters) {
  std::vector<std::size_t> codes;
  for (char letter : letters) codes.push_back(problem.substitution.code(letter));
  return codes;
}

// Extends the gap states of one side, a matrix a line, by the letter between two cells; the best of them.
long extended(const std::vector<Line> &lines, std::vector<Matrix> &states, long h, std::size_t from_i,
              std::size_t from_j, std::size_t i, std::size_t j) {
  long best = minus_infinity;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    Matrix &state = states[n];
    state[i][j] = std::max(h - lines[n].open, state[from_i][from_j]) - lines[n].extend;
    best = std::max(best, state[i][j]);
  }
  return best;
}

Matrices gotoh(const Problem &problem, const std::vector<std::size_t> &query, const std::vector<std::size_t> &target) {
  const FreeEnds free = ends_of(problem);
  const bool local = problem.mode == Mode::local;
  const std::size_t m = query.size(), n = target.size();
  Matrices all{Matrix(m + 1, n + 1), {}, {}};
  auto &[H, E, F] = all;
  const std::vector<Line> deletion = problem.deletion.lines(), insertion = problem.insertion.lines();
  while (E.size() < deletion.size()) E.emplace_back(m + 1, n + 1);
  while (F.size() < insertion.size()) F.emplace_back(m + 1, n + 1);

  H[0][0] = 0;
  const auto exists = [&](std::size_t i, std::size_t j) { return problem.exists(i, j, m, n); };
  for (std::size_t i = 1; i <= m && exists(i, 0); ++i)
    H[i][0] = local || free.query_begin ? 0 : -problem.insertion.cost(static_cast<long>(i));
  for (std::size_t j = 1; j <= n && exists(0, j); ++j)
    H[0][j] = local || free.target_begin ? 0 : -problem.deletion.cost(static_cast<long>(j));
  for (std::size_t i = 1; i <= m; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      if (!exists(i, j)) continue;  // all of it stays minus_infinity
      const long skipped_target = extended(deletion, E, H[i][j - 1], i, j - 1, i, j);
      const long skipped_query = extended(insertion, F, H[i - 1][j], i - 1, j, i, j);
      const long diagonal = H[i - 1][j - 1] + substitution_gain(problem, query[i - 1], target[j - 1]);
      H[i][j] = std::max({diagonal, skipped_target, skipped_query});
      if (local) H[i][j] = std::max(H[i][j], 0L);
    }
  return all;
}

}  // namespace

Answer align(const Problem &problem, std::string_view query, std::string_view target) {
  if (problem.minimize && problem.mode == Mode::local) throw std::invalid_argument("local cannot minimize");
  const std::vector<std::size_t> q = codes_of(problem, query), t = codes_of(problem, target);
  if (q.empty() || t.empty()) return {.score = score_of_empty(problem, q.size(), t.size())};

  const Matrices matrices = gotoh(problem, q, t);
  const Matrix &H = matrices.H;
  const FreeEnds free = ends_of(problem);
  const std::size_t m = q.size(), n = t.size();
  const auto may_end = [&](std::size_t i, std::size_t j) {
    if (problem.mode == Mode::local) return true;
    return (i == m || free.query_end) && (j == n || free.target_end) && (i == m || j == n);
  };
  // Column by column, so that the first best cell has the smallest target end, then the smallest query end.
  Answer best{.score = minus_infinity};
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = 1; i <= m; ++i) {
      if (!may_end(i, j) || H[i][j] < best.score) continue;
      if (H[i][j] == best.score)
        ++best.ends;
      else
        best = {
            .score = H[i][j], .query_end = static_cast<long>(i) - 1, .target_end = static_cast<long>(j) - 1, .ends = 1};
    }
  if (problem.mode == Mode::local && best.score == 0) return {};
  walk_back(problem, q, t, matrices, best);
  if (problem.minimize) best.score = -best.score;
  return best;
}

}  // namespace oracle
