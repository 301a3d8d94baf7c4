// The planner.
#include "plan/plan.h"

#include "plan/device_plan.h"
#include "plan/lane_plan.h"
#include "plan/refusals.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"
#include "plan/strip_plan.h"
#include "spec/canonical.h"
#include "targets/targets.h"

namespace alnsmith::plan {

using spec::Spec;

std::string entry_prefix(const Spec &s, const std::string &hash) {
  return "aln_" + targets::identifier(s.name) + "_" + hash.substr(0, 8) + "_";
}

spec::Tile tile_of(const Spec &s, const backend::Target &target) {
  spec::Tile tile = s.tile;
  for (const auto &[name, own] : s.target_tile) {  // the name itself comes before its variants
    const backend::Target *row = backend::find_target(name);
    if (!row || row->name != target.name) continue;
    if (own.p) tile.p = own.p;
    if (own.k) tile.k = own.k;
    break;
  }
  return tile;
}

Result<Plan> make_plan(const Spec &spec, const backend::Target &target, const frontend::Teller &templates,
                       const Tuning &tuning, const Spilled &spilled) {
  const Spec s = tuning.applied_to(spec, std::string(target.name));
  if (const std::string why = cannot_be_served(s, target, templates.mappings()); !why.empty())
    return Error{s.name + ": " + why + "; take it out, or keep the spec for a build that has one"};
  if (target.device) return make_device_plan(s, spec::hash(spec), target, templates, tuning, spilled);
  for (const auto &[key, value] : {std::pair{"p", tuning.by_hand().p}, std::pair{"block", tuning.by_hand().block},
                                   std::pair{"grid", tuning.by_hand().grid}})
    if (value) return Error{s.name + ": " + key + " is for devices; leave it out for " + std::string(target.name)};
  Plan plan;
  plan.spec_name = s.name;
  plan.spec_hash = spec::hash(spec);
  plan.target = &target;
  plan.matrix = folded_matrix(s);
  const std::string no_bits = s.arithmetic == arithmetics::bitsliced ? sliced_missing(s, target) : "";
  if (!no_bits.empty()) plan.note = "arithmetic: bitsliced: " + no_bits + "; int8 instead";
  const ScoringValues n = scoring_values(s);
  const bool may_slice = sliced_refusal(s, target).empty();
  const std::vector<SlicedKernel> sliced = may_slice ? sliced_kernels(s, target) : std::vector<SlicedKernel>();
  if (auto ok = add_lanes(plan, s, n, templates, tuning, sliced); !ok) return ok.error();
  for (const std::string &mapping : target.strips() ? split_mappings(s) : std::vector<std::string>())
    if (auto ok = add_split(plan, mapping, s, n, templates, tuning, sliced); !ok) return ok.error();
  if (plan.kernels.empty())
    return Error{s.name + ": the scoring does not fit the kernels of " + std::string(target.name) +
                 "; scale the scores down or leave arithmetic: auto"};
  return plan;
}

}  // namespace alnsmith::plan
