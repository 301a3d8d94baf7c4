// See scoring_system.h.
#include "common/scoring_system.h"

#include <string>

#include "spec/gap.h"

namespace alnsmith::tool {

int effective(const spec::Value &value, const std::string &name, const Scoring &scoring) {
  return value.runtime ? scoring.values.find(name)->second : value.value;
}

std::string line_suffix(int line) { return line == 0 ? "" : std::to_string(line + 1); }

namespace {

std::vector<search::GapLine> lines_of(const spec::GapCost &cost, const std::string &side, const Scoring &scoring) {
  std::vector<search::GapLine> lines;
  for (int n = 0; n < spec::gap_lines(cost.model); ++n) {
    const spec::GapLine line = spec::line_of(cost, n);
    const std::string suffix = line_suffix(n);
    const int open = spec::gap_states(cost.model) > 0 ? effective(line.open, side + "_open" + suffix, scoring) : 0;
    lines.push_back({open, effective(line.extend, side + "_extend" + suffix, scoring)});
  }
  return lines;
}

std::vector<int> matrix_of(const spec::Spec &spec, const Scoring &scoring) {
  if (spec.score.kind == spec::ScoreKind::matrix) return spec.score.matrix_runtime ? scoring.matrix : spec.score.matrix;
  const std::string &letters = spec.alphabet.letters;
  const int match = effective(spec.score.match, "match", scoring);
  const int mismatch = effective(spec.score.mismatch, "mismatch", scoring);
  std::vector<int> matrix;
  for (const char row : letters)
    for (const char column : letters)
      matrix.push_back(row == column && row != spec.alphabet.wildcard ? match : mismatch);
  return matrix;
}

}  // namespace

search::ScoringSystem scoring_system(const spec::Spec &spec, const Scoring &scoring) {
  return {.letters = spec.alphabet.letters,
          .synonyms = spec.alphabet.synonyms,
          .wildcard = spec.alphabet.wildcard,
          .matrix = matrix_of(spec, scoring),
          .insertion = lines_of(spec.insertion, "insertion", scoring),
          .deletion = lines_of(spec.deletion, "deletion", scoring)};
}

}  // namespace alnsmith::tool
