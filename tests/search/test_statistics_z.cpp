// z-values: what shuffles of the target say of a hit, the same whatever else is asked in the call.
#include <gtest/gtest.h>

#include <cmath>

#include "statistics/random.h"
#include "statistics_kernels.h"
#include "statistics_scorings.h"

namespace alnsmith::search {
namespace {

using test::open_local;
using test::protein_scoring;

struct Pair {
  std::string query, target;
};

std::vector<Pair> random_pairs(const ScoringSystem &scoring, std::size_t count) {
  const LetterSource source(scoring.letters, Frequencies::standard(scoring).parts);
  Random random(29);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back({std::string(150, ' '), std::string(100 + 10 * (i % 20), ' ')});
    source.fill(random, pairs.back().query);
    source.fill(random, pairs.back().target);
  }
  return pairs;
}

class Z : public testing::Test {
 protected:
  void SetUp() override { STATISTICS_NEED_KERNELS(); }

  std::vector<ShuffledHit> hits_of(const std::vector<Pair> &pairs, const Aligner &aligner) {
    std::vector<std::string_view> queries, targets;
    for (const Pair &pair : pairs) {
      queries.push_back(pair.query);
      targets.push_back(pair.target);
    }
    std::vector<std::int32_t> scores(pairs.size());
    EXPECT_TRUE(aligner.align_pairs(queries, targets, scores));
    std::vector<ShuffledHit> hits;
    for (std::size_t i = 0; i < pairs.size(); ++i) hits.push_back({queries[i], targets[i], 1000 + i, scores[i]});
    return hits;
  }

  const ScoringSystem scoring_ = protein_scoring("BLOSUM62", 11, 1);
};

TEST_F(Z, UnrelatedPairsStandWhereTheirShufflesDo) {
  const auto aligner = open_local(scoring_, false);
  ASSERT_TRUE(aligner) << aligner.error().message;
  const std::vector<Pair> pairs = random_pairs(scoring_, 400);
  const auto z = z_values(hits_of(pairs, **aligner), 100, false, **aligner);
  ASSERT_TRUE(z) << z.error().message;
  double sum = 0, squares = 0;
  for (const auto &one : *z) {
    ASSERT_TRUE(one);
    sum += *one;
    squares += *one * *one;
  }
  EXPECT_NEAR(sum / 400, 0, 0.15);  // three standard errors
  EXPECT_NEAR(std::sqrt(squares / 400), 1, 0.15);
}

TEST_F(Z, RelatedPairsStandFarAbove) {
  const auto aligner = open_local(scoring_, false);
  ASSERT_TRUE(aligner) << aligner.error().message;
  std::vector<Pair> pairs = random_pairs(scoring_, 3);
  for (Pair &pair : pairs) pair.target.replace(20, 80, pair.query.substr(40, 80));
  const auto z = z_values(hits_of(pairs, **aligner), 200, false, **aligner);
  ASSERT_TRUE(z);
  for (const auto &one : *z) EXPECT_GT(one.value_or(0), 20);
}

TEST_F(Z, AHitHasItsOwnShuffles) {
  const auto aligner = open_local(scoring_, false);
  ASSERT_TRUE(aligner) << aligner.error().message;
  const std::vector<Pair> pairs = random_pairs(scoring_, 30);
  std::vector<ShuffledHit> hits = hits_of(pairs, **aligner);
  const auto all = z_values(hits, 60, false, **aligner);
  ASSERT_TRUE(all);
  for (std::size_t i = 0; i < hits.size(); ++i)  // alone, as another shard asks for it
    EXPECT_EQ((*z_values(std::span(hits).subspan(i, 1), 60, false, **aligner))[0], (*all)[i]);
  hits[0].target_number += 1;
  EXPECT_NE((*z_values(std::span(hits).first(1), 60, false, **aligner))[0], (*all)[0]);
  const auto turned = z_values(std::span(hits).subspan(1, 1), 60, true, **aligner);
  EXPECT_EQ(*(*turned)[0], -*(*all)[1]);
}

TEST_F(Z, NothingWhereShufflesAreAlike) {
  const auto aligner = open_local(scoring_, false);
  ASSERT_TRUE(aligner) << aligner.error().message;
  const ShuffledHit hits[] = {{"MKVLA", "AAAAAAAA", 1, 4}};
  EXPECT_FALSE((*z_values(hits, 50, false, **aligner))[0]);
  EXPECT_TRUE(z_values({}, 50, false, **aligner)->empty());
  const auto few = z_values(hits, 1, false, **aligner);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().exit_code, 2);
}

}  // namespace
}  // namespace alnsmith::search
