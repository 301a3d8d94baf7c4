// Scoring numbers and their statics.
#include "plan/numbers.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "../../templates/gap_costs.h"

namespace alnsmith::plan {

using spec::Spec;
using spec::Value;

Numbers numbers(const Spec &s) {
  Numbers n{};
  const int sign = s.objective == spec::Objective::minimize ? -1 : 1;
  auto signed_value = [&](Value v) { return Value{v.runtime, sign * v.value}; };
  Value &match = n[ALN_MATCH] = signed_value(s.score.match);
  Value &mismatch = n[ALN_MISMATCH] = signed_value(s.score.mismatch);
  for (const auto &[cost, opens] : {std::pair{&s.insertion, kInsertionOpens}, {&s.deletion, kDeletionOpens}})
    for (int line = 0; line < spec::gap_lines(cost->model); ++line) {
      n[opens[line]] = spec::line_of(*cost, line).open;
      n[opens[line] + 1] = spec::line_of(*cost, line).extend;
    }
  if (s.score.kind == spec::ScoreKind::match) {
    const bool runtime = match.runtime || mismatch.runtime;
    n[ALN_SCORE_MIN] = {runtime, runtime ? 0 : std::min(match.value, mismatch.value)};
    n[ALN_SCORE_MAX] = {runtime, runtime ? 0 : std::max(match.value, mismatch.value)};
  } else if (s.score.matrix_runtime) {
    n[ALN_SCORE_MIN] = n[ALN_SCORE_MAX] = {true, 0};
  } else {
    const auto [low, high] = std::ranges::minmax(s.score.matrix);
    n[ALN_SCORE_MIN] = {false, sign < 0 ? -high : low};
    n[ALN_SCORE_MAX] = {false, sign < 0 ? -low : high};
  }
  return n;
}

int gap_states(const spec::Spec &s) {
  return std::max(spec::gap_states(s.insertion.model), spec::gap_states(s.deletion.model));
}

Symbol symbol(const Numbers &n, int i) {
  return n[i].runtime ? Symbol(std::string(kScoringValues[i].name)) : Symbol(n[i].value);
}

namespace {

// The open of each line of the recurrence: a side with fewer lines has its last one several times.
std::vector<int> recurrence_lines(const Spec &s, const spec::GapCost &cost, const int *opens) {
  std::vector<int> list;
  for (int line = 0; line < std::max(1, gap_states(s)); ++line)
    list.push_back(opens[std::min(line, spec::gap_lines(cost.model) - 1)]);
  return list;
}

template <int lines>
GapRange range_of(const GapCosts<Symbol, lines> &gap) {
  return {shear(gap), reach(gap), depth(gap), first_letter(gap)};
}

// The line of smallest extension goes last. Where that is not known before the call, the larger open stands for both:
// the range is then a little larger than it need be for costs of which one line is never the smaller.
GapRange gap_range(const Numbers &n, const std::vector<int> &opens) {
  const auto open = [&](std::size_t line) { return symbol(n, opens[line]); };
  const auto extend = [&](std::size_t line) { return symbol(n, opens[line] + 1); };
  if (opens.size() == 1) return range_of(GapCosts<Symbol, 1>{{open(0)}, {extend(0)}});
  if (extend(0).value && extend(1).value) {
    const std::size_t last = *extend(0).value < *extend(1).value ? 0 : 1;
    return range_of(GapCosts<Symbol, 2>{{open(1 - last), open(last)}, {extend(1 - last), extend(last)}});
  }
  const Symbol most = max(open(0), open(1));
  return range_of(GapCosts<Symbol, 2>{{most, most}, {max(extend(0), extend(1)), min(extend(0), extend(1))}});
}

}  // namespace

GapRange insertion_range(const Spec &s, const Numbers &n) {
  return gap_range(n, recurrence_lines(s, s.insertion, kInsertionOpens));
}
GapRange deletion_range(const Spec &s, const Numbers &n) {
  return gap_range(n, recurrence_lines(s, s.deletion, kDeletionOpens));
}

Goal goal(const Spec &s, bool stream_end, bool register_end) {
  if (s.alignment == spec::Alignment::local) return Goal::best;
  if (stream_end && register_end) return Goal::last_row_and_column;
  return stream_end ? Goal::last_column : register_end ? Goal::last_row : Goal::corner;
}

void put_scoring(frontend::Statics &statics, const Spec &s, const Numbers &n, spec::Side stream) {
  auto put = [&](const std::string &field, int index) {
    statics[field + ".runtime"] = n[index].runtime;
    statics[field + ".value"] = n[index].value;
    statics[field + ".index"] = index;
  };
  Scores scores = Scores::compare;
  if (s.score.kind == spec::ScoreKind::matrix)
    scores = s.score.matrix_runtime ? Scores::call_matrix : Scores::folded_matrix;
  statics["scores"] = static_cast<int>(scores);
  statics["output"] = static_cast<int>(s.output.end ? Output::end : Output::score);
  statics["letters"] = static_cast<std::int64_t>(s.alphabet.letters.size());
  statics["wildcard"] = s.alphabet.wildcard != 0;
  statics["gap_states"] = gap_states(s);
  for (const int i : {ALN_MATCH, ALN_MISMATCH, ALN_SCORE_MIN, ALN_SCORE_MAX}) put(kScoringValues[i].name, i);
  // A gap that skips query letters is an insertion.
  const auto put_side = [&](spec::Side side, const spec::GapCost &cost, const int *opens) {
    std::vector<int> lines = recurrence_lines(s, cost, opens);
    lines.resize(kMostLines, lines.back());
    for (int line = 0; line < kMostLines; ++line) {
      const std::string field = (side == stream ? "stream_gap." : "register_gap.") + std::to_string(line);
      put(field + ".open", lines[line]);
      put(field + ".extend", lines[line] + 1);
    }
  };
  put_side(spec::Side::query, s.insertion, kInsertionOpens);
  put_side(spec::Side::target, s.deletion, kDeletionOpens);
}

std::vector<int> folded_matrix(const Spec &s) {
  if (s.score.kind != spec::ScoreKind::matrix || s.score.matrix_runtime) return {};
  const std::size_t letters = s.alphabet.letters.size();
  const int sign = s.objective == spec::Objective::minimize ? -1 : 1;
  std::vector<int> matrix(32 * ALN_MATRIX_STRIDE, numbers(s)[ALN_SCORE_MIN].value);
  for (std::size_t r = 0; r < letters; ++r)
    for (std::size_t c = 0; c < letters; ++c)
      matrix[r * ALN_MATRIX_STRIDE + c] = sign * s.score.matrix[r * letters + c];
  return matrix;
}

std::string identifier(std::string text) {
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

}  // namespace alnsmith::plan
