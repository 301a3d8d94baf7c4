// See generic.h.
#include "spec/generic.h"

#include "spec/alphabet.h"
#include "spec/canonical.h"
#include "spec/gap.h"

namespace alnsmith::spec {
namespace {

constexpr Value from_call{true, 0};

// Calls use(name for the runtime, value) for each value of the gaps.
template <class SomeSpec, class Use>
void each_gap_value(SomeSpec &spec, Use use) {
  for (const auto &[side, cost] : {std::pair{"insertion_", &spec.insertion}, {"deletion_", &spec.deletion}})
    for (const GapField &field : gap_fields())
      if (has_field(cost->model, field)) use(side + std::string(field.key), cost->*field.value);
}

}  // namespace

Spec generic_form(const Spec &spec) {
  Spec form;
  form.name = spec.name;
  form.alignment = spec.alignment;
  form.ends = spec.ends;
  form.insertion = spec.insertion;
  form.deletion = spec.deletion;
  form.alphabet = spec.alphabet.name == "rna" ? *named_alphabet("dna") : spec.alphabet;  // whose U is T
  form.score = spec.score;
  form.output = spec.output;
  form.targets = spec.targets;
  each_gap_value(form, [](const std::string &, Value &value) { value = from_call; });
  if (form.score.kind == ScoreKind::match) form.score.match = form.score.mismatch = from_call;
  if (form.score.kind == ScoreKind::matrix) {
    form.score.matrix_runtime = true;
    form.score.matrix.clear();
    form.score.matrix_name.clear();
  }
  return form;
}

std::optional<GenericSpec> generic_of(const Spec &spec) {
  const bool more = spec.column_flags != 0 || spec.score.at_flag || spec.insertion.at_flag || spec.deletion.at_flag ||
                    !spec.border.empty() || spec.has_bounds() || spec.band_width;
  if (more || spec.score.kind == ScoreKind::target_profile || !spec.alphabet.state_set_base.empty())
    return std::nullopt;
  GenericSpec out;
  const auto put = [&](const std::string &name, const Value &value) {
    if (!value.runtime) out.scoring.values[name] = value.value;
  };
  each_gap_value(spec, put);
  if (spec.score.kind == ScoreKind::match) {
    put("match", spec.score.match);
    put("mismatch", spec.score.mismatch);
  } else {
    out.scoring.matrix = spec.score.matrix;
  }
  if (out.scoring.values.empty() && out.scoring.matrix.empty()) return std::nullopt;
  out.hash = hash(generic_form(spec));
  out.minimize = spec.objective == Objective::minimize;
  out.max_query = static_cast<std::uint64_t>(spec.max_query.value_or(0));
  out.max_target = static_cast<std::uint64_t>(spec.max_target.value_or(0));
  return out;
}

SpecRef reference(const Spec &spec, const std::string &path) { return {path, spec.name, hash(spec), generic_of(spec)}; }

}  // namespace alnsmith::spec
