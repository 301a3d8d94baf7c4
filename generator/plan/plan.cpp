// The planner.
#include "plan/plan.h"

#include <algorithm>

#include "plan/cpu_plan.h"
#include "plan/device_plan.h"
#include "plan/lane_statics.h"
#include "plan/refusals.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"
#include "plan/strip_plan.h"
#include "plan/told.h"
#include "spec/canonical.h"
#include "spec/gap.h"
#include "targets/targets.h"

namespace alnsmith::plan {

namespace {

using spec::Spec;

// Intel's cores take maxima and saturating differences of 64 bytes on one port of two, so that compares are better
// where these are more than half of what a cell takes: local alignment with affine gaps and a profile
// (docs/performance.md).
bool few_maxima_pay(const Spec &s, const backend::Target &target, const KernelPlan &kernel) {
  return target.vector_bytes == 64 && kernel.form == "shared" && kernel.width == 8 &&
         s.alignment == spec::Alignment::local && s.score.kind == spec::ScoreKind::matrix && gap_states(s) > 0;
}

// Letters of a query between two moves of a base (templates/lane_base.h), the best first; the last one fits most costs,
// and those from the second on patches of a way back. Where the call says the costs the second has kernels beside the
// last one's, for costs that are not large.
constexpr int lane_chunks[] = {32, 16, 8};
constexpr int wider_chunk = lane_chunks[1];

// Whether a kernel does with fewer operations where a call gives both sides the same costs: what opens a gap is taken
// off a score once, as it is where costs are folded.
bool one_gap_pays(const Spec &s) {
  const bool of_call = std::ranges::any_of(
      spec::gap_fields(), [&](const spec::GapField &field) { return (s.insertion.*field.value).runtime; });
  return of_call && s.insertion == s.deletion && (gap_states(s) > 0 || s.alignment == spec::Alignment::local);
}

// Of mapping `lanes`. The target's name is its end: texts for several targets append it (backend/unit.cpp).
std::string entry_name(const Spec &s, const std::string &hash, const backend::Target &target, const KernelPlan &kernel,
                       const SlicedKernel *sliced) {
  const std::string arithmetic = sliced ? bits_name(s, sliced->circuit.scheme)
                                        : "i" + std::to_string(kernel.width) + (kernel.chunk > 0 ? "b" : "");
  const bool beside = kernel.chunk == wider_chunk && scoring_of_call(s);
  return entry_prefix(s, hash) + kernel.form + "_" + arithmetic + "_k" + std::to_string(kernel.k) +
         (kernel.rows != 1 ? "_r" + std::to_string(kernel.rows) : "") +
         (beside ? "_c" + std::to_string(kernel.chunk) : "") + (kernel.one_gap ? "_one_gap" : "") +
         (kernel.few_maxima() ? "_few_maxima" : "") + "_" + std::string(target.identifier);
}

int tile_k(const Spec &s, const backend::Target &target, const std::string &form, std::optional<int> tuned) {
  if (const spec::Tile tile = tile_of(s, target); tile.k) return *tile.k;
  if (tuned) return *tuned;
  // A column's registers: H, a letter, and the gap states.
  const int states = gap_states(s);
  if (states > 0) return std::max(1, target.affine_k * 3 / (2 + states));
  // A row's profile of a matrix is loaded once for all its columns, and where nothing floors or watches cells more of
  // them fit. Measured on Zen 5 (docs/performance.md).
  const bool more =
      form == "shared" && s.score.kind == spec::ScoreKind::matrix && s.alignment != spec::Alignment::local;
  return more ? target.linear_k * 3 / 2 : target.linear_k;
}

// Stream letters of a patch, which runs again on the way back; as many as are looked up at a time.
constexpr int way_patch_rows = 16;
// Pairs find their begins one by one, those of local alignments where kernels of form `extent` say that they lie. Where
// each pair has a vector to itself there is nothing to share.
bool has_form(const Spec &s, const std::string &form) {
  if (form == "pairs") return true;
  if (shares_vector(s.mapping)) return false;
  if (form == "extent" && !s.alphabet.sets.empty()) return false;  // reversed, gaps at flags are others
  return form == "shared" ? !s.output.begin : s.output.begin && s.alignment == spec::Alignment::local;
}

constexpr int least_based_k = 4;  // columns: of fewer a row loads and stores more than it computes
// Whether kernels keep scores beside a base, so that 8 bits hold them all.
bool takes_base(const Spec &s, const KernelPlan &kernel) {
  if (kernel.width != 8) return false;
  if (s.alignment == spec::Alignment::local) return kernel.form == "pairs" && !columns_key(s);
  return lanes_agree(s);
}

// How a kernel of mapping `lanes` keeps scores.
struct Kind {
  int width;
  bool based;
  const SlicedKernel *sliced;
};
// From the narrowest on; `bits`: those that there may be.
std::vector<Kind> lane_kinds(const std::vector<SlicedKernel> &bits) {
  std::vector<Kind> kinds;
  for (const SlicedKernel &each : bits) kinds.push_back({1, false, &each});
  for (const auto &[width, based] : {std::pair{8, true}, {8, false}, {16, false}, {32, false}})
    kinds.push_back({width, based, nullptr});
  return kinds;
}

}  // namespace

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
  const std::string no_bits = s.arithmetic == "bitsliced" ? sliced_missing(s, target) : "";
  if (!no_bits.empty()) plan.note = "arithmetic: bitsliced: " + no_bits + "; int8 instead";
  const ScoringValues n = scoring_values(s);
  const bool local = s.alignment == spec::Alignment::local;
  const bool may_slice = sliced_refusal(s, target).empty();
  const std::vector<SlicedKernel> sliced = may_slice ? sliced_kernels(s, target) : std::vector<SlicedKernel>();
  for (const std::string form : {"pairs", "shared", "extent"}) {
    if (spec.band_width) break;  // lanes that each have a band of their own would run all rows of all of them
    if (!has_form(s, form)) continue;
    const std::string first = s.arithmetic == "auto" ? tuning.of(form, "").first : s.arithmetic;
    const bool bits = form == "pairs" && !shares_vector(s.mapping) && (first.empty() || first == "bitsliced");
    for (const auto &[width, based, circuit] : lane_kinds(sliced)) {
      if (circuit ? !bits || !(circuit->pays || s.arithmetic == "bitsliced") : width < width_of(first)) continue;
      if (width == 8 && !based && columns_key(s) && !local) continue;  // scores stand for themselves (columns.h)
      KernelPlan kernel;
      kernel.form = form;
      kernel.mapping = "lanes";
      kernel.width = width;
      kernel.arithmetic = arithmetic_of(width);
      kernel.lanes = target.lanes(width);
      kernel.work = circuit ? circuit->work : 0;
      const Choice tuned = tuning.of(form, kernel.arithmetic);
      kernel.k = !circuit                 ? tile_k(s, target, form, tuned.k)
                 : s.arithmetic == "auto" ? tuning.by_hand().k.value_or(tuned.k.value_or(circuit->k))
                                          : tile_k(s, target, form, tuned.k.value_or(circuit->k));
      kernel.rows = tuned.rows.value_or(1);
      kernel.patch_rows = s.output.begin && form == "pairs" ? way_patch_rows : 0;
      kernel.segments = !local && form == "pairs";
      kernel.refill = local && kernel.shares_query();
      if (based && !takes_base(s, kernel)) continue;
      const auto asked = [&](int chunk) {
        kernel.chunk = chunk;
        kernel.statics = lane_statics(s, n, target, kernel, circuit);
        return told(templates, kernel.template_name(), kernel.statics, {"usable", "exact", "lengths"},
                    {"checked", "scratch_per_stream_letter", "scratch_fixed", "border_per_stream_letter",
                     "states_per_stream_letter"});
      };
      const std::size_t first_chunk = kernel.patch_rows > 0 ? 1 : 0;
      auto facts = asked(based ? lane_chunks[first_chunk] : 0);
      // A base holds more with fewer rows, then with fewer columns where they are ours to choose.
      const bool narrows = !tile_of(s, target).k && !tuned.k;
      for (std::size_t chunk = first_chunk; based && facts && !facts->at("usable").always();) {
        if (++chunk == std::size(lane_chunks)) {
          if (!facts->at("usable").never() || !narrows || kernel.k <= least_based_k) break;
          kernel.k = std::max(least_based_k, kernel.k - 2);
          chunk = first_chunk;
        }
        facts = asked(lane_chunks[chunk]);
      }
      if (!facts) return facts.error();
      const auto tell = [&](const frontend::Facts &told) {
        kernel.usable = told.at("usable");
        kernel.exact = told.at("exact");
        kernel.lengths = told.at("lengths");
        kernel.checked = size_of(told, "checked") != 0;
        const int element = kernel.width * kernel.lanes / 8;  // bytes of one score, or bit, per lane
        kernel.scratch_per_stream_letter = element * size_of(told, "scratch_per_stream_letter");
        kernel.scratch_fixed = element * size_of(told, "scratch_fixed");
        kernel.border_per_stream_letter = element * size_of(told, "border_per_stream_letter");
        kernel.states_per_stream_letter = element * size_of(told, "states_per_stream_letter");
        kernel.entry = entry_name(s, plan.spec_hash, target, kernel, circuit);
      };
      tell(*facts);
      if (kernel.usable.never()) continue;  // the folded scoring does not fit this width
      if (kernel.chunk > 0 && kernel.chunk < wider_chunk && scoring_of_call(s)) {
        KernelPlan last = kernel;
        for (const bool one_gap : {true, false}) {
          if (one_gap && !one_gap_pays(s)) continue;
          kernel.one_gap = one_gap;
          facts = asked(wider_chunk);
          if (!facts) return facts.error();
          tell(*facts);
          if (!kernel.usable.never()) plan.kernels.push_back(kernel);
        }
        kernel = std::move(last);
      }
      const bool all = based && kernel.usable.always();  // no wider arithmetic holds more
      plan.kernels.push_back(kernel);
      if (few_maxima_pay(s, target, kernel)) {
        kernel.statics["off_pipe_columns"] = 8;
        kernel.entry = entry_name(s, plan.spec_hash, target, kernel, circuit);
        plan.kernels.push_back(std::move(kernel));
      }
      if (all) break;
    }
  }
  for (const std::string &mapping : target.strips() ? split_mappings(s) : std::vector<std::string>())
    if (auto ok = add_split(plan, mapping, s, n, templates, tuning, sliced); !ok) return ok.error();
  if (plan.kernels.empty())
    return Error{s.name + ": the scoring does not fit the kernels of " + std::string(target.name) +
                 "; scale the scores down or leave arithmetic: auto"};
  return plan;
}

}  // namespace alnsmith::plan
