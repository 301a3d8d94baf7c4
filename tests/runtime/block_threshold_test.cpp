// The threshold between targets that share a warp and targets that have a block each: against all thresholds by brute
// force, against the loop of templates/block.h, and against workers that take sorted targets in turn.
#include "device/schedule/block_threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace {

using namespace alnsmith::rt;
using Lengths = std::vector<std::uint32_t>;

// As an H100 or H200 has them: 132 processors, two blocks of eight warps each, or two of block kernels.
schedule::ThresholdKernel of_lanes(int p, int k) { return {p, k, 1, 132 * 16 * 32.0 / p, 132 * 16 * 32.0 * k}; }
schedule::ThresholdKernel of_blocks(int warps, int k) {
  return {32, k, warps, 132 * 16.0 / warps, 132 * 16 * 32.0 * k};
}

// Lengths as proteins have them, `longest` of 10,000 and more.
Lengths proteins(std::mt19937 &random, int count, int longest) {
  std::lognormal_distribution<double> usual(5.7, 0.7);
  Lengths lengths;
  for (int i = 0; i < count; ++i) lengths.push_back(1 + static_cast<std::uint32_t>(std::min(usual(random), 5000.0)));
  for (int i = 0; i < longest; ++i) lengths.push_back(static_cast<std::uint32_t>(10000 + random() % 30000));
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

std::uint64_t letters(const Lengths &lengths) { return std::accumulate(lengths.begin(), lengths.end(), 0ULL); }

// When the last of so many launches ends. Each begins where the one before the last has ended and the last one's body
// leaves it the device; its longest target ends so long after its body.
double two_slots(std::size_t launches, double body, double longest) {
  double free = 0, ended = 0, before = 0;
  for (; launches > 0; --launches) {
    free = std::max(free, before) + body;
    before = std::exchange(ended, free + longest);
  }
  return ended;
}

// Of launches with the targets from `place` on in blocks, target by target.
double time_by_hand(const Lengths &lengths, std::size_t place, std::uint64_t query, std::size_t launches,
                    const schedule::ThresholdKernel &lanes, const schedule::ThresholdKernel &blocks) {
  double sum[2] = {}, longest[2] = {};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double steps = (i < place ? lanes : blocks).steps(query, lengths[i]);
    sum[i >= place] += steps;
    longest[i >= place] = std::max(longest[i >= place], steps);
  }
  const auto n = static_cast<double>(launches);
  return two_slots(launches, sum[0] / lanes.at_once, longest[0] * (1 - 1 / lanes.at_once)) * lanes.columns +
         (n * sum[1] / blocks.at_once + longest[1] * (1 - 1 / blocks.at_once)) * blocks.columns;
}

TEST(Threshold, IsTheBestOfAll) {
  std::mt19937 random(1);
  int thresholds = 0;
  for (int round = 0; round < 400; ++round) {
    const Lengths lengths = proteins(random, 1 + static_cast<int>(random() % 300), static_cast<int>(random() % 6));
    schedule::ThresholdKernel lanes = of_lanes(4 << random() % 3, 16 << random() % 2);
    schedule::ThresholdKernel blocks = of_blocks(1 << random() % 5, 16);
    lanes.at_once = static_cast<double>(1 + random() % 100);
    blocks.at_once = static_cast<double>(1 + random() % 20);
    lanes.columns = static_cast<double>(1 + random() % 1000);
    blocks.columns = static_cast<double>(1 + random() % 1000);
    const std::uint64_t query = 1 + random() % 6000;
    const std::size_t launches = 1 + random() % 9;
    const auto time = [&](std::size_t place) { return time_by_hand(lengths, place, query, launches, lanes, blocks); };
    double best = time(lengths.size());
    for (std::size_t place = 0; place < lengths.size(); ++place)
      if (place == 0 || lengths[place - 1] < lengths[place]) best = std::min(best, time(place));
    const schedule::Threshold found = find_threshold(lengths, letters(lengths), query, launches, lanes, blocks);
    ASSERT_NEAR(found.time_without, time(lengths.size()), 1e-9 * found.time_without);
    ASSERT_NEAR(found.time, time(found.place), 1e-9 * found.time);
    if (best < (schedule::kWorthAThreshold - 1e-9) * found.time_without) {
      ASSERT_NEAR(found.time, best, 1e-9 * best);
      ASSERT_TRUE(found.place == 0 || lengths[found.place - 1] < lengths[found.place]);
      ++thresholds;
    } else if (best > (schedule::kWorthAThreshold + 1e-9) * found.time_without) {
      ASSERT_EQ(found.place, lengths.size());
    }
  }
  EXPECT_GT(thresholds, 100);
  EXPECT_LT(thresholds, 380);
}

// The steps of run_pipeline, templates/block.h, counted by its loop.
std::uint64_t steps_of_loop(std::uint64_t query, int target, int p, int k, int warps) {
  const int rows = p, steps = target + p - 1;
  const int period = std::max(steps + rows - 1, 2 * warps * rows), lag = 2 * (warps - 1) * rows;
  std::uint64_t count = 0;
  int time = 0;
  for (std::uint64_t first = 0; first < query || time < lag;) {
    count += static_cast<std::uint64_t>(rows);
    time += rows;
    if (time >= period) {
      time = 0;
      first += static_cast<std::uint64_t>(warps * p * k);
    }
  }
  return count;
}

TEST(Threshold, StepsAreThoseOfTheKernels) {
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    const int warps = 2 << random() % 4, k = 4 << random() % 4;
    const schedule::ThresholdKernel blocks = of_blocks(warps, k);
    const int target = 1 + static_cast<int>(random() % 5000);
    const std::uint64_t query = 1 + random() % 20000, strip = static_cast<std::uint64_t>(warps * 32 * k);
    const double half_chunks = 16.0 * static_cast<double>((query + strip - 1) / strip);
    ASSERT_NEAR(blocks.steps(query, target), static_cast<double>(steps_of_loop(query, target, 32, k, warps)),
                half_chunks);
    // Stages one behind another, each of whole chunks.
    const schedule::ThresholdKernel lanes = of_lanes(16, k);
    const auto stages =
        static_cast<double>((query + 16 * static_cast<std::uint64_t>(k) - 1) / (16 * static_cast<std::uint64_t>(k)));
    ASSERT_NEAR(lanes.steps(query, target), stages * ((target + 15 + 15) / 16 * 16), stages * 8);
  }
}

// Steps until the last of `workers` is done, who take the targets of [begin, end) in turn.
double in_turn(const Lengths &lengths, std::size_t begin, std::size_t end, std::uint64_t query,
               const schedule::ThresholdKernel &kernel) {
  std::vector<double> workers(static_cast<std::size_t>(kernel.at_once));
  for (std::size_t i = begin; i < end; ++i) workers[(i - begin) % workers.size()] += kernel.steps(query, lengths[i]);
  return *std::max_element(workers.begin(), workers.end());
}
// The same where the one that is free first takes the longest that is left.
double longest_first(const Lengths &lengths, std::uint64_t query, const schedule::ThresholdKernel &kernel) {
  std::vector<double> workers(static_cast<std::size_t>(kernel.at_once));
  for (std::size_t i = lengths.size(); i-- > 0;)
    *std::min_element(workers.begin(), workers.end()) += kernel.steps(query, lengths[i]);
  return *std::max_element(workers.begin(), workers.end());
}

TEST(Threshold, WorkersTakeWhatIsReckonedAndNoLessThanHalf) {
  std::mt19937 random(3);
  double closest = 0;
  for (int round = 0; round < 300; ++round) {
    const Lengths lengths = proteins(random, 1 + static_cast<int>(random() % 2000), static_cast<int>(random() % 4));
    schedule::ThresholdKernel kernel = of_lanes(8, 16);
    kernel.at_once = static_cast<double>(1 + random() % 300);
    const std::uint64_t query = 1 + random() % 2000;
    const schedule::LaunchTime one = shared_time(lengths.size(), letters(lengths), lengths.back(), query, 1, kernel);
    const double turns = kernel.columns * in_turn(lengths, 0, lengths.size(), query, kernel);
    const double greedy = kernel.columns * longest_first(lengths, query, kernel);
    const double least = std::max(one.work, kernel.columns * kernel.steps(query, lengths.back()));
    for (const double made : {turns, greedy}) {
      ASSERT_GE(made, least * (1 - 1e-9));
      ASSERT_LE(made, one.time * (1 + 1e-9));
    }
    ASSERT_LT(one.time, 2 * least);
    closest = std::max(closest, turns / one.time);
    ASSERT_GT(turns, 0.5 * one.time);
  }
  EXPECT_GT(closest, 0.95);
}

TEST(Threshold, SimulatedSearchesGainWhatTheModelSays) {
  std::mt19937 random(4);
  const schedule::ThresholdKernel lanes = of_lanes(16, 16), blocks = of_blocks(8, 16);
  for (const std::uint64_t query : {567u, 2005u, 5478u}) {
    const Lengths lengths = proteins(random, 40000, 3);
    const schedule::Threshold found = find_threshold(lengths, letters(lengths), query, 1, lanes, blocks);
    ASSERT_LT(found.place, lengths.size());
    const double without = in_turn(lengths, 0, lengths.size(), query, lanes);
    const double with =
        in_turn(lengths, 0, found.place, query, lanes) + in_turn(lengths, found.place, lengths.size(), query, blocks);
    EXPECT_LT(with, 0.8 * without) << query;
    EXPECT_NEAR(with / without, found.time / found.time_without, 0.15) << query;
  }
}

TEST(Threshold, NothingIsGainedWhereNoTargetIsLongForTheOthers) {
  std::mt19937 random(5);
  const schedule::ThresholdKernel lanes = of_lanes(16, 16), blocks = of_blocks(8, 16);
  const auto none = [&](const Lengths &lengths, std::size_t launches) {
    const schedule::Threshold found = find_threshold(lengths, letters(lengths), 500, launches, lanes, blocks);
    return found.place == lengths.size() && found.time == found.time_without;
  };
  EXPECT_TRUE(none({}, 1));
  EXPECT_TRUE(none(Lengths(50000, 300), 1));
  // Nor where a stage holds the query: the block has one row of lanes to give to it too.
  const Lengths three = proteins(random, 40000, 3);
  EXPECT_EQ(schedule::find_threshold(three, letters(three), 250, 1, lanes, blocks).place, three.size());
  const Lengths many = proteins(random, 400000, 1);
  EXPECT_FALSE(none(many, 1));
  EXPECT_TRUE(none(many, 64));  // the others' launches run beside it
}

}  // namespace
