// Bounds by the cheapest alignments that always exist: see ranges.h.
#include "spec/ranges.h"

#include <algorithm>

#include "spec/error.h"
#include "spec/gap.h"

namespace alnsmith::spec {
namespace {

std::string term(const Value &value, const std::string &name) {
  return value.runtime ? name : std::to_string(value.value);
}

std::string line_text(const Value &open, const Value &extend, const std::string &open_name,
                      const std::string &extend_name) {
  const std::string slope = term(extend, extend_name) + "*L";
  if (!open.runtime && open.value == 0) return slope;
  return term(open, open_name) + " + " + slope;
}

// Cost of a gap; 0 for none.
long long cost(const GapCost &gap, long long length) {
  if (length <= 0) return 0;
  long long least = gap.open.value + gap.extend.value * length;
  for (int n = 1; n < gap_lines(gap.model); ++n) {
    const GapLine line = line_of(gap, n);
    least = std::min(least, line.open.value + line.extend.value * length);
  }
  return least;
}

bool has_runtime(const GapCost &gap) {
  return std::ranges::any_of(gap_fields(), [&](const GapField &field) { return (gap.*field.value).runtime; });
}

// A lower bound of the result for every pair up to m x n, from two alignments that always exist: all gaps, and
// all diagonal with one gap for the rest. `worst` is the worst diagonal step, as a score to maximise.
// Both fall with the longer side; along the shorter side the diagonal one is linear (the smallest of lines is
// bounded by the first), so its minimum is at a corner: equal lengths, or the longest side against 1 or one less.
long long lower_bound(const Spec &spec, long long m, long long n, long long worst) {
  const auto line = [](const GapCost &gap, long long length) {
    return length <= 0 ? 0 : gap.open.value + gap.extend.value * length;
  };
  const auto diagonal = [&](long long i, long long j) {
    return worst * std::min(i, j) - line(spec.insertion, i - j) - line(spec.deletion, j - i);
  };
  long long low = std::min(diagonal(1, 1), diagonal(std::min(m, n), std::min(m, n)));
  for (const long long j : {1LL, std::min(m - 1, n)}) low = std::min(low, diagonal(m, std::max(j, 1LL)));
  for (const long long i : {1LL, std::min(n - 1, m)}) low = std::min(low, diagonal(std::max(i, 1LL), n));
  return std::max(low, -cost(spec.insertion, m) - cost(spec.deletion, n));
}

std::string side_line(const char *side, const GapCost &gap) {
  std::string line = std::string(side) + ": a gap of length L costs " + gap_formula(gap);
  if (gap.at_flag) line += "; at a flagged column opening and extending cost " + std::to_string(*gap.at_flag);
  return line;
}

std::string score_line(const Spec &spec) {
  const bool minimize = spec.objective == Objective::minimize;
  if (const auto range = score_range(spec)) {
    return "score: from " + std::to_string(range->low) + " to " + std::to_string(range->high) +
           " (bounds for a query up to " + std::to_string(*spec.max_query) + " and a target up to " +
           std::to_string(*spec.max_target) + " letters)";
  }
  const auto step = diagonal_range(spec);
  if (!step || spec.column_flags > 0) return "score: its range depends on the call";
  if (minimize && step->low >= 0) return "score: at least 0";
  if (minimize) return "score: at least " + std::to_string(step->low) + " * min(query, target)";
  const std::string most = std::to_string(std::max(0LL, step->high)) + " * min(query, target)";
  return spec.alignment == Alignment::local ? "score: from 0 to " + most : "score: at most " + most;
}

std::string matrix_line(const Spec &spec) {
  const size_t n = spec.alphabet.letters.size();
  const auto range = diagonal_range(spec);
  bool symmetric = true;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j)
      symmetric = symmetric && spec.score.matrix[i * n + j] == spec.score.matrix[j * n + i];
  }
  return "matrix: " + std::to_string(n) + " x " + std::to_string(n) + ", scores " + std::to_string(range->low) +
         " to " + std::to_string(range->high) + (symmetric ? ", symmetric" : ", not symmetric");
}

void add_runtime_gap(std::vector<std::string> &names, const GapCost &gap, const std::string &path) {
  for (const GapField &field : gap_fields())
    if ((gap.*field.value).runtime) names.push_back(path + "." + std::string(field.key));
}

}  // namespace

std::string gap_formula(const GapCost &gap) {
  std::string text;
  for (int n = 0; n < gap_lines(gap.model); ++n) {
    const GapLine line = line_of(gap, n);
    const std::string suffix = n == 0 ? "" : std::to_string(n + 1);
    text += (n > 0 ? ", " : "") + line_text(line.open, line.extend, "open" + suffix, "extend" + suffix);
  }
  return gap_lines(gap.model) > 1 ? "min(" + text + ")" : text;
}

std::optional<Range> diagonal_range(const Spec &spec) {
  const Score &score = spec.score;
  if (score.kind == ScoreKind::match && !score.match.runtime && !score.mismatch.runtime) {
    const auto [low, high] = std::minmax(score.match.value, score.mismatch.value);
    return Range{low, high};
  }
  if (score.matrix.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(score.matrix);
  return Range{low, high};
}

std::optional<Range> score_range(const Spec &spec) {
  const auto step = diagonal_range(spec);
  if (!step || !spec.max_query || !spec.max_target || has_runtime(spec.insertion) || has_runtime(spec.deletion) ||
      spec.column_flags > 0 || !spec.border.empty() || spec.has_bounds() || spec.band_width) {
    return std::nullopt;
  }
  const bool minimize = spec.objective == Objective::minimize;
  const long long worst = minimize ? -step->high : step->low, best = minimize ? -step->low : step->high;
  const long long m = *spec.max_query, n = *spec.max_target;
  const long long high = std::max(0LL, best) * std::min(m, n);
  const long long low = spec.alignment == Alignment::local ? 0 : lower_bound(spec, m, n, worst);
  return minimize ? Range{-high, -low} : Range{low, high};
}

std::vector<std::string> runtime_names(const Spec &spec) {
  std::vector<std::string> names;
  if (spec.score.match.runtime) names.push_back("score.match");
  if (spec.score.mismatch.runtime) names.push_back("score.mismatch");
  if (spec.score.matrix_runtime) names.push_back("score.matrix");
  if (spec.insertion == spec.deletion) {
    add_runtime_gap(names, spec.insertion, "gap");
  } else {
    add_runtime_gap(names, spec.insertion, "gap.insertion");
    add_runtime_gap(names, spec.deletion, "gap.deletion");
  }
  return names;
}

std::vector<std::string> derived_ranges(const Spec &spec) {
  std::vector<std::string> lines = {side_line("insertion", spec.insertion), side_line("deletion", spec.deletion),
                                    score_line(spec)};
  if (!spec.score.matrix.empty()) lines.push_back(matrix_line(spec));
  const auto names = runtime_names(spec);
  lines.push_back("runtime: " + (names.empty() ? "nothing" : one_of(names, "and")));
  return lines;
}

}  // namespace alnsmith::spec
