// Scoring numbers and their statics.
#include "plan/scoring_values.h"

#include <algorithm>
#include <utility>

namespace alnsmith::plan {

using spec::Spec;
using spec::Value;

int flag_score(const Spec &s) { return spec::sign(s.objective) * s.score.at_flag.value_or(0); }

ScoringValues scoring_values(const Spec &s) {
  ScoringValues n{};
  const int sign = spec::sign(s.objective);
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
  if (!n[ALN_SCORE_MIN].runtime) {
    n[ALN_SCORE_MIN].value += std::min(flag_score(s), 0);
    n[ALN_SCORE_MAX].value += std::max(flag_score(s), 0);
  }
  return n;
}

bool scoring_of_call(const Spec &s) {
  const ScoringValues n = scoring_values(s);
  return std::ranges::any_of(n, [](const Value &value) { return value.runtime; });
}

const char *columns_key(const Spec &s) {
  if (!s.alphabet.sets.empty()) return "alphabet: state_sets";
  if (!s.border.empty()) return "border";
  return s.has_bounds() ? "band: {from, to}" : nullptr;
}

int gap_states(const spec::Spec &s) {
  return std::max(spec::gap_states(s.insertion.model), spec::gap_states(s.deletion.model));
}

namespace {

// The open of each line of the recurrence: a side with fewer lines has its last one several times.
std::vector<int> recurrence_lines(const Spec &s, const spec::GapCost &cost, const int *opens) {
  std::vector<int> list;
  for (int line = 0; line < std::max(1, gap_states(s)); ++line)
    list.push_back(opens[std::min(line, spec::gap_lines(cost.model) - 1)]);
  return list;
}

// Of alignments that begin with letters of that side alone.
Begin begin(const Spec &s, spec::Side side) {
  const bool query = side == spec::Side::query;
  if (s.border.contains(query ? "query_begin" : "target_begin")) return Begin::forbidden;
  const bool free = query ? s.ends.query_prefix : s.ends.target_prefix;
  return free && s.alignment != spec::Alignment::local ? Begin::free : Begin::costs;
}

}  // namespace

Goal goal(const Spec &s, bool stream_end, bool register_end) {
  if (s.alignment == spec::Alignment::local) return Goal::best;
  if (stream_end && register_end) return Goal::last_row_and_column;
  return stream_end ? Goal::last_column : register_end ? Goal::last_row : Goal::corner;
}

void put_scoring(frontend::Statics &statics, const Spec &s, const ScoringValues &n, spec::Side stream) {
  auto put = [&](const std::string &field, int index) {
    statics[field + ".runtime"] = n[index].runtime;
    statics[field + ".value"] = n[index].value;
    statics[field + ".index"] = index;
  };
  Scores scores = Scores::compare;
  if (s.score.kind == spec::ScoreKind::matrix)
    scores = s.score.matrix_runtime ? Scores::call_matrix : Scores::folded_matrix;
  if (!s.alphabet.sets.empty()) scores = Scores::intersect;
  statics["scores"] = static_cast<int>(scores);
  statics["output"] = static_cast<int>(s.output.cigar   ? Output::cigar
                                       : s.output.begin ? Output::begin
                                       : s.output.end   ? Output::end
                                                        : Output::score);
  statics["wildcard"] = s.alphabet.wildcard != 0;
  const bool sets = !s.alphabet.sets.empty();
  statics["letters"] =
      static_cast<std::int64_t>(sets ? spec::letter_sets(s.alphabet).size() : s.alphabet.letters.size());
  if (sets) statics["states"] = static_cast<std::int64_t>(s.alphabet.letters.size());
  statics["flag_score"] = flag_score(s);
  statics["flag_cost"] = s.deletion.at_flag.value_or(0);
  statics["flags"] = static_cast<int>(s.deletion.at_flag   ? Flags::score_and_gap
                                      : s.column_flags > 0 ? Flags::score
                                                           : Flags::none);
  statics["band"] = static_cast<int>(s.band_width ? Band::of_spec : s.has_bounds() ? Band::of_alignment : Band::none);
  const auto [query, target] = std::pair(begin(s, spec::Side::query), begin(s, spec::Side::target));
  statics["stream_begin"] = static_cast<int>(stream == spec::Side::query ? query : target);
  statics["register_begin"] = static_cast<int>(stream == spec::Side::query ? target : query);
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
  const int sign = spec::sign(s.objective);
  std::vector<int> matrix(32 * ALN_MATRIX_STRIDE, scoring_values(s)[ALN_SCORE_MIN].value);
  for (std::size_t r = 0; r < letters; ++r)
    for (std::size_t c = 0; c < letters; ++c)
      matrix[r * ALN_MATRIX_STRIDE + c] = sign * s.score.matrix[r * letters + c];
  return matrix;
}

}  // namespace alnsmith::plan
