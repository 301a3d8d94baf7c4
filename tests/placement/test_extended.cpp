// What placed reads look like in files, and blocks as files.
#include <gtest/gtest.h>

#include <fstream>

#include "alnsmith/placement_blocks.hpp"
#include "alnsmith/placement_report.hpp"
#include "scratch.h"

namespace alnsmith::placement {
namespace {

constexpr CigarRun M = 1 << 4, I = 1 << 4 | 1, D = 1 << 4 | 2;
constexpr CigarRun times(CigarRun run, unsigned n) { return (run & 15) | n << 4; }

const Tree tree = *Tree::read("(A:1,B:2,C:3);", "t.nwk");
// Columns 0, 1, 3, 4 of five.
const std::vector<std::uint32_t> kept{0, 1, 3, 4};
const PlacedRead first{{"r1", "ACGT"}, 8, {0, 2}, SecondBest{1, 5}, {D, times(M, 2), I, M}};
const PlacedRead second{{"r2", "GGAAC"}, 3, {0, 1, 2}, std::nullopt, {times(I, 2), times(M, 2), times(D, 2), I}};

TEST(ExtendedAlignment, InsertionsGetColumnsThatAllReadsShare) {
  ExtendedAlignment with(5, kept, true), without(5, kept, false);
  for (ExtendedAlignment *one : {&with, &without}) {
    one->add(first);
    one->add(second);
  }
  // Two columns before the first, one before the last, one behind it.
  EXPECT_EQ(with.width(), 9u);
  EXPECT_EQ(with.reference_row("AC-GT"), "--AC-G-T-");
  EXPECT_EQ(with.read_row(first), "---A-CGT-");
  EXPECT_EQ(with.read_row(second), "GGAA----C");
  EXPECT_EQ(without.width(), 5u);
  EXPECT_EQ(without.reference_row("AC-GT"), "AC-GT");
  EXPECT_EQ(without.read_row(first), "-A-CT");
  EXPECT_EQ(without.read_row(second), "AA---");
}

TEST(PlacementReport, TheTableSaysBestTiesAndSecond) {
  EXPECT_EQ(table_row(first), "r1\t0\t8\t2\t1\t5\n");
  EXPECT_EQ(table_row(second), "r2\t0\t3\t3\t.\t.\n");
}

TEST(PlacementReport, JplaceListsAllBranchesThatTie) {
  EXPECT_EQ(jplace_read(first, tree, false, true),
            "\n    {\"p\": [[0, 8, 0.5, 0.5, 0, -8], [2, 8, 0.5, 1.5, 0, -8]], \"n\": [\"r1\"]}");
  EXPECT_EQ(jplace_read(first, tree, true, false).substr(0, 40), ",\n    {\"p\": [[0, -8, 0.5, 0.5, 0, 8], [2");
}

TEST(PlacementReport, ReadsThatDoNotFitAreFound) {
  EXPECT_TRUE(fits(first, 3, 4));
  EXPECT_FALSE(fits(first, 2, 4));
  EXPECT_FALSE(fits(first, 3, 5));
  PlacedRead bad = first;
  bad.read.letters += 'A';
  EXPECT_FALSE(fits(bad, 3, 4));
  bad = first;
  bad.runs = {D, D, M, M, I, M};
  EXPECT_FALSE(fits(bad, 3, 4)) << "equal neighbours";
}

TEST(WholePath, WhatLiesBeforeAndBehindBecomesRuns) {
  EXPECT_EQ(cigar_text(whole_path(1, std::vector<CigarRun>{times(M, 3), D, D, M}, 0, 2, 4, 9).runs), "2D3M2D1M1D");
  EXPECT_EQ(cigar_text(whole_path(1, std::vector<CigarRun>{times(M, 3)}, 2, 0, 6, 5).runs), "2I3M1I2D");
  EXPECT_EQ(cigar_text(whole_path(1, {}, 0, 0, 2, 3).runs), "2I3D");
}

TEST(BranchTable, TipsAreQuotedWhereANameHasSigns) {
  const Result<Tree> tree = Tree::read("(('A,x':1,'B''s':2):1,C:1,D:1);", "t.nwk");
  ASSERT_TRUE(tree);
  EXPECT_EQ(branch_header() + branch_row(*tree, 0) + branch_row(*tree, 1) + branch_row(*tree, 2) +
                branch_row(*tree, 3) + branch_row(*tree, 4),
            "#branch\tlength\ttips\n0\t1\t'A,x'\n1\t2\t'B''s'\n2\t1\t'A,x','B''s'\n3\t1\tC\n4\t1\tD\n");
}

TEST(RunFolder, BlocksComeBackAsTheyWere) {
  const scratch::Folder folder;
  const RunFolder run(folder.path("out"));
  const RunId id{"1", "spec", "canonical", "cgap", "dna", false, "(A:1,B:2,C:3);", {{"A"}, {"ACGT"}}};
  EXPECT_FALSE(*run.state());
  ASSERT_TRUE(run.set_state({id, 7, "reads", false}));
  const auto state = run.state();
  ASSERT_TRUE(state && *state);
  EXPECT_EQ((*state)->run.hash(), id.hash());
  EXPECT_EQ((*state)->blocks, 7u);
  ASSERT_TRUE(run.write(3, id.hash(), {first, second}));
  EXPECT_TRUE(run.has(3));
  EXPECT_FALSE(run.has(2));
  EXPECT_EQ(*run.read(3, id.hash()), (std::vector<PlacedRead>{first, second}));
  EXPECT_FALSE(run.read(3, std::string(64, 'a'))) << "of another run";
  EXPECT_FALSE(run.read(2, id.hash())) << "not there";
}

TEST(RunFolder, DamagedBlocksAreRefused) {
  const scratch::Folder folder;
  const RunFolder run(folder.path("out"));
  const std::string hash(64, 'a');
  ASSERT_TRUE(run.write(0, hash, {first, second}));
  const std::string path = folder.path("out/blocks/00000001");
  std::ifstream file(path, std::ios::binary);
  const std::string sound{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t i = 0; i < sound.size(); i += 3) {
    std::string text = sound;
    text[i] = static_cast<char>(text[i] ^ 4);
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_FALSE(run.read(0, hash)) << i;
    std::ofstream(path, std::ios::binary) << sound.substr(0, i);
    EXPECT_FALSE(run.read(0, hash)) << i;
  }
}

}  // namespace
}  // namespace alnsmith::placement
