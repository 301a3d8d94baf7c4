// The planner.
#include "plan/plan.h"

#include <algorithm>
#include <array>

#include "plan/device_plan.h"
#include "plan/numbers.h"
#include "plan/symbol.h"
#include "spec/canonical.h"

namespace alnsmith::plan {

namespace {

using spec::Spec;

// What a spec asks for and this generator has no template for; empty if it can be served.
std::string refusal(const Spec &s, const backend::Target &target, const std::vector<std::string> &mappings) {
  if (!s.alphabet.state_set_base.empty()) return "alphabet: state_sets has no template yet";
  if (s.column_flags) return "column_flags has no template yet";
  if (!s.border.empty()) return "border has no template yet";
  if (!s.band_from.empty() || !s.band_to.empty()) return "band has no template yet";
  if (s.score.kind == spec::ScoreKind::target_profile) return "score: {target: profile} has no template yet";
  if (s.output.begin || s.output.cigar) return "output other than [score] and [score, end] has no template yet";
  const std::string entry = (target.device ? "device:" : "") + s.mapping;
  if (s.mapping != "auto" && std::ranges::find(mappings, entry) == mappings.end())
    return "mapping: " + s.mapping + " has no template for " + std::string(target.name);
  if (target.device) return device_refusal(s, target);
  static constexpr std::array widths = {"auto", "int8", "int16", "int32"};
  if (std::ranges::find(widths, s.arithmetic) == widths.end())
    return "arithmetic: " + s.arithmetic + " is not generated for CPUs";
  return {};
}

// Range of a kept score; 32 bits keep a distance from int's own limits, so that sums of two never overflow.
std::pair<std::int64_t, std::int64_t> range(int width) {
  const std::int64_t half = width == 32 ? std::int64_t{1} << 30 : std::int64_t{1} << (width - 1);
  return {-half, half - 1};
}

// The two predicates; templates/frame.h has the reasons. The register side is the target.
void predicates(const Spec &s, const Numbers &n, KernelPlan &kernel) {
  const auto [lowest, highest] = range(kernel.width);
  const GapRange insertion = insertion_range(s, n), deletion = deletion_range(s, n);
  const Symbol low = symbol(n, ALN_SCORE_MIN), high = symbol(n, ALN_SCORE_MAX);
  const Symbol shorter("min(query, target)"), query("query"), target("target");
  auto fits = [&](const Symbol &v) { return at_most(v, highest); };
  if (s.alignment == spec::Alignment::local) {
    // Pads score the mismatch or the matrix's smallest entry; neither may gain.
    const Symbol pad = s.score.kind == spec::ScoreKind::match ? symbol(n, ALN_MISMATCH) : low;
    kernel.usable =
        both(both(fits(max(insertion.first_letter, deletion.first_letter)), both(fits(high), fits(0 - low))),
             at_most(pad, 0))
            .text;
    kernel.exact = fits(max(high, 0) * shorter).text;
    return;
  }
  const Symbol shift = insertion.shear + deletion.shear, step = max(high + shift, 0);
  Symbol offset = insertion.reach + deletion.reach + max(max(insertion.depth, deletion.depth), 0 - (low + shift));
  if (s.ends.target_suffix) offset = offset + kernel.k * deletion.shear;
  if (s.ends.query_suffix) offset = offset + insertion.shear;
  const Symbol all = highest - lowest;
  kernel.usable = both(both(at_most(offset + 2 * step + insertion.reach + deletion.reach + insertion.shear, all),
                            both(fits(high + shift), fits(0 - (low + shift)))),
                       both(both(fits(insertion.depth), fits(deletion.depth)),
                            both(fits(insertion.shear), fits(kernel.k * deletion.shear))))
                      .text;
  Symbol growth = step * shorter;
  if (s.ends.query_prefix || s.ends.query_suffix) growth = growth + insertion.shear * query;
  if (s.ends.target_prefix || s.ends.target_suffix) growth = growth + deletion.shear * target;
  kernel.exact = at_most(offset + growth, all).text;
}

frontend::Statics statics(const Spec &s, const Numbers &n, const KernelPlan &kernel) {
  const auto [lowest, highest] = range(kernel.width);
  const bool local = s.alignment == spec::Alignment::local;
  frontend::Statics v;
  v["k"] = kernel.k;
  v["rows"] = kernel.rows;
  v["lowest"] = lowest;
  v["highest"] = highest;
  v["local"] = local;
  v["shared"] = kernel.form == "shared";
  v["end"] = s.output.end;
  v["refill"] = kernel.refill;
  v["saturating"] = 1;
  for (const char *device_only :
       {"floor_diagonal", "floor_cell", "floor_gaps", "warp", "warps", "p", "packing", "single", "rebased", "separate",
        "wildcard", "picked", "eased", "copies", "shared_rows"})
    v[device_only] = 0;
  v["stream_begin_free"] = !local && s.ends.query_prefix;
  v["stream_end_free"] = !local && s.ends.query_suffix;
  v["register_begin_free"] = !local && s.ends.target_prefix;
  v["register_end_free"] = !local && s.ends.target_suffix;
  put_scoring(v, s, n, spec::Side::query);
  return v;
}

int tile_k(const Spec &s, const backend::Target &target, std::optional<int> tuned) {
  if (const auto it = s.target_tile.find(std::string(target.name)); it != s.target_tile.end() && it->second.k)
    return *it->second.k;
  if (s.tile.k) return *s.tile.k;
  if (tuned) return *tuned;
  // A column's registers: H, a letter, and the gap states.
  const int states = gap_states(s);
  return states == 0 ? target.linear_k : std::max(1, target.affine_k * 3 / (2 + states));
}

int width_of(const std::string &arithmetic) { return arithmetic == "int32" ? 32 : arithmetic == "int16" ? 16 : 8; }

}  // namespace

Result<Plan> make_plan(const Spec &spec, const backend::Target &target, const std::vector<std::string> &mappings,
                       const Tuning &tuning) {
  const Spec s = tuning.applied_to(spec, std::string(target.name));
  if (const std::string why = refusal(s, target, mappings); !why.empty())
    return Error{s.name + ": " + why + "; take it out, or keep the spec for a build that has one"};
  if (target.device) return make_device_plan(s, spec::hash(spec), target, tuning);
  for (const auto &[key, value] : {std::pair{"p", tuning.by_hand().p}, std::pair{"block", tuning.by_hand().block},
                                   std::pair{"grid", tuning.by_hand().grid}})
    if (value) return Error{s.name + ": " + key + " is for devices; leave it out for " + std::string(target.name)};
  Plan plan;
  plan.spec_name = s.name;
  plan.spec_hash = spec::hash(spec);
  plan.target = &target;
  const bool matrix = s.score.kind == spec::ScoreKind::matrix;
  plan.matrix = folded_matrix(s);
  const Numbers n = numbers(s);
  const bool local = s.alignment == spec::Alignment::local;
  for (const char *form : {"pairs", "shared"}) {
    const int first_width = width_of(s.arithmetic == "auto" ? tuning.of(form, "").first : s.arithmetic);
    for (int width : {8, 16, 32}) {
      if (width < first_width) continue;
      KernelPlan kernel;
      kernel.form = form;
      kernel.mapping = "lanes";
      kernel.width = width;
      kernel.arithmetic = "int" + std::to_string(width);
      kernel.lanes = target.lanes(width);
      const Choice tuned = tuning.of(form, kernel.arithmetic);
      kernel.k = tile_k(s, target, tuned.k);
      kernel.rows = tuned.rows.value_or(1);
      kernel.segments = !local && kernel.form == "pairs";
      kernel.refill = local && kernel.form == "shared";
      const int element = width / 8 * kernel.lanes;                 // bytes of one score a lane
      const bool replay = local && s.output.end && !kernel.refill;  // templates/replay.h
      kernel.scratch_per_stream_letter = (replay ? 3 : 1) * (1 + gap_states(s)) * element;
      kernel.scratch_fixed = matrix ? static_cast<int>(s.alphabet.letters.size()) * kernel.k * element : 0;
      predicates(s, n, kernel);
      if (kernel.usable == "0") continue;  // the folded scoring does not fit this width
      kernel.statics = statics(s, n, kernel);
      kernel.entry = "aln_" + identifier(s.name) + "_" + plan.spec_hash.substr(0, 8) + "_" + kernel.form + "_i" +
                     std::to_string(width) + "_k" + std::to_string(kernel.k) + "_" + std::string(target.identifier);
      if (kernel.rows != 1) kernel.entry += "_r" + std::to_string(kernel.rows);
      plan.kernels.push_back(std::move(kernel));
    }
  }
  if (plan.kernels.empty())
    return Error{s.name + ": the scoring does not fit the kernels of " + std::string(target.name) +
                 "; scale the scores down or leave arithmetic: auto"};
  return plan;
}

}  // namespace alnsmith::plan
