// The work and its reference: deterministic, extreme, within the spec; a wrong answer is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "spec/parse.h"
#include "spec_problem.h"
#include "tune/reference.h"

namespace alnsmith::tool::tune {
namespace {

spec::Spec shipped(const std::string &name) {
  auto spec = spec::parse_file(std::string(SPEC_FOLDER) + "/" + name + ".yaml");
  EXPECT_TRUE(spec);
  return *spec;
}

TEST(TuneWork, TheSameSeedGivesTheSameLetters) {
  for (const char *name : {"dna-global-affine", "protein-local-blosum62", "structure-global-affine"})
    for (const bool all : {false, true}) {
      const auto spec = shipped(name);
      const auto one = make_workload(spec, all, 7, 1000000), two = make_workload(spec, all, 7, 1000000);
      const auto other = make_workload(spec, all, 8, 1000000);
      ASSERT_EQ(one.classes.size(), 3U);
      EXPECT_EQ(one.classes[0].queries, two.classes[0].queries);
      EXPECT_EQ(one.sample.targets, two.sample.targets);
      EXPECT_NE(one.classes[0].queries, other.classes[0].queries);
      EXPECT_GE(one.described().cells, 1000000U);
    }
}

TEST(TuneWork, TheSampleHasTheExtremesAndKeepsTheSpecsLimits) {
  auto spec = shipped("dna-global-affine");
  const Batch sample = make_workload(spec, false, 1, 1000000).sample;
  const auto pairs_with = [&](auto condition) {
    for (std::size_t i = 0; i < sample.queries.size(); ++i)
      if (condition(sample.queries[i], sample.targets[i])) return true;
    return false;
  };
  EXPECT_TRUE(pairs_with([](auto &q, auto &t) { return q.size() == 1 && t.size() == 1 && q == t; }));
  EXPECT_TRUE(pairs_with([](auto &q, auto &t) { return q.size() == 1 && t.size() == 1 && q != t; }));
  EXPECT_TRUE(pairs_with([](auto &q, auto &t) { return q.size() == 1 && t.size() > 500; }));
  EXPECT_TRUE(pairs_with([](auto &q, auto &t) { return q.size() > 500 && q == t; }));
  EXPECT_TRUE(pairs_with([](auto &q, auto &t) {
    return q.size() > 500 && q.find_first_not_of(q[0]) == std::string::npos && t.find(q[0]) == std::string::npos;
  }));
  spec.max_query = 60;
  spec.max_target = 40;
  const Workload limited = make_workload(spec, false, 1, 100000);
  for (const Batch *batch : {&limited.classes[0], &limited.classes[2], &limited.sample}) {
    for (const std::string &query : batch->queries) EXPECT_LE(query.size(), 60U);
    for (const std::string &target : batch->targets) EXPECT_LE(target.size(), 40U);
  }
}

TEST(TuneReference, EveryShippedSpecHasAnswersAndAWrongOneIsNamed) {
  for (const char *name : {"dna-local-end", "edit-distance", "dna-global-runtime", "genome-local-hoxd70"}) {
    const auto spec = shipped(name);
    const auto scoring = oracle::call_scoring(spec);
    const Batch sample = make_workload(spec, false, 1, 50000).sample;
    const Answers right = expected_answers(spec, scoring, sample, false);
    ASSERT_EQ(right.pairs(), sample.queries.size());
    EXPECT_EQ(right[alnsmith::Output::query_end].size(), spec.output.end ? sample.queries.size() : 0);
    EXPECT_EQ(first_difference(right, right, sample, false), "");
    Answers wrong = right;
    ++wrong[alnsmith::Output::score][4];
    const std::string said = first_difference(right, wrong, sample, false);
    EXPECT_EQ(said.substr(0, 21), "the score of pair 4 (") << said;
    if (!spec.output.end) continue;
    wrong = right;
    --wrong[alnsmith::Output::target_end][5];
    EXPECT_EQ(first_difference(right, wrong, sample, false).substr(0, 22), "the target_end of pair");
  }
}

}  // namespace
}  // namespace alnsmith::tool::tune
