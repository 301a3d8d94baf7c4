// How pairs are binned: what lanes run through that no pair has.
#include "align/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

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
    std::uint32_t q = 0, t = 0;
    for (std::uint32_t i = b.begin; i < b.begin + b.count; ++i) {
      q = std::max<std::uint32_t>(q, items[i].query);
      t = std::max<std::uint32_t>(t, items[i].target);
      seen.insert(items[i].id);
    }
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

}  // namespace
