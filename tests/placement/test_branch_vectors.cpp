// Ancestral vectors: PaPaRa's own, and what does not depend on how they are computed.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>

#include "papara_set.h"

namespace alnsmith::placement {
namespace {

using alnsmith::testing::PaparaSet;

struct Rule {
  std::string name;
  FlagRule rule;
};

class Vectors : public ::testing::TestWithParam<Rule> {};

TEST_P(Vectors, AreThoseOfPaparaOnEachBranch) {
  ALNSMITH_NEEDS_PAPARA_SETS();
  const PaparaSet set("lacto16s");
  const BranchVectors vectors = set.vectors(GetParam().rule);
  const std::vector<std::size_t> branch_of_edge = set.branch_of_edge();
  const auto rows = testing::table(set.folder + "golden/" + GetParam().name + ".vec.tsv.gz");
  ASSERT_EQ(rows.size(), set.tree.branches());
  std::vector<std::uint32_t> sets(vectors.columns());
  std::vector<std::uint8_t> flags(vectors.columns());
  for (std::size_t edge = 0; edge < rows.size(); ++edge) {
    vectors.expand(branch_of_edge[edge], sets, flags);
    std::string states, flagged;
    for (std::size_t c = 0; c < sets.size(); ++c) {
      states += "0123456789abcdef"[sets[c]];
      flagged += flags[c] ? '1' : '0';
    }
    ASSERT_EQ(states, rows[edge].at(1)) << "edge " << edge;
    ASSERT_EQ(flagged, rows[edge].at(2)) << "edge " << edge;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Vectors,
                         ::testing::Values(Rule{"cgap", FlagRule::cgap}, Rule{"pgap", FlagRule::probability}),
                         [](const auto &rule) { return rule.param.name; });

const Tree small = *Tree::read("(A:0.1,B:0.2,(C:0.3,D:0.4):0.5);", "t.nwk");
const ReferenceAlignment rows{{"A", "B", "C", "D"}, {"A-CG-", "A-CT-", "A-C--", "AT---"}};
constexpr std::size_t row_of[] = {0, 1, 2, 3};

TEST(BranchVectors, ColumnsOfGapsAloneAreLeftOut) {
  const auto vectors =
      BranchVectors::compute(small, rows, row_of, testing::states("dna"), {FlagRule::none, 1 << 20, 1});
  ASSERT_TRUE(vectors);
  EXPECT_EQ(vectors->kept(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// As many as specs may have, and a flag beside them.
TEST(BranchVectors, ThirtyTwoStatesHaveFlagsToo) {
  std::map<char, std::uint32_t> sets{{'-', ~std::uint32_t{0}}};
  for (std::uint32_t i = 0; i < 26; ++i) sets[static_cast<char>('A' + i)] = std::uint32_t{1} << (i + 6);
  const StateAlphabet all = StateAlphabet::of("custom", 32, sets);
  const auto vectors = BranchVectors::compute(small, rows, row_of, all, {FlagRule::cgap, 1 << 20, 1});
  ASSERT_TRUE(vectors) << vectors.error().message;
  const auto dna = BranchVectors::compute(small, rows, row_of, testing::states("dna"), {FlagRule::cgap, 1 << 20, 1});
  constexpr std::array of_letter = {6, 8, 12, 25};  // the states of A, C, G and T
  std::vector<std::uint32_t> got(4), want(4);
  std::vector<std::uint8_t> flags(4), wanted(4);
  for (std::size_t b = 0; b < vectors->branches(); ++b) {
    vectors->expand(b, got, flags);
    dna->expand(b, want, wanted);
    EXPECT_EQ(flags, wanted) << b;
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t state = 0; state < 4; ++state)
        EXPECT_EQ(got[c] >> of_letter[state] & 1, want[c] >> state & 1) << b << " " << c;
  }
}

TEST(BranchVectors, WithoutARuleNothingIsFlagged) {
  const auto vectors =
      BranchVectors::compute(small, rows, row_of, testing::states("dna"), {FlagRule::none, 1 << 20, 1});
  std::vector<std::uint32_t> sets(4);
  std::vector<std::uint8_t> flags(4);
  for (std::size_t b = 0; b < vectors->branches(); ++b) {
    vectors->expand(b, sets, flags);
    EXPECT_EQ(flags, std::vector<std::uint8_t>(4, 0));
  }
}

TEST(BranchVectors, MissingLengthsAreRefusedWhereTheRuleNeedsThem) {
  const Tree tree = *Tree::read("(A:0.1,B,(C:0.3,D:0.4):0.5);", "t.nwk");
  const auto states = testing::states("dna");
  const auto refused = BranchVectors::compute(tree, rows, row_of, states, {FlagRule::probability, 1 << 20, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the tree: 1 of 5 branches have no length, the first that of tip 'B', and gap probabilities need them: "
            "give a tree with "
            "branch lengths, or --flags cgap");
  EXPECT_TRUE(BranchVectors::compute(tree, rows, row_of, states, {FlagRule::cgap, 1 << 20, 1}));
}

TEST(BranchVectors, TooLittleMemoryIsSaid) {
  const auto states = testing::states("dna");
  EXPECT_FALSE(BranchVectors::compute(small, rows, row_of, states, {FlagRule::cgap, 20, 1}));
  EXPECT_FALSE(BranchVectors::compute(small, rows, row_of, states, {FlagRule::cgap, 100, 1}));
}

TEST(BranchVectors, BlocksAndThreadsDoNotShow) {
  ALNSMITH_NEEDS_PAPARA_SETS();
  const PaparaSet set("lacto16s");
  const BranchVectors whole = set.vectors(FlagRule::probability);
  const auto narrow = BranchVectors::compute(set.tree, set.alignment, set.row_of, set.alphabet,
                                             {FlagRule::probability, whole.bytes() + 200000, 3});
  ASSERT_TRUE(narrow) << narrow.error().message;
  std::vector<std::uint32_t> a(whole.columns()), b(a);
  std::vector<std::uint8_t> x(a.size()), y(x);
  for (std::size_t i = 0; i < whole.branches(); ++i) {
    whole.expand(i, a, x);
    narrow->expand(i, b, y);
    ASSERT_EQ(a, b) << i;
    ASSERT_EQ(x, y) << i;
  }
}

}  // namespace
}  // namespace alnsmith::placement
