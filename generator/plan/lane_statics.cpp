// See lane_statics.h.
#include "plan/lane_statics.h"

#include "plan/cpu_plan.h"
#include "plan/default_statics.h"
#include "plan/device_statics.h"

namespace alnsmith::plan {
namespace {

using spec::Spec;

// The way that takes less for a cell. A blend for each letter, and its share of a compare, are counted as they are. The
// operations of a look-up hide each other partly, so its weights are measured: on Zen 5 blends were faster for 4
// letters on x86-64-v4, and for up to 6 on v3 with k = 4. Sixteen vectors are turned, which sixteen registers do not
// hold. One lane has nothing to turn.
Pick pick(const Spec &s, const backend::Target &target, const KernelPlan &kernel) {
  const int letters = static_cast<int>(s.alphabet.letters.size());
  if (s.score.kind != spec::ScoreKind::matrix || kernel.form != Form::pairwise || letters >= 32) return Pick::blend;
  const double blend = letters * (1 + 1.0 / kernel.k);
  const double turned = target.registers > 16 ? 5 : 8.5, second_half = letters < 16 ? 0 : 3;
  const double look_up = kernel.lanes == 1 ? 3 : turned + second_half;
  return look_up < blend ? Pick::look_up : Pick::blend;
}

}  // namespace

frontend::Statics lane_statics(const Spec &s, const ScoringValues &n, const backend::Target &target,
                               const KernelPlan &kernel, const SlicedKernel *sliced) {
  const auto [lowest, highest] = range(kernel.width);
  const bool local = s.alignment == spec::Alignment::local;
  frontend::Statics v = default_statics(kernel.mapping);
  v["k"] = kernel.k;
  v["unroll"] = kernel.unroll;
  v["patch_rows"] = kernel.patch_rows;
  v["pick"] = static_cast<int>(pick(s, target, kernel));
  v["lowest"] = lowest;
  v["highest"] = highest;
  v["floor"] = static_cast<int>(!local ? Floor::none : kernel.chunk > 0 ? Floor::moving : Floor::saturating);
  v["goal"] =
      static_cast<int>(kernel.form == Form::extent         ? Goal::extent_of_several
                       : kernel.ends == LaneEnds::refilled ? Goal::best_of_several
                                                           : goal(s, s.ends.query_suffix, s.ends.target_suffix));
  v["sharing"] = static_cast<int>(kernel.sharing());
  v["base"] = static_cast<int>(kernel.chunk > 0 ? Base::moving_by_lane : Base::fixed);
  v["chunk"] = kernel.chunk;
  put_scoring(v, s, n, spec::Side::query);
  v["one_gap"] = kernel.one_gap;
  if (sliced) put_circuit(v, sliced->circuit);
  if (kernel.form == Form::extent) v["output"] = static_cast<int>(Output::end);
  return v;
}

}  // namespace alnsmith::plan
