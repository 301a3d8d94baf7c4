// How pairs are binned: what lanes run through that no pair has.
#include "align/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "align/split.h"
#include "golden.h"
#include "tiny.h"

namespace {

using namespace alnsmith::rt;

struct Lengths {
  std::uint32_t query, target;
};

// Cells that lanes run through, over those of pairs.
double waste(const std::vector<Lengths> &pairs, int lanes, int k) {
  std::vector<align::Item> items;
  double useful = 0;
  for (const Lengths &pair : pairs) {
    items.push_back({items.size(), pair.query, 0, pair.target, 0, 0});
    useful += static_cast<double>(pair.query) * pair.target;
  }
  const auto batches = align::make_batches(items, lanes, k, false);
  double run = 0;
  std::set<std::uint64_t> seen;
  for (const align::Batch &b : batches) {
    std::uint32_t q = 0, t = 0, least_q = UINT32_MAX, least_t = UINT32_MAX;
    for (std::uint32_t i = b.begin; i < b.begin + b.count; ++i) {
      q = std::max<std::uint32_t>(q, items[i].query);
      t = std::max<std::uint32_t>(t, items[i].target);
      least_q = std::min<std::uint32_t>(least_q, items[i].query);
      least_t = std::min<std::uint32_t>(least_t, items[i].target);
      EXPECT_EQ(items[i].query, pairs[items[i].id].query);
      EXPECT_EQ(items[i].target, pairs[items[i].id].target);
      seen.insert(items[i].id);
    }
    EXPECT_EQ(std::tie(b.sides.stream, b.sides.registers), std::tie(q, t));
    EXPECT_EQ(std::tie(b.sides.least_stream, b.sides.least_registers), std::tie(least_q, least_t));
    const auto tile = static_cast<std::uint32_t>(k);
    const std::uint32_t padded = (t + tile - 1) / tile * tile;
    run += static_cast<double>(q) * padded * lanes;
  }
  EXPECT_EQ(seen.size(), pairs.size());
  return run / useful;
}

std::vector<Lengths> drawn(std::size_t count, std::uint32_t least, std::uint32_t most, unsigned seed, bool related) {
  tiny::Random random(seed);
  const auto any = [&] { return least + random.below(most - least + 1); };
  std::vector<Lengths> pairs;
  while (pairs.size() < count) {
    const std::uint32_t query = any();
    pairs.push_back({query, related ? query + random.below(10) : any()});
  }
  return pairs;
}

TEST(Batch, LanesOfABatchHaveNearlyEqualLengths) {
  EXPECT_LT(waste(drawn(100000, 100, 300, 1, false), 32, 8), 1.08);
  EXPECT_LT(waste(drawn(100000, 100, 300, 2, true), 32, 8), 1.07);
  EXPECT_LT(waste(drawn(10000, 70, 150, 3, false), 64, 4), 1.12);
  EXPECT_LT(waste(drawn(32 * 100, 152, 152, 4, false), 32, 8), 1.001);
  EXPECT_LT(waste(drawn(50000, 3000, 9000, 6, false), 32, 1), 1.12);
  EXPECT_LT(waste(drawn(50000, 3000, 9000, 7, false), 32, 3), 1.12);
  EXPECT_GE(waste(drawn(1, 10, 10, 5, false), 32, 8), 1);
}

// 100,000 pairs with the lengths of real reads, in the lanes of each arithmetic: 512 bit-sliced ones are the most.
TEST(Batch, OfRealReadsLessThanATwentiethIsPadding) {
  std::vector<std::string> files = {golden::bundled_dir() + "/emp16S_reads.fasta.gz"};
  if (const auto data = golden::data_dir())
    for (const char *name : {"emp16S_5000", "amplicon18S_biomarks_5000"})
      files.push_back(*data + "/reads/" + name + ".fasta.gz");
  for (const std::string &file : files) {
    const auto reads = golden::read_sequences(file);
    tiny::Random random(11);
    const auto any = [&] { return static_cast<std::uint32_t>(reads[random.below(reads.size())].letters.size()); };
    std::vector<Lengths> pairs;
    while (pairs.size() < 100000) pairs.push_back({any(), any()});
    EXPECT_LT(1 - 1 / waste(pairs, 512, 3), 0.05) << file;
    EXPECT_LT(1 - 1 / waste(pairs, 64, 6), 0.05) << file;
    EXPECT_LT(1 - 1 / waste(pairs, 32, 6), 0.05) << file;
  }
}

// Each batch without those that go alone, and these, take no more than with any other number of its longest.
TEST(Batch, PairsGoAloneWhereThatTakesLeast) {
  tiny::Random random(12);
  unsigned gone = 0, stayed = 0;
  for (int round = 0; round < 400; ++round) {
    kernels::KernelInfo lanes;
    lanes.work = 20 + random.below(100);
    lanes.query_in_registers = random.below(2) != 0;
    const double start = random.below(40000), slope = (1 + random.below(30)) / 100.0;
    const auto cost = [=](const align::Item &item) { return start + slope * item.query * item.target; };
    const auto possible = [](const align::Item &item) { return item.id % 7 != 0; };
    const bool always = round % 10 == 0, fits = round % 10 != 1;
    std::vector<align::Item> items;
    std::vector<align::Batch> batches;
    for (std::uint32_t b = 0; b < 4; ++b) {
      const std::uint32_t count = 1 + random.below(64), spread = 1 + random.below(400);
      batches.push_back({static_cast<std::uint32_t>(items.size()), count, {}});
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t query = 30 + random.below(spread), target = 30 + random.below(spread);
        items.push_back({items.size(), query, 0, target, 0, 0});
      }
      batches.back().sides = align::sides_of(std::span(items).last(count), lanes.query_in_registers);
    }
    const auto box = [&](std::span<const align::Item> part) {
      std::uint32_t query = 0, target = 0;
      for (const align::Item &item : part) {
        query = std::max<std::uint32_t>(query, item.query);
        target = std::max<std::uint32_t>(target, item.target);
      }
      return lanes.work / 100.0 * query * target;
    };
    // Of each batch: what it takes by any number of its longest, all of those possible where they have to go.
    double least = 0;
    for (const align::Batch &batch : batches) {
      std::vector<align::Item> part(items.begin() + batch.begin, items.begin() + batch.begin + batch.count);
      const auto others = std::stable_partition(part.begin(), part.end(), possible);
      const auto cells = [](const align::Item &item) { return std::uint64_t{item.query} * item.target; };
      std::stable_sort(part.begin(), others, [&](const auto &a, const auto &b) { return cells(a) > cells(b); });
      const auto most = static_cast<std::size_t>(others - part.begin());
      double best = -1, alone = 0;
      for (std::size_t n = 0; n <= most; ++n) {
        const double all = alone + box(std::span(part).subspan(n));
        if ((!always && fits) || n == most) best = best < 0 ? all : std::min(best, all);
        if (n < most) alone += cost(part[n]);
      }
      least += best;
    }
    const auto before = items;
    const auto alone =
        align::split_off(items, batches, lanes, cost, always, possible, [=](std::size_t, std::size_t) { return fits; });
    double taken = 0;
    std::set<std::uint64_t> seen;
    for (const std::uint32_t at : alone) {
      EXPECT_TRUE(possible(items[at]));
      taken += cost(items[at]);
      EXPECT_TRUE(seen.insert(items[at].id).second);
    }
    for (const align::Batch &batch : batches) {
      const auto part = std::span(items).subspan(batch.begin, batch.count);
      taken += box(part);
      const align::Sides sides = align::sides_of(part, lanes.query_in_registers);
      EXPECT_EQ(std::tie(batch.sides.registers, batch.sides.stream), std::tie(sides.registers, sides.stream));
      for (const align::Item &item : part) EXPECT_TRUE(seen.insert(item.id).second);
    }
    EXPECT_EQ(seen.size(), before.size());
    EXPECT_NEAR(taken, least, 1e-9 * least) << round;
    gone += alone.size();
    stayed += before.size() - alone.size();
  }
  EXPECT_GT(gone, 1000u);
  EXPECT_GT(stayed, 1000u);
}

// A batch of long pairs beside short ones, which takes as long in lanes as its pairs take alone: of two threads one
// would wait for it, and pairs alone are shared. Where all batches are as large no thread waits.
TEST(SplitOff, PairsOfABatchThatOtherThreadsWaitForGoAlone) {
  kernels::KernelInfo lanes;
  lanes.work = 100;
  lanes.lanes = 64;
  const auto gone = [&](std::uint32_t others, int threads, std::uint32_t large = 4000) {
    std::vector<align::Item> items;
    std::vector<align::Batch> batches;
    for (std::uint32_t b = 0; b < 8; ++b) {
      const std::uint32_t letters = b == 0 ? large : others;
      batches.push_back({static_cast<std::uint32_t>(items.size()), 40, {}});
      for (int i = 0; i < 40; ++i) items.push_back({items.size(), letters, 0, letters, 0, 0});
      batches.back().sides = align::sides_of(std::span(items).last(40), lanes.query_in_registers);
    }
    const auto cost = [](const align::Item &item) { return 1.1 / 40 * item.query * item.target; };
    const auto possible = [](const align::Item &) { return true; };
    const auto fits = [](std::size_t, std::size_t) { return true; };
    const auto alone = align::split_off(items, batches, lanes, cost, false, possible, fits, threads);
    for (const std::uint32_t at : alone) EXPECT_EQ(items[at].query, large);
    return alone.size();
  };
  EXPECT_EQ(gone(400, 1), 0u);
  EXPECT_EQ(gone(400, 2), 40u);
  EXPECT_EQ(gone(4000, 2), 0u);
  EXPECT_EQ(gone(50, 2, 500), 0u);  // too little to wake a thread for
}

// Bit-sliced stages: as few as hold the query, and of several threads as many for each, but of few rows none.
TEST(SplitStages, AreSharedOutAmongThreads) {
  kernels::KernelInfo kernel;
  kernel.form = alnsmith::Form::split;
  kernel.width = 1;
  kernel.lanes = 512;
  kernel.k = 32;
  EXPECT_EQ(align::split_stages(kernel, 100000), 7u);
  EXPECT_EQ(align::split_stages(kernel, 100000, 2), 8u);
  EXPECT_EQ(align::split_stages(kernel, 100000, 3), 9u);
  EXPECT_EQ(align::split_stages(kernel, 100000, 7), 7u);
  EXPECT_EQ(align::split_stages(kernel, 10000, 2), 2u);
  EXPECT_EQ(align::split_stages(kernel, 5000, 8), 2u);  // four rows per lane at least
  EXPECT_EQ(align::split_stages(kernel, 100, 8), 1u);
  kernel.width = 8;
  kernel.lanes = 64;
  kernel.k = 16;
  EXPECT_EQ(align::split_stages(kernel, 5000, 2), 5u);  // others have stages of one size
}

}  // namespace
