// Strategies: each number once, the same for the same seed; on a recording of measured candidates local search is
// near the optimum early, and earlier than random search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "records.h"
#include "tune/replay.h"

namespace alnsmith::tool::tune {
namespace {

const Shape shape{{5, true}, {3, false}, {2, false}};

// What a strategy proposes if `score` says what a number is worth.
std::vector<std::size_t> walk(const std::string &name, std::uint64_t seed, std::optional<std::size_t> start,
                              const std::function<std::optional<double>(std::size_t)> &score,
                              std::size_t budget = SIZE_MAX) {
  auto strategy = make_strategy(name, shape, seed, start);
  EXPECT_TRUE(strategy);
  std::vector<std::size_t> order;
  const auto done = search(**strategy, 7, budget, {}, [&](std::span<const std::size_t> batch) {
    std::vector<Outcome> outcomes;
    for (const std::size_t index : batch) {
      order.push_back(index);
      outcomes.push_back({score(index), true});
    }
    return Result<std::vector<Outcome>>(outcomes);
  });
  EXPECT_TRUE(done);
  return order;
}

TEST(TuneStrategy, EachNumberOnceWhateverTheScores) {
  for (const char *name : {"exhaustive", "random", "local"})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random noise(seed);
      const auto order = walk(name, seed, std::nullopt, [&](std::size_t) -> std::optional<double> {
        if (noise.below(4) == 0) return std::nullopt;
        return static_cast<double>(noise.below(1000));
      });
      EXPECT_EQ(order.size(), 30U) << name;
      EXPECT_EQ(std::set(order.begin(), order.end()).size(), 30U) << name;
    }
  const auto nothing_works = walk("local", 1, std::size_t{3}, [](std::size_t) { return std::nullopt; });
  EXPECT_EQ(nothing_works.size(), 30U);
}

TEST(TuneStrategy, TheSameSeedWalksTheSameWay) {
  const auto score = [](std::size_t i) { return std::optional<double>(std::sin(static_cast<double>(i))); };
  for (const char *name : {"random", "local"}) {
    EXPECT_EQ(walk(name, 5, std::nullopt, score), walk(name, 5, std::nullopt, score));
    EXPECT_NE(walk(name, 5, std::nullopt, score), walk(name, 6, std::nullopt, score));
  }
  const auto in_order = walk("exhaustive", 5, std::nullopt, score);
  EXPECT_TRUE(std::is_sorted(in_order.begin(), in_order.end()));
}

TEST(TuneStrategy, LocalSearchClimbsFromItsStart) {
  // One hill over the ordered axis, the other axes flat but for a small step.
  const auto score = [](std::size_t i) {
    const std::size_t height = i / 6 * 10 + i % 6;
    return std::optional<double>(static_cast<double>(height));
  };
  const auto order = walk("local", 1, std::size_t{12}, score, 16);
  EXPECT_EQ(order.front(), 12U);
  EXPECT_EQ(*std::max_element(order.begin(), order.end()), 29U);  // the top, after half of the space
}

TEST(TuneStrategy, ABudgetIsKept) {
  const auto score = [](std::size_t) { return std::optional<double>(1.0); };
  for (const char *name : {"exhaustive", "random", "local"})
    for (const std::size_t budget : {1U, 6U, 13U}) EXPECT_EQ(walk(name, 1, std::nullopt, score, budget).size(), budget);
}

TEST(TuneReplay, RuledOutAndMissingConfigurationsDoNotCount) {
  std::vector<Record> records = {record_of(4, 10), record_of(8, 20, true), record_of(12, 15), record_of(6, 5)};
  records[3].invalidity = Invalidity::constraints;
  records.push_back(final_record(8, 3, 0));
  const RecordedSpace space(records);
  EXPECT_EQ(space.measured(), 3U);
  EXPECT_DOUBLE_EQ(space.optimum(), 20);
  const auto best = replayed(space, "exhaustive", 1, false);
  ASSERT_TRUE(best);
  EXPECT_EQ(*best, (std::vector<double>{10, 20, 20}));
  const auto from_model = replayed(space, "exhaustive", 1, true);
  EXPECT_EQ(*from_model, (std::vector<double>{20, 20, 20}));
}

TEST(TuneReplay, ManyValuesOfManyParametersAreNoRecordingOfASearch) {
  std::vector<Record> records(60, record_of(4, 10));
  for (std::size_t i = 0; i < records.size(); ++i)
    for (int parameter = 0; parameter < 12; ++parameter)
      records[i].configuration["p" + std::to_string(parameter)] = static_cast<std::int64_t>(i);
  const auto best = replayed(RecordedSpace(records), "local", 1, false);
  ASSERT_FALSE(best);
  EXPECT_NE(best.error().message.find("no recording of one search"), std::string::npos);
}

// The shipped recording: every candidate of dna-global-affine, measured.
class Recorded : public ::testing::Test {
 protected:
  void SetUp() override {
    auto recording = read_recording(RECORDING);
    ASSERT_TRUE(recording) << recording.error().message;
    space_.emplace(recording->records);
    ASSERT_GE(space_->measured(), 180U);
    quarter_ = static_cast<std::size_t>(std::ceil(0.25 * static_cast<double>(space_->measured())));
  }
  // Sorted shares of the optimum that 50 seeds reach within a quarter of the evaluations.
  std::vector<double> reached(const std::string &strategy, bool from_model) const {
    std::vector<double> shares;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const auto best = replayed(*space_, strategy, seed, from_model);
      EXPECT_TRUE(best);
      shares.push_back((*best)[std::min(quarter_, best->size()) - 1] / space_->optimum());
    }
    std::sort(shares.begin(), shares.end());
    return shares;
  }
  // How many evaluations `strategy` takes for 97 % of the optimum: the mean over 50 seeds.
  double needed(const std::string &strategy, bool from_model) const {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const auto best = replayed(*space_, strategy, seed, from_model);
      const auto at = std::find_if(best->begin(), best->end(), [&](double v) { return v >= 0.97 * space_->optimum(); });
      sum += static_cast<double>(at - best->begin()) + 1;
    }
    return sum / 50;
  }
  std::optional<RecordedSpace> space_;
  std::size_t quarter_ = 0;
};

TEST_F(Recorded, LocalSearchReaches97PercentWithinAQuarter) {
  for (const bool from_model : {true, false}) {
    const auto shares = reached("local", from_model);
    EXPECT_GE(shares[25], 0.97) << from_model;
    RecordProperty(from_model ? "worst_from_model" : "worst", std::to_string(shares.front()));
  }
}

// Both begin without knowing the planner's choice, which is near the optimum of this recording.
TEST_F(Recorded, LocalSearchIsBetterThanRandom) {
  const auto local = reached("local", false), random = reached("random", false);
  EXPECT_GT(local[25], random[25]);
  EXPECT_GT(std::accumulate(local.begin(), local.end(), 0.0), std::accumulate(random.begin(), random.end(), 0.0));
  EXPECT_LT(needed("local", false), needed("random", false));
}

}  // namespace
}  // namespace alnsmith::tool::tune
