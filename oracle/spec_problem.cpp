// Specs as the oracle's problems: see spec_problem.h.
#include "spec_problem.h"

#include <stdexcept>

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
  if (spec.score.kind == ScoreKind::match)
    return Substitution::match_mismatch(alphabet.letters, value(spec.score.match, "match"),
                                        value(spec.score.mismatch, "mismatch"), alphabet.wildcard);
  if (spec.score.kind != ScoreKind::matrix) throw std::logic_error("the oracle has no such scoring");
  const auto &matrix = spec.score.matrix_runtime ? call.matrix : spec.score.matrix;
  return Substitution::matrix(alphabet.letters, {matrix.begin(), matrix.end()});
}

}  // namespace

Problem spec_problem(const alnsmith::spec::Spec &spec, const alnsmith::Scoring &call) {
  const auto gap = [&](const alnsmith::spec::GapCost &cost, const std::string &side) {
    const auto value = [&](const alnsmith::spec::Value &given, const char *key) -> long {
      return given.runtime ? call.values.at(side + "_" + key) : given.value;
    };
    Gap gap{value(cost.open, "open"), value(cost.extend, "extend")};
    if (cost.model == alnsmith::spec::GapModel::dual_affine)
      gap.second = {value(cost.open2, "open2"), value(cost.extend2, "extend2")};
    return gap;
  };
  Problem problem{mode(spec.alignment),
                  {spec.ends.query_begin, spec.ends.query_end, spec.ends.target_begin, spec.ends.target_end},
                  gap(spec.insertion, "insertion"),
                  gap(spec.deletion, "deletion"),
                  substitution(spec, call),
                  spec.objective == alnsmith::spec::Objective::minimize};
  for (const auto &[byte, letter] : spec.alphabet.synonyms) problem.substitution.synonym(byte, letter);
  return problem;
}

alnsmith::Scoring call_scoring(const alnsmith::spec::Spec &spec) {
  alnsmith::Scoring call;
  const auto set = [&](const alnsmith::spec::Value &value, const char *name, int number) {
    if (value.runtime) call.values[name] = number;
  };
  const bool minimize = spec.objective == alnsmith::spec::Objective::minimize;
  set(spec.score.match, "match", minimize ? 0 : 3);
  set(spec.score.mismatch, "mismatch", minimize ? 4 : -2);
  set(spec.insertion.open, "insertion_open", 5);
  set(spec.insertion.extend, "insertion_extend", 1);
  set(spec.deletion.open, "deletion_open", 3);
  set(spec.deletion.extend, "deletion_extend", 2);
  set(spec.insertion.open2, "insertion_open2", 8);
  set(spec.insertion.extend2, "insertion_extend2", 0);
  set(spec.deletion.open2, "deletion_open2", 9);
  set(spec.deletion.extend2, "deletion_extend2", 1);
  if (!spec.score.matrix_runtime) return call;
  const int letters = static_cast<int>(spec.alphabet.letters.size());
  for (int query = 0; query < letters; ++query)
    for (int target = 0; target < letters; ++target)
      call.matrix.push_back(query == target ? 4 + query % 4 : (query * 7 + target * 3) % 6 - 4);
  return call;
}

}  // namespace oracle
