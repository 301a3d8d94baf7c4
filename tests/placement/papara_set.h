// A set of ../shared/data/papara: references, tree, reads and what PaPaRa 2.5 gave.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alnsmith/branch_vectors.hpp"
#include "alnsmith/placement_tree.hpp"
#include "alnsmith/reference_alignment.hpp"

namespace alnsmith::testing {

struct PaparaSet {
  explicit PaparaSet(const std::string &name);

  std::vector<std::size_t> branch_of_edge() const;  // PaPaRa's edges as branches of our tree
  placement::BranchVectors vectors(placement::FlagRule rule) const;

  std::string folder;
  placement::StateAlphabet alphabet;
  placement::Tree tree;
  placement::ReferenceAlignment alignment;
  std::vector<std::size_t> row_of;
  std::vector<std::pair<std::string, std::string>> reads;  // name and letters: those with golden rows
};

placement::StateAlphabet states(const std::string &base);  // "dna", "protein"
bool have_papara_sets();                                   // whether the large test data are here
std::string file_text(const std::string &path);
std::vector<std::string> words(const std::string &line, char separator = '\t');
std::vector<std::vector<std::string>> table(const std::string &path);  // rows that do not begin with '#'

}  // namespace alnsmith::testing

#define ALNSMITH_NEEDS_PAPARA_SETS() \
  if (!alnsmith::testing::have_papara_sets()) GTEST_SKIP() << "no papara sets: set ALNSMITH_DATA_DIR"
