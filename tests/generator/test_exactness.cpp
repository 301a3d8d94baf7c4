// What is told of kernels (templates/exactness.h): printed by the evaluator, it means what the compiled templates mean,
// for all shipped specs on all targets; it follows the templates; and it refuses what 32 bits do not count.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "align/call.h"
#include "base/isa.h"
#include "direct_run.h"
#include "kernels/predicate.h"
#include "own_templates.h"
#include "plan/plan.h"
#include "scratch.h"
#include "spec/parse.h"
#include "target/target.h"

namespace {

using namespace alnsmith;

spec::Spec spec_of(const std::string &text, const std::string &alphabet = "dna") {
  auto spec = spec::parse_text("version: 1\nname: t\nalphabet: " + alphabet + "\n" + text, "t.yaml", ".");
  EXPECT_TRUE(spec) << spec.error().message;
  return *spec;
}

plan::Plan plan_of(const spec::Spec &s, const std::string &target, const frontend::Teller &teller) {
  auto plan = plan::make_plan(s, *backend::find_target(target), teller);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

bool holds(const frontend::Fact &fact, const rt::kernels::Values &values) {
  const auto predicate = rt::kernels::Predicate::parse(fact.text);
  EXPECT_TRUE(predicate) << predicate.error().message << " " << fact.text;
  return predicate->holds(values);
}

bool holds(const frontend::Fact &fact, std::int64_t query, std::int64_t target) {
  return holds(fact, rt::kernels::with_lengths({}, query, target));
}

// Of a call that may bring anything; folded values do not count.
rt::kernels::Values drawn(std::mt19937 &random) {
  rt::kernels::Values v{};
  static constexpr int sizes[] = {0, 1, 2, 5, 11, 40, 300, 10000};
  for (int i = 0; i < ALN_SCORING_COUNT; ++i) v[i] = sizes[random() % 8];
  v[ALN_MISMATCH] = -v[ALN_MISMATCH];
  v[ALN_SCORE_MIN] = std::min(v[ALN_MATCH], v[ALN_MISMATCH]);
  v[ALN_SCORE_MAX] = std::max(v[ALN_MATCH], v[ALN_MISMATCH]);
  static constexpr std::int64_t lengths[] = {
      1, 3, 30, 255, 4000, 70'000, 1'000'000, 238'609'284, 1 << 29, (1ll << 30) - 5, (1ll << 31) - 70, (1ll << 31) - 1};
  v[rt::kernels::kQuery] = lengths[random() % std::size(lengths)];
  v[rt::kernels::kTarget] = lengths[random() % std::size(lengths)];
  return v;
}

std::string mapping_of(const plan::Plan &plan, const plan::KernelPlan &kernel) {
  return (plan.target->device ? "device:" : "") + kernel.template_name();
}

TEST(Facts, PrintedTheyMeanWhatTheCompiledTemplatesMean) {
  std::mt19937 random(7);
  int compared = 0;
  std::vector<std::string> names;
  for (const auto list : {backend::targets(), backend::device_targets()})
    for (const backend::Target &target : list) names.emplace_back(target.name);
  for (const auto &entry : std::filesystem::directory_iterator(ALNSMITH_SPECS)) {
    if (entry.path().extension() != ".yaml") continue;
    auto spec = spec::parse_file(entry.path().string());
    ASSERT_TRUE(spec) << spec.error().message;
    for (const std::string &name : names) {
      const auto plan = plan::make_plan(*spec, *backend::find_target(name), own_templates());
      const auto compiled = plan::make_plan(*spec, *backend::find_target(name), DirectTeller());
      ASSERT_EQ(static_cast<bool>(plan), static_cast<bool>(compiled)) << entry.path() << " " << name;
      if (!plan) continue;
      ASSERT_EQ(plan->kernels.size(), compiled->kernels.size()) << entry.path() << " " << name;
      for (std::size_t i = 0; i < plan->kernels.size(); ++i) {
        const plan::KernelPlan &kernel = plan->kernels[i], &other = compiled->kernels[i];
        const std::string mapping = mapping_of(*plan, kernel);
        EXPECT_EQ(kernel.statics, other.statics) << kernel.entry;
        EXPECT_EQ(kernel.shared_bytes, other.shared_bytes) << kernel.entry;
        EXPECT_EQ(kernel.border_ints, other.border_ints) << kernel.entry;
        EXPECT_EQ(kernel.scratch_fixed, other.scratch_fixed) << kernel.entry;
        EXPECT_EQ(kernel.states_per_patch, other.states_per_patch) << kernel.entry;
        for (int draw = 0; draw < 40; ++draw) {
          rt::kernels::Values v = drawn(random);
          int scoring[ALN_SCORING_COUNT];
          for (int n = 0; n < ALN_SCORING_COUNT; ++n) scoring[n] = static_cast<int>(v[n]);
          auto expected =
              facts_at(mapping, kernel.told_statics(), scoring, v[rt::kernels::kQuery], v[rt::kernels::kTarget]);
          const std::string where = kernel.entry + " query " + std::to_string(v[rt::kernels::kQuery]) + " target " +
                                    std::to_string(v[rt::kernels::kTarget]) + " " + kernel.exact.text;
          EXPECT_EQ(holds(kernel.usable, v), expected["usable"] != 0) << where << "\n" << kernel.usable.text;
          EXPECT_EQ(holds(kernel.exact, v), expected["exact"] != 0) << where;
          EXPECT_EQ(holds(other.exact, v), expected["exact"] != 0) << where << "\n" << other.exact.text;
          EXPECT_EQ(holds(kernel.lengths, v), expected["lengths"] != 0) << where << "\n" << kernel.lengths.text;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100'000);
}

// A folder with the templates, one of them changed.
class Changed : public scratch::Folder {
 public:
  Changed(const std::string &file, const std::string &from, const std::string &to) {
    std::filesystem::copy(ALNSMITH_TEMPLATES, path(), std::filesystem::copy_options::recursive);
    std::ifstream in(path(file));
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(file + " does not say: " + from);
    write(file, text.replace(at, from.size(), to));
  }
};

const char *const kSemiglobal =
    "alignment: semiglobal\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: -1}\n";

TEST(Facts, FollowTheTemplates) {
  const plan::Plan before = plan_of(spec_of(kSemiglobal), "scalar", own_templates());
  const plan::Plan wide = plan_of(spec_of(kSemiglobal + std::string("arithmetic: int16\n")), "scalar", own_templates());
  const Changed changed("frame.h", "Number room = both_reaches(v)", "Number room = 1000 + both_reaches(v)");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  const plan::Plan after = plan_of(spec_of(kSemiglobal), "scalar", *other);
  // A byte has no room for so much any more.
  ASSERT_EQ(before.kernels.front().width, 8);
  ASSERT_EQ(after.kernels.front().width, 16);
  const plan::KernelPlan &old = wide.kernels[0], &now = after.kernels[0];
  ASSERT_EQ(old.width, now.width);
  std::int64_t length = 1;
  while (holds(old.exact, length, length)) ++length;
  EXPECT_FALSE(holds(now.exact, length - 1, length - 1));
  EXPECT_NE(manifest(spec_of(kSemiglobal), before), manifest(spec_of(kSemiglobal), after));
}

TEST(Facts, SizesFollowTheTemplates) {
  const spec::Spec s = spec_of(kSemiglobal + std::string("arithmetic: int16\n"));
  const Changed changed("memory.h", "return 1 + sp.gap_states; }", "return 4 + sp.gap_states; }");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(plan_of(s, "scalar", own_templates()).kernels[0].scratch_per_stream_letter * 5,
            plan_of(s, "scalar", *other).kernels[0].scratch_per_stream_letter * 2);
}

TEST(Facts, MemoryForExchangesFollowsTheTemplates) {
  const spec::Spec s = spec_of(kSemiglobal + std::string("tile: {p: 8, k: 4}\n"));
  const Changed changed("memory.h", "sp.exchange_rows * sp.warp + 3", "sp.exchange_rows * sp.warp + 35");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  for (const char *target : {"opencl", "cuda:sm_90"}) {
    const plan::Plan before = plan_of(s, target, own_templates()), after = plan_of(s, target, *other);
    ASSERT_FALSE(before.kernels.empty());
    const int more = 4 * 32, rows = target == std::string("opencl") ? 2 : 0;
    for (std::size_t n = 0; n < before.kernels.size(); ++n) {
      EXPECT_EQ(before.kernels[n].exchange_words, rows * before.kernels[n].lanes) << before.kernels[n].entry;
      EXPECT_EQ(after.kernels[n].shared_bytes, before.kernels[n].shared_bytes + more) << before.kernels[n].entry;
    }
  }
}

TEST(Facts, ThatAreNoneAreRefused) {
  const Changed changed(
      "exactness.h", "facts.permute_bits = Number(permute_bits<Gap>(sp));",
      "int n = 0;\n  while (v.match <= query && n < 3) n = n + 1;\n  facts.permute_bits = Number(n);");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  const auto plan = plan::make_plan(spec_of(kSemiglobal), *backend::find_target("cuda:sm_90"), *other);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("'permute_bits' is no expression of docs/manifest.md"), std::string::npos)
      << plan.error().message;
}

TEST(Facts, ThatNoManifestHoldsAreRefused) {
  const Changed changed("exactness.h", "facts.permute_bits = Number(permute_bits<Gap>(sp));",
                        "Number n = v.match;\n  for (int i = 0; i < 12; ++i) n = max(n + v.mismatch, n * v.match);\n"
                        "  facts.permute_bits = n;");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  const spec::Spec s = spec_of(
      "alignment: semiglobal\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: runtime, mismatch: runtime}\n");
  const auto plan = plan::make_plan(s, *backend::find_target("cuda:sm_90"), *other);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("bytes, and manifests hold 4096 at most"), std::string::npos)
      << plan.error().message;
}

TEST(Facts, MissingOnesAreNamed) {
  const Changed changed("exactness.h", "Holds<Number> usable, exact, lengths;",
                        "Holds<Number> usable, exact, lines;\n#define lengths lines");
  const auto other = frontend::Templates::parse(changed.path());
  ASSERT_TRUE(other) << other.error().message;
  const auto plan = plan::make_plan(spec_of(kSemiglobal), *backend::find_target("scalar"), *other);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("'lengths' is not told"), std::string::npos) << plan.error().message;
}

// The kernel's indices are 32 bits wide: nine elements per query letter where three borders of two gap states are kept,
// and two for bases.
TEST(Lengths, ScratchMemoryIsCountedInIntsOnly) {
  const spec::Spec s = spec_of(
      "alignment: local\ngap: {model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1}\n"
      "score: {match: 2, mismatch: -4}\noutput: [score, end]\n");
  const plan::Plan plan = plan_of(s, "x86-64-v4", own_templates());
  for (const plan::KernelPlan &kernel : plan.kernels) {
    if (kernel.split()) {  // the border of 3 states has room before its first row and behind its last
      EXPECT_TRUE(holds(kernel.lengths, 1000, 2147483647 / 3 - 640)) << kernel.lengths.text;
      EXPECT_FALSE(holds(kernel.lengths, 1000, 2147483647 / 3)) << kernel.lengths.text;
      continue;
    }
    const std::int64_t elements = kernel.scratch_per_stream_letter * 8 / (kernel.width * kernel.lanes);
    EXPECT_EQ(elements, kernel.form == Form::pairwise ? 11 : 3);
    const std::int64_t most = 2147483647 / elements;
    EXPECT_TRUE(holds(kernel.lengths, most - 8, 1000)) << kernel.lengths.text;
    EXPECT_FALSE(holds(kernel.lengths, most + 1, 1000)) << kernel.lengths.text;
    EXPECT_FALSE(holds(kernel.lengths, 1000, 2147483647)) << kernel.lengths.text;
  }
}

rt::align::CallScoring scoring_of(const rt::kernels::Manifest &manifest) {
  const auto scoring = rt::align::resolve_scoring(manifest, {}, {});
  EXPECT_TRUE(scoring) << scoring.error().message;
  return *scoring;
}

// A kernel that would notice an overflow is not tried either.
TEST(Lengths, BeyondThemNoKernelIsChosen) {
  const spec::Spec s = spec_of(
      "alignment: local\ngap: {model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1}\n"
      "score: {match: 2, mismatch: -4}\noutput: [score, end]\n");
  const auto m = rt::kernels::parse_manifest(manifest(s, plan_of(s, "x86-64-v4", own_templates())));
  ASSERT_TRUE(m) << m.error().message;
  rt::align::Chooser chooser(*m, scoring_of(*m), Form::pairwise, 16);
  EXPECT_GE(chooser.choose(0, 195'000'000, 100).level, 0);
  EXPECT_EQ(chooser.choose(0, 196'000'000, 100).level, -1);
  EXPECT_FALSE(chooser.near(0, 196'000'000, 100));
  EXPECT_EQ(chooser.rule(196'000'000, 100),
            "query of 196000000 and target of 100 letters: the score may exceed 32 bits, or what the kernels count "
            "(they take "
            "pairs where " +
                m->kernels[0].lengths_text + "); use shorter sequences or smaller gap costs");
}

// What a kernel counts with beside its own width has 32 bits: gaps over both sides cost 2^30 at most, whatever the
// arithmetic and the device.
TEST(Lengths, GapsOverBothSidesFit32Bits) {
  const spec::Spec s =
      spec_of("alignment: global\ngap: {model: affine, open: 0, extend: 10000}\nscore: {match: 0, mismatch: -10000}\n");
  for (const char *target : {"x86-64-v4", "cuda:sm_90", "opencl"}) {
    const plan::Plan plan = plan_of(s, target, own_templates());
    for (const plan::KernelPlan &kernel : plan.kernels) {
      EXPECT_TRUE(holds(kernel.lengths, 50'000, 57'374)) << kernel.entry << " " << kernel.lengths.text;
      EXPECT_FALSE(holds(kernel.lengths, 50'000, 57'375)) << kernel.entry << " " << kernel.lengths.text;
    }
  }
  const auto local =
      spec_of("alignment: local\ngap: {model: affine, open: 0, extend: 10000}\nscore: {match: 1, mismatch: -1}\n");
  EXPECT_TRUE(holds(plan_of(local, "scalar", own_templates()).kernels[0].lengths, 50'000, 57'375));
}

// Letters of a run of the CIGAR have 27 bits.
TEST(Lengths, RunsOfCigarsHoldTheirLetters) {
  const spec::Spec s = spec_of(
      "alignment: local\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: -1}\noutput: [score, "
      "end, "
      "begin, cigar]\n");
  for (const char *target : {"x86-64-v4", "cuda:sm_90"})
    for (const plan::KernelPlan &kernel : plan_of(s, target, own_templates()).kernels) {
      if (kernel.form == Form::extent) continue;
      EXPECT_TRUE(holds(kernel.lengths, (1 << 27) - 1, 5)) << kernel.entry << " " << kernel.lengths.text;
      EXPECT_FALSE(holds(kernel.lengths, 1 << 27, 5)) << kernel.entry << " " << kernel.lengths.text;
      EXPECT_FALSE(holds(kernel.lengths, 5, 1 << 27)) << kernel.entry << " " << kernel.lengths.text;
    }
}

// Of two that differ in how they take maxima alone a core has one.
TEST(FewMaxima, AKernelBesideTheOtherForWhomItServes) {
  const spec::Spec s =
      spec_of("alignment: local\ngap: {model: affine, open: 11, extend: 1}\nscore: {matrix: BLOSUM62}\n", "protein");
  for (const auto &[target, beside] : {std::pair{"x86-64-v4", 1}, {"x86-64-v3", 0}, {"x86-64-v2", 0}}) {
    const plan::Plan plan = plan_of(s, target, own_templates());
    EXPECT_EQ(std::ranges::count_if(plan.kernels, &plan::KernelPlan::few_maxima), beside) << target;
    for (const plan::KernelPlan &kernel : plan.kernels)
      EXPECT_TRUE(kernel.entry.ends_with(plan.target->identifier))
          << kernel.entry;  // texts of several targets append it
    const auto m = rt::kernels::parse_manifest(manifest(s, plan));
    ASSERT_TRUE(m) << m.error().message;
    const rt::align::Chooser chooser(*m, scoring_of(*m), Form::shared_profile, 16);
    std::set<int> widths;
    for (int level = 0; level < chooser.levels(); ++level) {
      const rt::kernels::KernelInfo &kernel = m->kernels[static_cast<std::size_t>(chooser.kernel(level))];
      EXPECT_TRUE(widths.insert(kernel.width).second) << kernel.entry;
      EXPECT_EQ(kernel.few_maxima, kernel.width == 8 && beside && rt::core_model() == "Intel AVX-512") << kernel.entry;
    }
    EXPECT_TRUE(widths.contains(8));
  }
}

TEST(Exact, BeyondTotalsNoDeviceKernelIsChosen) {
  const spec::Spec s =
      spec_of("alignment: global\ngap: {model: affine, open: 3, extend: 1}\nscore: {match: 40, mismatch: -1}\n");
  const auto m = rt::kernels::parse_manifest(manifest(s, plan_of(s, "cuda:sm_90", own_templates())));
  ASSERT_TRUE(m) << m.error().message;
  rt::align::Chooser chooser(*m, scoring_of(*m), Form::pairwise, 16);
  EXPECT_GE(chooser.choose(0, 51'000'000, 51'000'000).level, 0);
  EXPECT_EQ(chooser.choose(0, 51'200'000, 51'200'000).level, -1);
  EXPECT_NE(chooser.rule(51'200'000, 51'200'000).find("the score may exceed 32 bits (exact where "), std::string::npos);
}

// Rebased kernels keep 16 bits, but their totals are 32 bits wide.
TEST(Exact, RebasedTotalsAreNotWiderThan32Bits) {
  const spec::Spec s =
      spec_of("alignment: global\ngap: {model: affine, open: 3, extend: 1}\nscore: {match: 40, mismatch: -1}\n");
  for (const plan::KernelPlan &kernel : plan_of(s, "cuda:sm_90", own_templates()).kernels) {
    ASSERT_TRUE(kernel.rebased());
    EXPECT_TRUE(holds(kernel.exact, 51'000'000, 51'000'000)) << kernel.exact.text;
    EXPECT_FALSE(holds(kernel.exact, 51'200'000, 51'200'000)) << kernel.exact.text;
  }
}

// border.h clamps a free border one above the limit in row 1: that point must fit too.
TEST(Exact, UsableHasTheSparePointOfAFreeBorder) {
  const auto width = [](const char *end) {
    const spec::Spec s = spec_of("alignment: {free_ends: [" + std::string(end) +
                                 "]}\ngap: {model: linear, extend: 0}\nscore: {match: 64, mismatch: -127}\n");
    return plan_of(s, "scalar", own_templates()).kernels.front().width;
  };
  EXPECT_EQ(width("query_begin"), 8);  // 127 below the corner and two steps of 64: 255
  EXPECT_EQ(width("target_begin"), 16);
}

}  // namespace
