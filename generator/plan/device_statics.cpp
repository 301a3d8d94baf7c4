// See device_statics.h.
#include "plan/device_statics.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "plan/default_statics.h"

namespace alnsmith::plan {

using backend::Language;
using spec::Spec;

namespace {

// A row of ranges; `any` language is nothing.
struct DeviceRange {
  std::string_view name;
  std::optional<Language> language;
  bool local;
  std::int64_t lowest, highest;
  Base base;
  Floor floor;
};
constexpr std::optional<Language> of_any, of_cuda = Language::cuda;
constexpr bool is_local = true, is_bordered = false;
constexpr DeviceRange ranges[] = {
#define ALN_DEVICE_RANGE(name, language, alignment, lowest, highest, base, floor) \
  {#name, of_##language, is_##alignment, lowest, highest, Base::base, Floor::floor},
#include "targets/arithmetics.def"
};

}  // namespace

Range range_of(const std::string &arithmetic, bool local, Language language) {
  const auto suits = [&](const DeviceRange &row) {
    return row.name == arithmetic && row.local == local && row.language.value_or(language) == language;
  };
  const DeviceRange &row = *std::ranges::find_if(ranges, suits);
  const targets::Arithmetic &numbers = *targets::find_arithmetic(arithmetic);
  return {row.lowest, row.highest, numbers.bits, numbers.packing, row.base, row.floor};
}

// The permutation has four places, and a fifth letter is none of them.
bool permuted(const Spec &s, const KernelPlan &kernel, Language language, int bits) {
  if (language != Language::cuda || kernel.form != Form::pairwise || kernel.packing != 2) return false;
  const std::string_view letters = s.alphabet.letters;
  const bool wildcard = s.alphabet.wildcard != 0;
  if (letters.size() > (wildcard ? 5 : 4) || (wildcard && letters.back() != s.alphabet.wildcard)) return false;
  // The upper byte of a number in half precision has three bits beside its exponent's.
  return bits <= (kernel.numbers().maxima == targets::Numbers::halves ? 3 : 7);
}

// As many as bring the pipe of maxima and the issue of all instructions level, by their counts in machine code
// (docs/performance.md). Where scores are gathered, or looked up and then added to, there are instructions enough.
int off_pipe_columns(const Spec &s, const KernelPlan &kernel, bool permuted) {
  const targets::Arithmetic &numbers = kernel.numbers();
  const bool sums_beside = numbers.sums == targets::Numbers::halves && numbers.maxima == targets::Numbers::integers;
  if (!sums_beside || s.alignment == spec::Alignment::local || gap_states(s) != 1) return 0;
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
