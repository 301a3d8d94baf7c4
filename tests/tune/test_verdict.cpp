// What a recording comes to: noisy comparisons are made again, the last comparison comes first, and the next step
// follows from it.
#include <gtest/gtest.h>

#include "records.h"
#include "tune/ranking.h"
#include "tune/show.h"
#include "tune/verdict.h"

namespace alnsmith::tool::tune {
namespace {

// A comparison of each spread in turn; how many were made, and the line that is kept, if it is not `before`.
std::pair<int, std::optional<Record>> settle(const std::vector<double> &spreads, const Record *before) {
  int made = 0;
  const auto kept = settled(
      [&]() -> Result<Record> {
        const double spread = spreads.at(static_cast<std::size_t>(made++));
        return final_record(12, 1 + spread, spread);
      },
      [](const Record &) {}, before);
  EXPECT_TRUE(kept);
  return {made, *kept};
}
std::pair<int, Record> compared(const std::vector<double> &spreads) {
  const auto [made, kept] = settle(spreads, nullptr);
  return {made, kept.value()};
}

TEST(TuneVerdict, ANoisyComparisonIsMadeAgain) {
  const auto [once, quiet] = compared({0.1});
  EXPECT_EQ(once, 1);
  EXPECT_EQ(quiet.measurement("comparisons"), 1);
  const auto [twice, second] = compared({0.3, 0.05});
  EXPECT_EQ(twice, 2);
  EXPECT_EQ(second.measurement("gain_spread"), 0.05);
  EXPECT_FALSE(is_noisy(second));
  const auto [thrice, quietest] = compared({0.3, 0.12, 0.5});
  EXPECT_EQ(thrice, kComparisons);
  EXPECT_EQ(quietest.measurement("gain_spread"), 0.12);
  EXPECT_EQ(quietest.measurement("gain"), 1.12);
  EXPECT_EQ(quietest.measurement("comparisons"), 3);
  EXPECT_TRUE(is_noisy(quietest));
}

// A recording goes on: its own comparison counts like those that are made now.
TEST(TuneVerdict, AnEarlierComparisonCountsWhereItIsQuieter) {
  Record before = final_record(12, 1.2, 0.2);
  before.measurements.push_back({"comparisons", 3, "1"});
  const auto [thrice, noisier] = settle({0.3, 0.25, 0.5}, &before);
  EXPECT_EQ(thrice, kComparisons);
  EXPECT_FALSE(noisier);
  const auto [again, quieter] = settle({0.3, 0.15, 0.5}, &before);
  EXPECT_EQ(again, kComparisons);
  ASSERT_TRUE(quieter);
  EXPECT_EQ(quieter->measurement("gain_spread"), 0.15);
  EXPECT_EQ(quieter->measurement("comparisons"), 6);
  const auto [once, quiet] = settle({0.05}, &before);
  EXPECT_EQ(once, 1);
  ASSERT_TRUE(quiet);
  EXPECT_EQ(quiet->measurement("comparisons"), 4);
}

TEST(TuneVerdict, AFailedComparisonIsNotMadeAgain) {
  int made = 0;
  const auto kept = settled(
      [&]() -> Result<Record> {
        Record failed = final_record(12, 1, 0.5);
        failed.invalidity = ++made == 2 ? Invalidity::timeout : Invalidity::correct;
        return failed;
      },
      [](const Record &) {});
  EXPECT_EQ(made, 2);
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->invalidity, Invalidity::timeout);
  EXPECT_FALSE((*kept)->measurement("comparisons"));
}

TEST(TuneVerdict, AGainCountsBeyondItsSpreadOnly) {
  EXPECT_EQ(verdict(final_record(12, 1.05, 0.02)), "faster");
  EXPECT_EQ(verdict(final_record(12, 1.01, 0.02)), "no difference");
  EXPECT_EQ(verdict(final_record(12, 0.931, 0.02)), "slower");
}

TEST(TuneVerdict, TheFinalComparisonComesFirstAndAnswersTheGainOfTheSearch) {
  Record model = record_of(8, 20, true), best = record_of(12, 31);
  model.measurements.push_back({"relative", 1, "1"});
  best.measurements.push_back({"relative", 1.559, "1"});
  const std::string before = shown_recording({model, best}, "run.jsonl");
  EXPECT_NE(
      before.find("+55.9 % against the model's choice in the search, within their groups: not compared in turns yet"),
      std::string::npos)
      << before;
  const std::string text = shown_recording({model, best, final_record(12, 0.931, 0.14)}, "run.jsonl");
  EXPECT_LT(text.find("\nfinal "), text.find("\nbest ")) << text;
  EXPECT_NE(text.find("-6.9 % against the model's choice in turns, spread 14.0 %: no difference\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nnoise    14.0 % between runs of the same two"), std::string::npos) << text;
  EXPECT_NE(text.find("within their groups: the final line counts"), std::string::npos) << text;
}

TEST(TuneVerdict, TheNextStepIsNamed) {
  const Record model = record_of(8, 20, true), best = record_of(12, 22);
  Record failed = best, lost = final_record(12, 1.1, 0.01);
  failed.invalidity = lost.invalidity = Invalidity::runtime;
  const std::string stays = "nothing to apply: the planner's choice stays";
  EXPECT_EQ(next_step({model, best, final_record(12, 1.1, 0.02)}, "my runs/it's.jsonl"),
            "alnsmith tune apply 'my runs/it'\\''s.jsonl'");
  EXPECT_EQ(next_step({model, best, final_record(12, 1.1, 0.02)}, "-r.jsonl"), "alnsmith tune apply './-r.jsonl'");
  EXPECT_EQ(next_step({model, best, final_record(12, 1.01, 0.02)}, "r.jsonl"), stays);
  EXPECT_TRUE(next_step({model, best, final_record(12, 1.01, 0.2)}, "r.jsonl").starts_with(stays + "; on a quieter"));
  EXPECT_NE(next_step({model, best}, "r.jsonl").find("--resume"), std::string::npos);
  EXPECT_EQ(next_step({record_of(8, 25, true), best}, "r.jsonl"), "nothing to apply: the planner's choice is the best");
  EXPECT_NE(next_step({model, best, lost}, "r.jsonl").find("the winner failed"), std::string::npos);
  EXPECT_NE(next_step({failed}, "r.jsonl").find("nothing was correct"), std::string::npos);
}

}  // namespace
}  // namespace alnsmith::tool::tune
