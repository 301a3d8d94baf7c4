// Which hits are reported: held to the cut before and after composition, without E where letters give none.
#include <gtest/gtest.h>

#include <string>

#include "alnsmith/significance.hpp"
#include "statistics_scorings.h"

namespace alnsmith::search {
namespace {

const std::string kUsual = "MKVLAAGIVGLCAKAYELDRWQPNSTHFYEERKDLIVAGG",
                  kBiased = "MKVEAKIEGLKEKAEELERKEPKSTHEYEEKKDLEKAGGS",
                  kRepeated(40, 'Q');  // beside itself its mean score is 5: there is no lambda
// Next to nothing of one scores with the other, so that the ratio would be above 1.
const std::string kGreasy = "LLIIVVFFMMLLIIVVFFMMLLIIVVFFMMLLIIVVFFDE",
                  kCharged = "DDEEKKRRNNDDEEKKRRNNDDEEKKRRNNDDEEKKRRLI";

class QuerysHits : public ::testing::Test {
 protected:
  // With a database of a million letters.
  QuerySignificance judge(double cut, std::size_t strands = 1) const {
    return {statistics_, &composition_, kLetters, strands, cut};
  }
  double expected(double ratio, std::uint64_t letters = kLetters) const {
    return expected_hits(statistics_, kScore, ratio, kUsual.size(), kUsual.size(), letters);
  }
  double ratio(const std::string &query, const std::string &target) const {
    return *composition_.ratio(composition_.count(query), composition_.count(target));
  }

  static constexpr std::uint64_t kLetters = 1000000;
  static constexpr std::int32_t kScore = 50;
  const Found hit_{.number = 0, .score = kScore, .strand = Strand::plus};
  const ScoringSystem scoring_ = test::protein_scoring("BLOSUM62", 11, 1);
  const Statistics statistics_ = *tabulated(scoring_);
  const Composition composition_{scoring_, Frequencies::standard(scoring_)};
};

TEST_F(QuerysHits, ARatioOf1ChangesNothing) {
  ASSERT_EQ(ratio(kGreasy, kCharged), 1);
  const auto found = judge(expected(1)).of(hit_, kGreasy, kCharged);
  ASSERT_TRUE(found && found->evalue && found->bits);
  EXPECT_EQ(*found->evalue, expected(1));
  EXPECT_EQ(*found->bits, bit_score(statistics_, kScore, 1));
  EXPECT_FALSE(judge(expected(1) * 0.999).of(hit_, kGreasy, kCharged));
}

TEST_F(QuerysHits, EIsHeldToTheCutWithTheRatioToo) {
  const double own = ratio(kBiased, kBiased);
  ASSERT_GT(expected(own), 2 * expected(1));
  const auto found = judge(expected(own)).of(hit_, kBiased, kBiased);
  ASSERT_TRUE(found && found->evalue && found->bits);
  EXPECT_EQ(*found->evalue, expected(own));
  EXPECT_EQ(*found->bits, bit_score(statistics_, kScore, own));
  EXPECT_FALSE(judge(2 * expected(1)).of(hit_, kBiased, kBiased));  // though it would do without the ratio
}

TEST_F(QuerysHits, WithoutAnEThatOfUsualLettersIsHeldToTheCut) {
  const auto found = judge(expected(1)).of(hit_, kRepeated, kRepeated);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->evalue);
  EXPECT_FALSE(found->bits);
  EXPECT_FALSE(judge(expected(1) * 0.999).of(hit_, kRepeated, kRepeated));
}

TEST_F(QuerysHits, WithoutCompositionAllLettersAreUsual) {
  for (const std::string &letters : {kBiased, kRepeated}) {
    const auto found = QuerySignificance(statistics_, nullptr, kLetters, 1, 10).of(hit_, letters, letters);
    ASSERT_TRUE(found && found->evalue);
    EXPECT_EQ(*found->evalue, expected(1));
  }
}

TEST_F(QuerysHits, ChanceHasATryForEachStrand) {
  EXPECT_EQ(*judge(10, 2).of(hit_, kGreasy, kCharged)->evalue, expected(1, 2 * kLetters));
  EXPECT_FALSE(judge(expected(1), 2).of(hit_, kGreasy, kCharged));
}

TEST_F(QuerysHits, StrandsHaveLettersOfTheirOwn) {
  Found minus = hit_;
  minus.strand = Strand::minus;
  QuerySignificance both = judge(1e9);
  EXPECT_EQ(*both.of(hit_, kUsual, kBiased)->evalue, expected(ratio(kUsual, kBiased)));
  EXPECT_EQ(*both.of(minus, kBiased, kBiased)->evalue, expected(ratio(kBiased, kBiased)));
  EXPECT_EQ(*both.of(hit_, kUsual, kBiased)->evalue, expected(ratio(kUsual, kBiased)));
}

}  // namespace
}  // namespace alnsmith::search
