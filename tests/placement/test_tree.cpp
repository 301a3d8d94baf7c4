// Trees as they are read: which branches there are, what is changed, what is refused.
#include <gtest/gtest.h>

#include <random>

#include "alnsmith/placement_tree.hpp"
#include "mutated.h"

namespace alnsmith::placement {
namespace {

Tree tree(const std::string &text) {
  const Result<Tree> read = Tree::read(text, "t.nwk");
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}

std::string error(const std::string &text) {
  const Result<Tree> read = Tree::read(text, "t.nwk");
  return read ? "" : read.error().message;
}

TEST(Tree, BranchesStandInPostOrderWithTheirNumbers) {
  const Tree t = tree("((A:1,B:2)x:3,C:4,D:5);");
  EXPECT_EQ(t.branches(), 5u);
  EXPECT_EQ(t.with_branch_numbers(), "((A:1{0},B:2{1})x:3{2},C:4{3},D:5{4});");
  EXPECT_EQ(t.smaller_side(2), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(t.warnings().empty());
}

TEST(Tree, TwoBranchesAtTheRootAreOneThatCountsWhereTheFirstDoes) {
  EXPECT_EQ(tree("((A:1,B:1):2,(C:1,D:1):3);").with_branch_numbers(), "((A:1{0},B:1{1}):5{2},C:1{3},D:1{4});");
  EXPECT_EQ(tree("((A:1,B:1):2,C:3);").with_branch_numbers(), "(A:1{0},B:1{1},C:5{2});");
  EXPECT_EQ(tree("(C:3,(A:1,B:1):2);").with_branch_numbers(), "(C:5{0},A:1{1},B:1{2});");
  // Half a length is none.
  EXPECT_FALSE(tree("((A:1,B:1):2,(C:1,D:1));").nodes()[2].length);
  EXPECT_FALSE(tree("(C:3,(A:1,B:1));").nodes()[0].length);
  EXPECT_FALSE(tree("(((A:1),B:1):1,C:1,D:1);").nodes()[0].length) << "of one child";
}

TEST(Tree, PolytomiesAreResolvedByBranchesOfLengthZeroAndSaid) {
  const Tree t = tree("(A:1,B:1,(C:1,D:1,E:1,F:1):2);");
  EXPECT_EQ(t.with_branch_numbers(), "(A:1{0},B:1{1},(((C:1{2},D:1{3}):0{4},E:1{5}):0{6},F:1{7}):2{8});");
  ASSERT_EQ(t.warnings().size(), 1u);
  EXPECT_EQ(t.warnings()[0], "t.nwk: nodes of more than two children: resolved by 2 branches of length 0");
  EXPECT_EQ(tree("(A,B,C,D,E);").branches(), 7u);
}

TEST(Tree, NodesOfOneChildAreLeftOutAndSaid) {
  const Tree t = tree("(((A:1):2,B:1):1,C:1,D:1);");
  EXPECT_EQ(t.with_branch_numbers(), "((A:3{0},B:1{1}):1{2},C:1{3},D:1{4});");
  ASSERT_EQ(t.warnings().size(), 1u);
  EXPECT_NE(t.warnings()[0].find("one child"), std::string::npos);
  EXPECT_EQ(tree("((A:1,B:1,C:1):7);").branches(), 3u);
}

TEST(Tree, NamesStandAsInTheFile) {
  const Tree t = tree("[tree 1] ('it''s (a) tip':1e-2, a_b:.5 ,\n\tC[note]);\n;\n");
  EXPECT_EQ(t.nodes()[0].label, "it's (a) tip");
  EXPECT_EQ(t.nodes()[1].label, "a_b");
  EXPECT_FALSE(t.nodes()[2].length);
  EXPECT_EQ(t.with_branch_numbers(), "('it''s (a) tip':0.01{0},a_b:0.5{1},C:0{2});");
}

TEST(Tree, WhatIsNoTreeIsRefusedWithItsPlace) {
  EXPECT_EQ(error(""), "t.nwk: is empty: give a tree in Newick format");
  EXPECT_EQ(error("A,B;"), "t.nwk:1:1: a tree in Newick format begins with '(', not with 'A,B;'");
  EXPECT_EQ(error("(A,B,\n(C,D);"), "t.nwk:2:6: the tree ends before all its '(' are closed");
  EXPECT_EQ(error("(A,B,C)"), "t.nwk:1:8: the tree does not end with ';'");
  EXPECT_EQ(error("(A,B),C;"), "t.nwk:1:6: ';' is wanted here, not ','");
  EXPECT_EQ(error("(A(B,C),D,E);"), "t.nwk:1:3: ',' or ')' is wanted here, not '('");
  EXPECT_EQ(error("(A:x,B,C);"), "t.nwk:1:4: a branch length is a number, not 'x': write one, or leave out the ':'");
  EXPECT_EQ(error("(A,,C);"), "t.nwk:1:4: a tip has no name: name it as its row of the alignment");
  EXPECT_EQ(error("(A,B,A);"), "t.nwk:1:6: the tip 'A' is there twice: name each tip once");
  EXPECT_EQ(error("(A,B);"), "t.nwk: the tree has 2 tips, and three are the least: give a larger one");
  EXPECT_EQ(error("(A,B,C);(A,B,C);"), "t.nwk:1:9: more text stands behind the tree's ';': give one tree");
  EXPECT_EQ(error("(A,B,'C);"), "t.nwk:1:6: the name that begins here has no closing quote: add a '");
  EXPECT_EQ(error("(A,B[,C);"), "t.nwk:1:5: the comment that begins here has no ']': close it");
  EXPECT_EQ(error("(A,B,\xff);"), "t.nwk: has bytes that are no UTF-8: save it as UTF-8");
  EXPECT_EQ(error("(A,B,\xe2\x82\xac\xc3\xa9\xf0\x9f\x8c\xb3);"), "");
  EXPECT_EQ(error("(A:1e999,B,C);").substr(0, 24), "t.nwk:1:4: a branch leng");
}

TEST(Tree, DepthTakesNoStack) {
  const std::size_t deep = 200000;
  std::string text;
  for (std::size_t i = 0; i < deep; ++i) text += '(';
  text += "A";
  for (std::size_t i = 0; i < deep; ++i) text += ",t" + std::to_string(i) + ")";
  EXPECT_EQ(tree(text + ";").branches(), 2 * (deep + 1) - 3);
  EXPECT_FALSE(error(std::string(deep, '(')).empty());
}

TEST(Tree, OneThousandMutatedTreesAreReadOrRefused) {
  std::mt19937 random(1);
  const std::string sound = "((S1:0.1,(S2:0.25,'S 3':1e-3)n:0.5)[c]:0.125,((S4,S5):2,S6:1):0.5,S7:0.75);";
  std::size_t refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = mutated(random, "(),:;'[]S1.-e \n", sound, 8 + static_cast<unsigned>(random() % 60));
    const Result<Tree> read = Tree::read(text, "t.nwk");
    refused += !read;
    if (!read) {
      EXPECT_EQ(read.error().message.find('\n'), std::string::npos) << text;
      continue;
    }
    EXPECT_EQ(read->branches(), 2 * read->tips().size() - 3) << text;
    const Result<Tree> again = Tree::read(read->with_branch_numbers(), "t.nwk");
    EXPECT_FALSE(again) << "braces are no Newick";
  }
  EXPECT_GT(refused, 100u);
  EXPECT_LT(refused, 1000u);
}

}  // namespace
}  // namespace alnsmith::placement
