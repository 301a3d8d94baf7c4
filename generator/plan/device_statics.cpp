// See device_statics.h.
#include "plan/device_statics.h"

#include <string_view>

#include "plan/default_statics.h"

namespace alnsmith::plan {

using backend::Language;
using spec::Spec;

// With borders 16 bits have a base that moves along; only local alignments have a floor.
Range range_of(const std::string &arithmetic, bool local, Language language) {
  const bool nvidia = language == Language::cuda;
  const Base narrow = local ? Base::fixed : Base::moving;
  const auto floor = [&](Floor its) { return local ? its : Floor::none; };
  if (arithmetic == "half2")
    return {local ? 0 : -2047, 2047, 16, 2, narrow, floor(nvidia ? Floor::diagonal : Floor::cell)};
  if (arithmetic == "hybrid") return {0, 2047, 16, 2, narrow, floor(Floor::cell_and_gaps)};
  // With borders, CUDA kernels add both halves as one number, which needs unsigned halves.
  if (arithmetic == "s16x2" && nvidia && !local) return {0, 65535, 16, 2, Base::moving_unsigned_halves, Floor::none};
  if (arithmetic == "s16x2") return {-32768, 32767, 16, 2, narrow, floor(nvidia ? Floor::cell : Floor::saturating)};
  const std::int64_t most = arithmetic == "fp32" ? (1 << 24) - 1 : (1 << 30) - 1;
  return {-most, most, 32, 1, Base::fixed, floor(Floor::cell)};
}

// The permutation has four places, and a fifth letter is none of them.
bool permuted(const Spec &s, const KernelPlan &kernel, Language language, int bits) {
  if (language != Language::cuda || kernel.form != Form::pairwise || kernel.packing != 2) return false;
  const std::string_view letters = s.alphabet.letters;
  const bool wildcard = s.alphabet.wildcard != 0;
  if (letters.size() > (wildcard ? 5 : 4) || (wildcard && letters.back() != s.alphabet.wildcard)) return false;
  // The upper byte of a number in half precision has three bits beside its exponent's.
  return bits <= (kernel.arithmetic == "half2" ? 3 : 7);
}

// As many as bring the pipe of maxima and the issue of all instructions level, by their counts in machine code
// (docs/performance.md). Where scores are gathered, or looked up and then added to, there are instructions enough.
int off_pipe_columns(const Spec &s, const KernelPlan &kernel, bool permuted) {
  if (kernel.arithmetic != "hybrid" || s.alignment == spec::Alignment::local || gap_states(s) != 1) return 0;
  if (kernel.form == Form::pairwise && permuted) return s.alphabet.wildcard ? 1 : 5;
  return kernel.form == Form::shared_profile;
}

frontend::Statics statics(const Spec &s, const ScoringValues &n, const Range &range, const KernelPlan &kernel) {
  frontend::Statics v = default_statics(kernel.mapping);
  put_scoring(v, s, n, spec::Side::target);
  v["k"] = kernel.k;
  v["unroll"] = kernel.unroll;
  v["lowest"] = range.lowest;
  v["highest"] = range.highest;
  v["floor"] = static_cast<int>(range.floor);
  v["goal"] = static_cast<int>(goal(s, s.ends.target_suffix, s.ends.query_suffix));
  v["sharing"] = static_cast<int>(kernel.sharing());
  v["base"] = static_cast<int>(range.base);
  v["warp"] = kernel.lanes;
  v["warps"] = kernel.warps;
  v["p"] = kernel.p;
  v["packing"] = kernel.packing;
  v["replicas"] = kernel.replicas;
  v["skew"] = 1;
  v["chunk"] = kernel.p == 1 ? kernel.unroll : kernel.p;
  return v;
}

}  // namespace alnsmith::plan
