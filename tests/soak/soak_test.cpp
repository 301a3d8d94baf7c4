// The fuzzer itself: it draws the same cases again, sees a wrong answer, makes it small, and tells refusals apart.
//
// The kernels here are the textbook DP with a mistake put in.
#include <gtest/gtest.h>

#include <set>

#include "check.h"
#include "draw.h"
#include "shrink.h"
#include "totals.h"
#include "work.h"
#include "workers.h"

namespace {

using namespace soak;
using alnsmith::Error;
using alnsmith::Result;

// Right but for pairs whose query holds `wrong_for`: their scores are one too high, or, where there are CIGARs, these
// begin with another letter.
class Liar : public Kernels {
 public:
  Liar(alnsmith::spec::Spec spec, std::string wrong_for) : spec_(std::move(spec)), wrong_for_(std::move(wrong_for)) {}
  Result<std::vector<Answers>> align(const Case &c) override {
    const oracle::Problem dp = problem(c.spec, spec_);
    Answers a;
    a.who = "liar";
    a.given.assign(c.pairs(), 1);
    for (std::size_t i = 0; i < c.pairs(); ++i) {
      const oracle::Answer right = oracle::align(dp, c.query(i), c.target_of(i));
      const bool wrong = !wrong_for_.empty() && c.query(i).find(wrong_for_) != std::string::npos;
      a.score.push_back(static_cast<int>(right.score) + (wrong && !c.spec.cigar));
      if (!c.spec.end) continue;
      a.query_end.push_back(static_cast<int>(right.query_end));
      a.target_end.push_back(static_cast<int>(right.target_end));
      if (!c.spec.begin) continue;
      a.query_begin.push_back(static_cast<int>(right.query_begin));
      a.target_begin.push_back(static_cast<int>(right.target_begin));
      if (c.spec.cigar) a.cigar.push_back((wrong ? "1D" : "") + oracle::text(right.cigar));
    }
    return std::vector<Answers>{a};
  }

 private:
  alnsmith::spec::Spec spec_;
  std::string wrong_for_;
};

Checker liar(const std::string &wrong_for) {
  return Checker({}, [=](const Case &, const alnsmith::spec::Spec &spec, const Places &) {
    return Result<std::unique_ptr<Kernels>>(std::make_unique<Liar>(spec, wrong_for));
  });
}

Checker refusing(const std::string &message) {
  return Checker({}, [=](const Case &, const alnsmith::spec::Spec &, const Places &) {
    return Result<std::unique_ptr<Kernels>>(Error{message});
  });
}

Case some_case() {
  Case c;
  c.target = "x86-64-v3";
  c.spec.alphabet = "dna";
  c.spec.insertion = {true, {true, 3}, {false, 2}};
  c.spec.deletion = {false, {}, {false, 4}};
  c.spec.match.value = 5;
  c.spec.mismatch = {true, -3};
  c.spec.free_ends = 5;
  c.spec.k = 7;
  c.all = true;
  c.queries = {"ACGTACG", "AACCGGTTAC", "CCCC"};
  c.targets = {"ACGT", "TTTTTTT", "GATTACA"};
  return c;
}

TEST(Soak, DrawsTheSameCasesAgainAndOthersForOtherNumbers) {
  std::set<std::string> specs;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Case drawn = draw(5, number);
    const Case once = draw_call(drawn, 5, number, 1), again = draw_call(draw(5, number), 5, number, 1);
    EXPECT_EQ(nlohmann::json(once), nlohmann::json(again));
    EXPECT_GT(once.pairs(), 0u);
    EXPECT_EQ(yaml(once.spec), yaml(drawn.spec)) << "a call's values are no part of the spec";
    specs.insert(yaml(once.spec));
  }
  EXPECT_GT(specs.size(), 290u);
}

TEST(Soak, KeepsACaseAsALineOfJson) {
  for (std::uint64_t number = 0; number < 50; ++number) {
    const Case c = draw_call(draw(6, number), 6, number, 0);
    EXPECT_EQ(nlohmann::json(c), nlohmann::json(nlohmann::json::parse(nlohmann::json(c).dump()).get<Case>()));
  }
}

TEST(Soak, CountsWhatAgrees) {
  Counts counts;
  EXPECT_FALSE(liar("").check(some_case(), &counts));
  EXPECT_EQ(counts.pairs, 9u);
  EXPECT_EQ(counts.cells, 21u * 18u);
  EXPECT_EQ(counts.by["form"]["cpu all"].pairs, 9u);
}

TEST(Soak, SeesAWrongAnswerAndMakesItSmall) {
  Checker checker = liar("GT");
  const auto failure = checker.check(some_case());
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->what, "wrong answer");
  const Shrunk small = shrink(checker, some_case(), *failure, std::chrono::seconds(60));
  EXPECT_EQ(small.smallest.queries, std::vector<std::string>{"GT"});
  ASSERT_EQ(small.smallest.targets.size(), 1u);
  EXPECT_EQ(small.smallest.targets[0].size(), 1u);
  EXPECT_EQ(small.smallest.spec.free_ends, 0);
  EXPECT_EQ(small.smallest.spec.k, 0);
  EXPECT_FALSE(small.smallest.spec.mismatch.runtime);
  const std::string block = told(failure_json(small.failure, small.smallest, 3), "tools/soak --case 1:3");
  for (const char *part : {"wrong answer", "alignment: global", "# query  GT", "tools/soak --case 1:3"})
    EXPECT_NE(block.find(part), std::string::npos) << part << " in\n" << block;
}

TEST(Soak, SeesAWrongCigar) {
  Case c = some_case();
  c.spec.begin = c.spec.cigar = true;
  Counts counts;
  EXPECT_FALSE(liar("").check(c, &counts));
  EXPECT_EQ(counts.by["output"]["cpu cigar"].pairs, 9u);
  Checker checker = liar("GT");
  const auto failure = checker.check(c);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->what, "wrong answer");
  const Shrunk small = shrink(checker, c, *failure, std::chrono::seconds(60));
  EXPECT_TRUE(small.failure.got.find(", 1D") != std::string::npos || !small.smallest.spec.cigar) << small.failure.got;
  EXPECT_EQ(small.smallest.queries, std::vector<std::string>{"GT"});
}

TEST(Soak, CountsARefusalThatTheRulesForeseeAndReportsAnyOther) {
  Counts counts;
  EXPECT_FALSE(refusing("soak: the scoring does not fit the kernels of scalar; scale it").check(some_case(), &counts));
  EXPECT_EQ(counts.refusals["the scoring does not fit the kernels of"], 1u);
  const auto failure = refusing("clang++-22 failed (1): error: no member named 'x'").check(some_case(), &counts);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->what, "an unexpected refusal to make kernels");
}

// A driver's thread calls our kernel: its frames stand outside of the kernel's.
TEST(Soak, AKernelThatCrashesIsNotTheDriversFault) {
  using Frames = std::vector<std::string_view>;
  const auto drivers = [](const Frames &libraries) { return is_drivers_fault(libraries, "/tmp/w/pocl"); };
  EXPECT_FALSE(
      drivers({"soak", "libc.so.6", "/tmp/w/pocl/kcache/XY/one.so", "libpocl-devices-pthread.so", "libc.so.6"}));
  EXPECT_TRUE(drivers({"soak", "libc.so.6", "libLLVM-14.so.1", "libpocl.so.2", "soak"}));
  EXPECT_TRUE(drivers({"soak", "", "libpocl.so.2", "soak"}));
  EXPECT_FALSE(drivers({"soak", "libc.so.6", "soak"}));
}

}  // namespace
