// Derived lines of `spec show`, and score bounds compared with the true extremes over short sequences.
#include "helpers.h"
#include "spec/ranges.h"

namespace alnsmith::spec {
namespace {

TEST(SpecRanges, Lines) {
  const Spec spec = parse_ok(small_spec + "max_length: {query: 512, target: 512}\n");
  EXPECT_EQ(derived_ranges(spec),
            (std::vector<std::string>{
                "insertion: a gap of length L costs 2 + 1*L", "deletion: a gap of length L costs 2 + 1*L",
                "score: from -514 to 1024 (bounds for a query up to 512 and a target up to 512 letters)",
                "runtime: nothing"}));
}

TEST(SpecRanges, FormulasAndRuntimeNames) {
  const Spec spec = parse_ok(
      "version: 1\nname: x\nalignment: global\nalphabet: dna\nscore: {match: runtime, mismatch: -1}\n"
      "gap: {insertion: {model: affine, open: runtime, extend: 1}, deletion: {model: dual_affine, open: 4, extend: 2, "
      "open2: 24, extend2: runtime}}\n");
  EXPECT_EQ(gap_formula(spec.insertion), "open + 1*L");
  EXPECT_EQ(gap_formula(spec.deletion), "min(4 + 2*L, 24 + extend2*L)");
  EXPECT_EQ(runtime_names(spec),
            (std::vector<std::string>{"score.match", "gap.insertion.open", "gap.deletion.extend2"}));
  EXPECT_FALSE(score_range(spec));
  EXPECT_EQ(runtime_names(parse_ok(with("open: 2", "open: runtime"))), std::vector<std::string>{"gap.open"});
}

TEST(SpecRanges, UnboundedLengthsGiveAFormula) {
  EXPECT_EQ(derived_ranges(parse_ok(small_spec))[2], "score: at most 2 * min(query, target)");
  EXPECT_EQ(derived_ranges(parse_ok(with("global", "local")))[2], "score: from 0 to 2 * min(query, target)");
}

TEST(SpecRanges, EditDistance) {
  const Spec spec = parse_ok(
      "version: 1\nname: x\nalignment: global\nobjective: minimize\nalphabet: dna\nscore: {match: 0, mismatch: 1}\n"
      "gap: {model: linear, extend: 1}\nmax_length: {query: 100, target: 150}\n");
  EXPECT_EQ(score_range(spec), (Range{0, 150}));
}

// The exact optimum of two sequences of which every pair of letters scores `step`: a scan over the number of
// diagonal steps, the rest being one gap per side.
long long optimum(const Spec &spec, long long m, long long n, long long step) {
  const auto cost = [](const GapCost &gap, long long length) {
    if (length == 0) return 0LL;
    const long long one = gap.open.value + gap.extend.value * length;
    return gap.model == GapModel::dual_affine ? std::min(one, gap.open2.value + gap.extend2.value * length) : one;
  };
  long long best = -cost(spec.insertion, m) - cost(spec.deletion, n);
  for (long long d = 1; d <= std::min(m, n); ++d) {
    best = std::max(best, d * step - cost(spec.insertion, m - d) - cost(spec.deletion, n - d));
  }
  return best;
}

TEST(SpecRanges, BoundsHoldForAllShortLengths) {
  for (const std::string gap :
       {"{model: affine, open: 2, extend: 1}", "{model: linear, extend: 3}",
        "{model: dual_affine, open: 1, extend: 4, open2: 9, extend2: 1}",
        "{insertion: {model: affine, open: 7, extend: 0}, deletion: {model: linear, extend: 2}}"}) {
    for (const int mismatch : {-1, -5, 1}) {
      for (const auto &[m, n] : {std::pair{1, 1}, {7, 7}, {3, 9}, {9, 2}, {1, 8}}) {
        Spec varied =
            parse_ok(with("{model: affine, open: 2, extend: 1}", gap,
                          "max_length: {query: " + std::to_string(m) + ", target: " + std::to_string(n) + "}\n"));
        varied.score.mismatch.value = mismatch;
        const auto range = score_range(varied);
        ASSERT_TRUE(range);
        for (int i = 1; i <= m; ++i) {
          for (int j = 1; j <= n; ++j) {
            EXPECT_LE(range->low, optimum(varied, i, j, mismatch)) << gap << " " << i << " " << j;
            EXPECT_GE(range->high, optimum(varied, i, j, 2)) << gap << " " << i << " " << j;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace alnsmith::spec
