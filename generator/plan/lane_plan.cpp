// See lane_plan.h.
#include "plan/lane_plan.h"

#include <algorithm>
#include <iterator>

#include "plan/cpu_plan.h"
#include "plan/lane_statics.h"
#include "plan/told.h"
#include "spec/gap.h"

namespace alnsmith::plan {
namespace {

using spec::Spec;

// Letters of a query between two moves of a base (templates/lane_base.h), the best first; the last one fits most costs,
// and those from the second on patches of a way back.
constexpr int lane_chunks[] = {32, 16, 8};
constexpr int least_based_k = 4;  // columns: of fewer a row loads and stores more than it computes

// What kernels beside a base there are for costs that come with the call: letters between two moves, whether they are
// for calls that give both sides the same costs, and columns at most where they are ours to choose. A call takes the
// first that holds its costs.
struct OfCall {
  int chunk;
  bool one_gap;
  int most_k;
};
constexpr OfCall of_call[] = {{16, true, 64}, {16, false, 64}, {8, false, 8}, {8, false, least_based_k}};
// Whether an entry says the letters between two moves: two kernels may differ in them alone.
bool named_chunk(const Spec &s, const KernelPlan &kernel) {
  return kernel.chunk == of_call[0].chunk && scoring_of_call(s);
}

// Rows of a patch, which runs again on the way back (templates/trace.h).
constexpr int way_patch_rows = 16;

// Intel's cores take maxima and saturating differences of 64 bytes on one port of two, so that compares are better
// where these are more than half of what a cell takes: local alignment with affine gaps and a profile
// (docs/performance.md).
bool few_maxima_pay(const Spec &s, const backend::Target &target, const KernelPlan &kernel) {
  return target.vector_bytes == 64 && kernel.form == Form::shared_profile && kernel.width == 8 &&
         s.alignment == spec::Alignment::local && s.score.kind == spec::ScoreKind::matrix && gap_states(s) > 0;
}

// Whether a kernel does with fewer operations where a call gives both sides the same costs: what opens a gap is taken
// off a score once, as it is where costs are folded.
bool one_gap_pays(const Spec &s) {
  const bool runtime = std::ranges::any_of(
      spec::gap_fields(), [&](const spec::GapField &field) { return (s.insertion.*field.value).runtime; });
  return runtime && s.insertion == s.deletion && (gap_states(s) > 0 || s.alignment == spec::Alignment::local);
}

// The target's name is its end: texts for several targets append it (backend/unit.cpp).
std::string entry_name(const Spec &s, const std::string &hash, const backend::Target &target, const KernelPlan &kernel,
                       const SlicedKernel *sliced) {
  const std::string arithmetic = sliced ? bits_name(s, sliced->circuit.scheme)
                                        : "i" + std::to_string(kernel.width) + (kernel.chunk > 0 ? "b" : "");
  return entry_prefix(s, hash) + name_of(kernel.form) + "_" + arithmetic + "_k" + std::to_string(kernel.k) +
         (kernel.unroll != 1 ? "_r" + std::to_string(kernel.unroll) : "") +
         (named_chunk(s, kernel) ? "_c" + std::to_string(kernel.chunk) : "") + (kernel.one_gap ? "_one_gap" : "") +
         (kernel.few_maxima() ? "_few_maxima" : "") + "_" + std::string(target.identifier);
}

int tile_k(const Spec &s, const backend::Target &target, Form form, std::optional<int> tuned) {
  if (const spec::Tile tile = tile_of(s, target); tile.k) return *tile.k;
  if (tuned) return *tuned;
  // A column's registers: H, a letter, and the gap states.
  const int states = gap_states(s);
  if (states > 0) return std::max(1, target.affine_k * 3 / (2 + states));
  // A row's profile of a matrix is loaded once for all its columns, and where nothing floors or watches cells more of
  // them fit. Measured on Zen 5 (docs/performance.md).
  const bool more =
      form == Form::shared_profile && s.score.kind == spec::ScoreKind::matrix && s.alignment != spec::Alignment::local;
  return more ? target.linear_k * 3 / 2 : target.linear_k;
}

// Pairs find their begins one by one, those of local alignments where kernels of form `extent` say that they lie. Where
// each pair has a vector to itself there is nothing to share.
bool has_form(const Spec &s, Form form) {
  if (form == Form::pairwise) return true;
  if (shares_vector(s.mapping)) return false;
  if (form == Form::extent && !s.alphabet.sets.empty()) return false;  // reversed, gaps at flags are others
  return form == Form::shared_profile ? !s.output.begin : s.output.begin && s.alignment == spec::Alignment::local;
}

// Whether kernels keep scores beside a base, so that 8 bits hold them all.
bool takes_base(const Spec &s, const KernelPlan &kernel) {
  if (kernel.width != 8) return false;
  if (s.alignment == spec::Alignment::local) return kernel.form == Form::pairwise && !columns_key(s);
  return lanes_agree(s);
}

// How a kernel keeps scores.
struct Kind {
  int width;
  bool based;
  const SlicedKernel *sliced;
};
// From the narrowest on; `bits`: those that there may be.
std::vector<Kind> lane_kinds(const std::vector<SlicedKernel> &bits) {
  std::vector<Kind> kinds;
  for (const SlicedKernel &each : bits) kinds.push_back({1, false, &each});
  for (const int width : score_widths()) {
    if (width == 8) kinds.push_back({width, true, nullptr});
    kinds.push_back({width, false, nullptr});
  }
  return kinds;
}

class LanePlanner {
 public:
  LanePlanner(Plan &plan, const Spec &s, const ScoringValues &n, const frontend::Teller &templates,
              const Tuning &tuning, const std::vector<SlicedKernel> &sliced)
      : plan_(plan), s_(s), n_(n), target_(*plan.target), templates_(templates), tuning_(tuning), sliced_(sliced) {}

  Status add_form(Form form) {
    const std::string first = s_.arithmetic == "auto" ? tuning_.of(form, "").first : s_.arithmetic;
    const bool bits =
        form == Form::pairwise && !shares_vector(s_.mapping) && (first.empty() || first == arithmetics::bitsliced);
    bool beside_base = false;
    for (const Kind &kind : lane_kinds(sliced_)) {
      if (kind.sliced ? !bits || !(kind.sliced->pays || s_.arithmetic == arithmetics::bitsliced)
                      : kind.width < width_of(first))
        continue;
      if (kind.width == 8 && !kind.based && !local()) {
        if (columns_key(s_)) continue;  // scores stand for themselves (columns.h)
        if (beside_base) continue;      // what a base does not hold 8 bits do not without one
      }
      const KernelPlan kernel = begun(form, kind);
      if (kind.based && !takes_base(s_, kernel)) continue;
      auto found = planned(kernel, kind);
      if (!found) return found.error();
      if (found->empty()) continue;  // the folded scoring does not fit this width
      beside_base = beside_base || kind.based;
      const bool all = kind.based && found->back().usable.always();  // no wider arithmetic holds more
      std::ranges::move(*found, std::back_inserter(plan_.kernels));
      if (all) break;
    }
    return Ok{};
  }

 private:
  bool local() const { return s_.alignment == spec::Alignment::local; }

  // All that does not depend on what is told of the kernel.
  KernelPlan begun(Form form, const Kind &kind) const {
    KernelPlan kernel;
    kernel.form = form;
    kernel.mapping = mappings::lanes;
    kernel.width = kind.width;
    kernel.arithmetic = arithmetic_of(kind.width);
    kernel.lanes = target_.lanes(kind.width);
    kernel.work = kind.sliced ? kind.sliced->work : 0;
    const Choice tuned = tuning_.of(form, kernel.arithmetic);
    kernel.k = !kind.sliced              ? tile_k(s_, target_, form, tuned.k)
               : s_.arithmetic == "auto" ? tuning_.by_hand().k.value_or(tuned.k.value_or(kind.sliced->k))
                                         : tile_k(s_, target_, form, tuned.k.value_or(kind.sliced->k));
    kernel.unroll = tuned.unroll.value_or(1);
    kernel.patch_rows = s_.output.begin && form == Form::pairwise ? way_patch_rows : 0;
    if (!local() && form == Form::pairwise) kernel.ends = LaneEnds::segments;
    if (local() && kernel.shares_query()) kernel.ends = LaneEnds::refilled;
    return kernel;
  }

  // Kernels of a form and kind; a call takes the first that serves it.
  Result<std::vector<KernelPlan>> planned(KernelPlan kernel, const Kind &kind) const {
    if (kind.based && scoring_of_call(s_)) return of_calls(kernel);
    std::vector<KernelPlan> list;
    // Where cells are floored both opens count most; 32 bits are for few pairs.
    const bool two = !kind.sliced && kernel.ends == LaneEnds::refilled && kind.width < 32 && one_gap_pays(s_);
    for (const bool one_gap : two ? std::vector{true, false} : std::vector{false}) {
      kernel.one_gap = one_gap;
      auto one = kind.based ? on_a_base(kernel) : told_of(kernel, kind.sliced);
      if (!one) return one.error();
      if (one->usable.never()) continue;
      list.push_back(*std::move(one));
      if (!few_maxima_pay(s_, target_, list.back())) continue;
      KernelPlan other = list.back();
      other.statics["off_pipe_columns"] = 8;
      other.entry = entry_name(s_, plan_.spec_hash, target_, other, kind.sliced);
      list.push_back(std::move(other));
    }
    return list;
  }

  // Whether columns are ours to choose.
  bool narrows(const KernelPlan &kernel) const {
    return !tile_of(s_, target_).k && !tuning_.of(kernel.form, kernel.arithmetic).k;
  }

  // A base holds more with fewer rows, then with fewer columns: the best that holds the costs, if there is one.
  Result<KernelPlan> on_a_base(KernelPlan kernel) const {
    for (;; kernel.k = std::max(least_based_k, kernel.k - 2))
      for (const int chunk : lane_chunks) {
        if (kernel.patch_rows > 0 && chunk == lane_chunks[0]) continue;
        kernel.chunk = chunk;
        auto one = told_of(kernel, nullptr);
        const bool last = chunk == *std::rbegin(lane_chunks) && (!narrows(kernel) || kernel.k <= least_based_k);
        if (!one || one->usable.always() || last) return one;
      }
  }

  Result<std::vector<KernelPlan>> of_calls(KernelPlan kernel) const {
    std::vector<KernelPlan> list;
    const int k = kernel.k;
    for (const OfCall &row : of_call) {
      if (row.one_gap && !one_gap_pays(s_)) continue;
      kernel.chunk = row.chunk;
      kernel.one_gap = row.one_gap;
      kernel.k = narrows(kernel) ? std::min(k, row.most_k) : k;
      auto one = told_of(kernel, nullptr);
      if (!one) return one.error();
      if (one->usable.never() || (!list.empty() && list.back().entry == one->entry)) continue;
      list.push_back(*std::move(one));
      if (list.back().usable.always()) break;
    }
    return list;
  }

  // The kernel with its statics, its entry and what the templates tell of it.
  Result<KernelPlan> told_of(KernelPlan kernel, const SlicedKernel *circuit) const {
    kernel.statics = lane_statics(s_, n_, target_, kernel, circuit);
    const auto facts = told(templates_, kernel.template_name(), kernel.statics, {"usable", "exact", "lengths"},
                            {"checked", "scratch_per_stream_letter", "scratch_fixed", "border_per_stream_letter",
                             "states_per_stream_letter"});
    if (!facts) return facts.error();
    kernel.usable = facts->at("usable");
    kernel.exact = facts->at("exact");
    kernel.lengths = facts->at("lengths");
    kernel.checked = size_of(*facts, "checked") != 0;
    const int element = kernel.width * kernel.lanes / 8;  // bytes of one score, or bit, per lane
    kernel.scratch_per_stream_letter = element * size_of(*facts, "scratch_per_stream_letter");
    kernel.scratch_fixed = element * size_of(*facts, "scratch_fixed");
    kernel.border_per_stream_letter = element * size_of(*facts, "border_per_stream_letter");
    kernel.states_per_stream_letter = element * size_of(*facts, "states_per_stream_letter");
    kernel.entry = entry_name(s_, plan_.spec_hash, target_, kernel, circuit);
    return kernel;
  }

  Plan &plan_;
  const Spec &s_;
  const ScoringValues &n_;
  const backend::Target &target_;
  const frontend::Teller &templates_;
  const Tuning &tuning_;
  const std::vector<SlicedKernel> &sliced_;
};

}  // namespace

Status add_lanes(Plan &plan, const Spec &spec, const ScoringValues &values, const frontend::Teller &templates,
                 const Tuning &tuning, const std::vector<SlicedKernel> &sliced) {
  LanePlanner planner(plan, spec, values, templates, tuning, sliced);
  if (spec.band_width) return Ok{};  // lanes that each have a band of their own would run all rows of all of them
  for (const Form form : {Form::pairwise, Form::shared_profile, Form::extent}) {
    if (!has_form(spec, form)) continue;
    if (auto ok = planner.add_form(form); !ok) return ok;
  }
  return Ok{};
}

}  // namespace alnsmith::plan
