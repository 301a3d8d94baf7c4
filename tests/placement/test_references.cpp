// Alignments of references: PHYLIP as it comes, and what is refused.
#include <gtest/gtest.h>

#include <random>

#include "mutated.h"
#include "papara_set.h"

namespace alnsmith::placement {
namespace {

ReferenceAlignment rows(const std::string &text) {
  const Result<ReferenceAlignment> read = read_phylip(text, "r.phy");
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}

std::string error(const std::string &text) {
  const Result<ReferenceAlignment> read = read_phylip(text, "r.phy");
  if (!read) return read.error().message;
  const Status checked = check_alignment(*read, testing::states("dna"), "r.phy");
  return checked ? "" : checked.error().message;
}

TEST(References, PhylipIsReadSequentialAndInterleaved) {
  const std::vector<std::string> want{"ACGT-A", "AC-TTA"};
  for (const char *text : {"2 6\nfirst ACGT-A\na_longer_name AC-TTA\n", " 2  6 \r\nfirst\tACG T-A\r\n\r\na AC- TTA",
                           "2 6\nfirst ACG\nT-A\na AC-T\nTA\n", "2 6\nfirst ACG\na AC-\n\nT-A\nTTA\n"})
    EXPECT_EQ(rows(text).rows, want) << text;
  EXPECT_TRUE(is_phylip("2 6\nA"));
  EXPECT_FALSE(is_phylip(">2 6\nA"));
  EXPECT_FALSE(is_phylip("2x 6\n"));
}

TEST(References, RowsThatAreNotAsSaidAreNamed) {
  EXPECT_EQ(error("2 4\na ACGT\nb ACG\n"),
            "r.phy:3: row 'b' has 3 letters, and the header says 2 rows of 4 columns: make them equal");
  EXPECT_EQ(error("3 4\na ACGT\nb ACGT\n"),
            "r.phy: the header says 3 rows of 4 columns, and there are 2 lines: mend the header or add the rows");
  EXPECT_EQ(error("0 0\n"), "r.phy: the header says that there is nothing: give rows and columns");
  EXPECT_EQ(error("2 4\na ACGT\na ACGT\n"), "r.phy: row 'a' is there twice: name each row once");
  EXPECT_EQ(error("2 4\na ACGT\nb AEGT\n"),
            "r.phy: row 'b', column 2: 'E' is no letter of dna: mend it, or choose a spec of another alphabet");
  EXPECT_NE(error("18446744073709551615 4\na ACGT\n"), "");
  EXPECT_NE(error("1 18446744073709551615\na ACGT\n"), "");
}

TEST(References, AllNamesThatDoNotMatchAreNamed) {
  const Tree tree = *Tree::read("(A,B,(C,D));", "t.nwk");
  ReferenceAlignment alignment{{"A", "b", "C", "E"}, {"A", "A", "A", "A"}};
  const auto matched = match_names(tree, "t.nwk", alignment, "r.phy");
  ASSERT_FALSE(matched);
  EXPECT_EQ(
      matched.error().message,
      "tips of t.nwk without a row in r.phy: 'B', 'D'; rows of r.phy without a tip in t.nwk: 'b', 'E'. Names must "
      "be the same, letter by letter");
  alignment.names = {"D", "C", "B", "A"};
  EXPECT_EQ(*match_names(tree, "t.nwk", alignment, "r.phy"), (std::vector<std::size_t>{3, 2, 1, 0}));
}

TEST(References, OneThousandMutatedAlignmentsAreReadOrRefused) {
  std::mt19937 random(2);
  const Tree tree = *Tree::read("(A:1,B:1,(C:1,D:1):1);", "t.nwk");
  const std::string sound = "4 8\nA ACGT-ACG\nB ACGTTA-G\nC A--TTACG\nD ACG-TACG\n";
  std::size_t used = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = mutated(random, "ACGT-N?. \n48xBD", sound, 12 + static_cast<unsigned>(random() % 200));
    const Result<ReferenceAlignment> read = read_phylip(text, "r.phy");
    if (!read || !check_alignment(*read, testing::states("dna"), "r.phy")) continue;
    const auto matched = match_names(tree, "t.nwk", *read, "r.phy");
    if (!matched) continue;
    const auto vectors =
        BranchVectors::compute(tree, *read, *matched, testing::states("dna"), {FlagRule::probability, 1 << 20, 1});
    if (!vectors) continue;
    EXPECT_EQ(vectors->branches(), 5u);
    ++used;
  }
  EXPECT_GT(used, 50u);
  EXPECT_LT(used, 1000u);
}

}  // namespace
}  // namespace alnsmith::placement
