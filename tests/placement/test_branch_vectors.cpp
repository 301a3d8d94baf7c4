// Ancestral vectors: PaPaRa's own, and what does not depend on how they are computed.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace alnsmith::placement
