// Search spaces: how many candidates, which are ruled out and why, what a target leaves out.
#include <gtest/gtest.h>

#include <algorithm>

#include "spec/canonical.h"
#include "spec/parse.h"
#include "tune/space.h"

namespace alnsmith::tool::tune {
namespace {

spec::Spec spec_with(const std::string &tune) {
  const auto spec = spec::parse_text(
      "version: 1\nname: x\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
      "score: {match: 2, mismatch: -1}\n" +
          tune,
      "x.yaml", ".");
  EXPECT_TRUE(spec) << spec.error().message;
  return *spec;
}

Space space_of(const std::string &tune, const std::string &target = "x86-64-v4") {
  auto space = make_space(spec_with(tune), target);
  EXPECT_TRUE(space) << space.error().message;
  return *std::move(space);
}

TEST(TuneSpace, NumbersAndConfigurationsAreTheSame) {
  const Space space =
      space_of("tune: {k: [8, 4, 6], arithmetic: [int8, int16], compiler: [auto, g++], threads: [1, 2]}\n");
  ASSERT_EQ(space.size(), 24U);
  for (std::size_t i = 0; i < space.size(); ++i) EXPECT_EQ(space.index_of(space.at(i)), i);
  EXPECT_EQ(configuration_text(space.at(0)), "arithmetic=int8 compiler=auto k=4 threads=1");
  EXPECT_EQ(configuration_text(space.at(1)), "arithmetic=int8 compiler=auto k=4 threads=2");
  EXPECT_EQ(configuration_text(space.at(23)), "arithmetic=int16 compiler=g++ k=8 threads=2");
  EXPECT_FALSE(space.index_of({{"k", std::int64_t{5}}}));
  EXPECT_EQ(choice_text(space.at(23)), "k=8,arithmetic=int16");
}

TEST(TuneSpace, ConditionsSayWhyACandidateIsOut) {
  const Space space = space_of(
      "tune:\n  k: [4, 8, 12]\n  compiler: [auto, g++]\n  constraints:\n    - k % 8 != 0 || compiler == auto\n"
      "    - {expression: \"!(compiler == 'g++' && k > 8)\", reason: g++ spills there}\n    - k * p <= 64\n");
  EXPECT_EQ(space.violated({{"k", std::int64_t{8}}, {"compiler", "auto"}}), "");
  EXPECT_EQ(space.violated({{"k", std::int64_t{4}}, {"compiler", "g++"}}), "");
  EXPECT_EQ(space.violated({{"k", std::int64_t{12}}, {"compiler", "g++"}}), "g++ spills there");
  EXPECT_EQ(space.violated({{"k", std::int64_t{8}}, {"compiler", "g++"}}),
            "does not meet k % 8 != 0 || compiler == auto");
  ASSERT_EQ(space.warnings.size(), 1U);
  EXPECT_EQ(space.warnings[0], "constraint 'k * p <= 64' does not apply: the space has no p");
  EXPECT_NE(space_of("tune: {k: [1, 2], constraints: [\"1 / (k - 1)\"]}\n").violated({{"k", std::int64_t{1}}}), "");
}

TEST(TuneSpace, ATargetLeavesOutWhatItDoesNotHave) {
  const std::string tune = "tune: {k: [4], p: [8, 16], block: [2], arithmetic: [half2, int16], threads: [1, 2]}\n";
  const Space cpu = space_of(tune), gpu = space_of(tune, "cuda:sm_90");
  EXPECT_EQ(cpu.size(), 2U);
  EXPECT_EQ(cpu.warnings.size(), 3U);  // p, block, half2
  EXPECT_EQ(gpu.size(), 4U);
  EXPECT_EQ(gpu.warnings.size(), 1U);  // threads
  const auto nothing = make_space(spec_with("tune: {p: [8]}\n"), "scalar");
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find("no parameter for scalar"), std::string::npos);
}

TEST(TuneSpace, StagesChooseTheTile) {
  const std::string bounded = "max_length: {query: 200, target: 100}\n";
  // The register side is the target on CPUs: 100 letters in 4 stages of 25, 10 of 10.
  const Space cpu = space_of(bounded + "tune: {stages: [10, 4]}\n");
  ASSERT_EQ(cpu.size(), 2U);
  EXPECT_EQ(configuration_text(cpu.at(0)), "k=10");
  EXPECT_EQ(configuration_text(cpu.at(1)), "k=25");
  // On devices the query: 200 letters, k for each p.
  const Space gpu =
      space_of(bounded + "tune: {p: [8, 16], stages: [1, 2], mapping: [lanes, wavefront]}\n", "cuda:sm_90");
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < gpu.size(); ++i)
    if (gpu.violated(gpu.at(i)).empty()) kept.push_back(configuration_text(gpu.at(i)));
  EXPECT_EQ(kept, (std::vector<std::string>{"k=7 mapping=wavefront p=16", "k=13 mapping=wavefront p=8",
                                            "k=13 mapping=wavefront p=16", "k=25 mapping=wavefront p=8",
                                            "k=25 mapping=wavefront p=16"}));
  EXPECT_EQ(gpu.violated({{"k", std::int64_t{7}}, {"p", std::int64_t{8}}}), "takes 4 stages; the spec lists 1, 2");
  // Listed beside k, and named by a condition.
  const Space both = space_of(bounded + "tune: {k: [10, 25, 30], stages: [4], constraints: [\"stages * k == 100\"]}\n");
  EXPECT_EQ(both.violated({{"k", std::int64_t{25}}}), "");
  EXPECT_EQ(both.violated({{"k", std::int64_t{10}}}), "takes 10 stages; the spec lists 4");
  EXPECT_EQ(both.violated({{"k", std::int64_t{30}}}), "does not meet stages * k == 100");

  for (const auto &[yaml, target, why] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"tune: {stages: [1]}\n", "x86-64-v4", "needs max_length: {target: ...}"},
           {bounded + "tune: {stages: [1]}\n", "opencl", "needs p"},
           {bounded + "tune: {stages: [1]}\n", "scalar", "no k up to 64"}}) {
    const auto space = make_space(spec_with(yaml), target);
    ASSERT_FALSE(space) << yaml;
    EXPECT_NE(space.error().message.find(why), std::string::npos) << space.error().message;
  }
  EXPECT_EQ(space_of("tune: {k: [4], constraints: [stages <= 2]}\n").warnings.size(), 1U);
}

TEST(TuneSpace, WithoutASectionThereAreUsualValues) {
  EXPECT_EQ(space_of("").size(), 24U);
  EXPECT_EQ(space_of("", "opencl").size(), 20U);
}

TEST(TuneSpace, AShippedSpecHasAboutTwoHundredCandidates) {
  const auto spec = spec::parse_file(std::string(SPEC_FOLDER) + "/dna-global-affine.yaml");
  ASSERT_TRUE(spec);
  const auto space = make_space(*spec, "x86-64-v4");
  ASSERT_TRUE(space);
  EXPECT_GE(space->size(), 190U);
  EXPECT_LE(space->size(), 250U);
  spec::Spec bare = *spec;
  bare.tune.clear();
  bare.tune_words.clear();
  EXPECT_EQ(spec::hash(bare), spec::hash(*spec));  // the space changes no kernel
}

}  // namespace
}  // namespace alnsmith::tool::tune
