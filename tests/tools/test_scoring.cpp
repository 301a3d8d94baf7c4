// --set, --matrix and --gap-convention against specs, in process: what is taken, converted and refused.
#include <gtest/gtest.h>

#include <string>

#include "scoring.h"
#include "spec/parse.h"

namespace alnsmith::tool {
namespace {

spec::Spec spec_with(const std::string &gap, const std::string &score) {
  auto spec = spec::parse_text(
      "version: 1\nname: s\nalignment: global\nalphabet: dna\ngap: " + gap + "\nscore: " + score + "\n", "s.yaml", ".");
  EXPECT_TRUE(spec) << spec.error().message;
  return *spec;
}

const char *const folded_gap = "{model: affine, open: 5, extend: 2}";
const char *const runtime_gap = "{model: affine, open: runtime, extend: runtime}";
const char *const folded_score = "{match: 2, mismatch: -1}";

TEST(Scoring, FoldedValuesNeedNothing) {
  spec::Spec spec = spec_with(folded_gap, folded_score);
  const auto got = resolve_scoring(spec, {});
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->scoring.values.empty());
  EXPECT_FALSE(got->spec_changed);
  EXPECT_EQ(got->gap, "5+2*L");
}

TEST(Scoring, OneGapKeySetsBothSides) {
  spec::Spec spec = spec_with(runtime_gap, "{match: runtime, mismatch: -1}");
  const auto got = resolve_scoring(spec, {{"gap.open=4", "gap.extend=+1", "score.match=3"}, "", GapConvention::blast});
  ASSERT_TRUE(got) << got.error().message;
  const decltype(got->scoring.values) expected = {
      {"insertion_open", 4}, {"deletion_open", 4}, {"insertion_extend", 1}, {"deletion_extend", 1}, {"match", 3}};
  EXPECT_EQ(got->scoring.values, expected);
  EXPECT_EQ(got->gap, "4+1*L");
}

TEST(Scoring, SidesCanDiffer) {
  spec::Spec spec = spec_with(runtime_gap, folded_score);
  const auto got = resolve_scoring(
      spec, {{"gap.insertion.open=4", "gap.deletion.open=6", "gap.extend=1"}, "", GapConvention::blast});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->gap, "insertion:4+1*L,deletion:6+1*L");
}

TEST(Scoring, FirstConventionConvertsFoldedCosts) {
  spec::Spec spec = spec_with(folded_gap, folded_score);
  const auto got = resolve_scoring(spec, {{}, "", GapConvention::first});
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->spec_changed);
  EXPECT_EQ(spec.insertion.open.value, 3);
  EXPECT_EQ(spec.deletion.open.value, 3);
  EXPECT_EQ(got->gap, "3+2*L");
}

TEST(Scoring, FirstConventionConvertsRuntimeCosts) {
  spec::Spec spec = spec_with(runtime_gap, folded_score);
  const auto got = resolve_scoring(spec, {{"gap.open=5", "gap.extend=2"}, "", GapConvention::first});
  ASSERT_TRUE(got);
  EXPECT_FALSE(got->spec_changed);
  EXPECT_EQ(got->scoring.values.at("insertion_open"), 3);
  EXPECT_EQ(got->gap, "3+2*L");
}

TEST(Scoring, FirstConventionLeavesLinearGapsAlone) {
  spec::Spec spec = spec_with("{model: linear, extend: 2}", folded_score);
  const auto got = resolve_scoring(spec, {{}, "", GapConvention::first});
  ASSERT_TRUE(got);
  EXPECT_FALSE(got->spec_changed);
  EXPECT_EQ(got->gap, "2*L");
}

struct Refusal {
  const char *gap, *score;
  ScoringRequest request;
  const char *words;
};

TEST(Scoring, RefusesAsUsageErrors) {
  const Refusal refusals[] = {
      {folded_gap, folded_score, {{"score.match"}, "", GapConvention::blast}, "KEY=INTEGER"},
      {folded_gap, folded_score, {{"score.match=two"}, "", GapConvention::blast}, "KEY=INTEGER"},
      {folded_gap, folded_score, {{"score.match=99999999999"}, "", GapConvention::blast}, "KEY=INTEGER"},
      {folded_gap, folded_score, {{"=2"}, "", GapConvention::blast}, "KEY=INTEGER"},
      {folded_gap, folded_score, {{"score.match=2"}, "", GapConvention::blast}, "folds that value"},
      {runtime_gap,
       folded_score,
       {{"colour=2"}, "", GapConvention::blast},
       "no such value; it takes gap.open, gap.extend"},
      {runtime_gap, folded_score, {{"gap.open=-2", "gap.extend=1"}, "", GapConvention::blast}, "not negative"},
      {runtime_gap, folded_score, {{"gap.open=2"}, "", GapConvention::blast}, "add --set gap"},
      {runtime_gap, folded_score, {{"gap.open=1", "gap.extend=2"}, "", GapConvention::first}, "at least extend"},
      {folded_gap, "{matrix: runtime}", {}, "--matrix FILE"},
      {folded_gap, folded_score, {{}, "BLOSUM62", GapConvention::blast}, "does not take a matrix"},
  };
  for (const Refusal &refusal : refusals) {
    spec::Spec spec = spec_with(refusal.gap, refusal.score);
    const auto got = resolve_scoring(spec, refusal.request);
    ASSERT_FALSE(got) << refusal.words;
    EXPECT_EQ(got.error().exit_code, 2);
    EXPECT_NE(got.error().message.find(refusal.words), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace alnsmith::tool
