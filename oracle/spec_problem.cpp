// Specs as the oracle's problems: see spec_problem.h.
#include "spec_problem.h"

#include <stdexcept>

#include "spec/expression.h"
#include "spec/gap.h"

namespace oracle {
namespace {

using alnsmith::spec::ScoreKind;

Mode mode(alnsmith::spec::Alignment alignment) {
  switch (alignment) {
    case alnsmith::spec::Alignment::global:
      return Mode::global;
    case alnsmith::spec::Alignment::local:
      return Mode::local;
    case alnsmith::spec::Alignment::semiglobal:
      return Mode::semiglobal;
  }
  throw std::logic_error("unknown alignment");
}

Substitution substitution(const alnsmith::spec::Spec &spec, const alnsmith::Scoring &call) {
  const auto &alphabet = spec.alphabet;
  const auto value = [&](const alnsmith::spec::Value &given, const char *name) -> long {
    return given.runtime ? call.values.at(name) : given.value;
  };
  if (!alphabet.sets.empty())
    return Substitution::state_sets(alphabet.sets, value(spec.score.match, "match"),
                                    value(spec.score.mismatch, "mismatch"));
  if (spec.score.kind == ScoreKind::match)
    return Substitution::match_mismatch(alphabet.letters, value(spec.score.match, "match"),
                                        value(spec.score.mismatch, "mismatch"), alphabet.wildcard);
  if (spec.score.kind != ScoreKind::matrix) throw std::logic_error("the oracle has no such scoring");
  const auto &matrix = spec.score.matrix_runtime ? call.matrix : spec.score.matrix;
  return Substitution::matrix(alphabet.letters, {matrix.begin(), matrix.end()});
}

// An expression of a band's bound; none where the spec gives none.
Problem::Bound bound(const std::string &text) {
  if (text.empty()) return {};
  const auto parsed = alnsmith::spec::Expression::parse(text, alnsmith::spec::bound_grammar());
  if (!parsed) throw std::logic_error("a band's bound that is no expression");
  return [parsed = *parsed](long query, long target) {
    const std::int64_t lengths[] = {query, target};
    return static_cast<long>(*parsed.value(lengths, {}));
  };
}

}  // namespace

Problem spec_problem(const alnsmith::spec::Spec &spec, const alnsmith::Scoring &call) {
  const auto gap = [&](const alnsmith::spec::GapCost &cost, const std::string &side) {
    std::vector<Line> lines(static_cast<std::size_t>(alnsmith::spec::gap_lines(cost.model)));
    for (const auto &field : alnsmith::spec::gap_fields()) {
      if (!alnsmith::spec::has_field(cost.model, field)) continue;
      const auto &given = cost.*field.value;
      Line &line = lines[static_cast<std::size_t>(field.line)];
      (field.open ? line.open : line.extend) =
          given.runtime ? call.values.at(side + "_" + std::string(field.key)) : given.value;
    }
    return Gap{lines[0].open, lines[0].extend, {lines.begin() + 1, lines.end()}};
  };
  Problem problem{mode(spec.alignment),
                  {spec.ends.query_prefix, spec.ends.query_suffix, spec.ends.target_prefix, spec.ends.target_suffix},
                  gap(spec.insertion, "insertion"),
                  gap(spec.deletion, "deletion"),
                  substitution(spec, call),
                  spec.objective == alnsmith::spec::Objective::minimize};
  if (spec.band_width) problem.band = *spec.band_width;
  problem.band_from = bound(spec.band_from);
  problem.band_to = bound(spec.band_to);
  problem.flag_score = spec.score.at_flag.value_or(0);
  if (spec.deletion.at_flag) problem.flag_cost = *spec.deletion.at_flag;
  problem.query_begin_forbidden = spec.border.contains("query_begin");
  problem.target_begin_forbidden = spec.border.contains("target_begin");
  for (const auto &[byte, letter] : spec.alphabet.synonyms) problem.substitution.synonym(byte, letter);
  return problem;
}

alnsmith::Scoring call_scoring(const alnsmith::spec::Spec &spec) {
  alnsmith::Scoring call;
  const auto set = [&](const alnsmith::spec::Value &value, const std::string &name, int number) {
    if (value.runtime) call.values[name] = number;
  };
  const bool minimize = spec.objective == alnsmith::spec::Objective::minimize;
  set(spec.score.match, "match", minimize ? 0 : 3);
  set(spec.score.mismatch, "mismatch", minimize ? 4 : -2);
  for (const auto &field : alnsmith::spec::gap_fields()) {
    const std::string key(field.key);
    set(spec.insertion.*field.value, "insertion_" + key, field.open ? 5 + 3 * field.line : 1 - field.line);
    set(spec.deletion.*field.value, "deletion_" + key, field.open ? 3 + 6 * field.line : 2 - field.line);
  }
  if (!spec.score.matrix_runtime) return call;
  const int letters = static_cast<int>(spec.alphabet.letters.size());
  for (int query = 0; query < letters; ++query)
    for (int target = 0; target < letters; ++target)
      call.matrix.push_back(query == target ? 4 + query % 4 : (query * 7 + target * 3) % 6 - 4);
  return call;
}

}  // namespace oracle
