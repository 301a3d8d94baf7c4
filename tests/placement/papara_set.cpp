// See papara_set.h.
#include "papara_set.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "golden.h"
#include "spec/alphabet.h"

namespace alnsmith::testing {

using namespace placement;

namespace {

template <class T>
T value(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// The same bipartition has the same side: that without the first of all tips.
std::set<std::string> side(std::set<std::string> some, const std::set<std::string> &all) {
  if (!some.contains(*all.begin())) return some;
  std::set<std::string> others;
  std::ranges::set_difference(all, some, std::inserter(others, others.end()));
  return others;
}

}  // namespace

StateAlphabet states(const std::string &base) {
  const spec::Alphabet alphabet = spec::state_set_alphabet(base);
  return StateAlphabet::of(base, alphabet.letters.size(), alphabet.sets);
}

bool have_papara_sets() { return golden::data_dir().has_value(); }

std::string file_text(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> words(const std::string &line, char separator) {
  std::vector<std::string> out;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, separator);) out.push_back(cell);
  return out;
}

std::vector<std::vector<std::string>> table(const std::string &path) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string &line : golden::read_lines(path))
    if (!line.empty() && line[0] != '#') rows.push_back(words(line));
  return rows;
}

PaparaSet::PaparaSet(const std::string &name)
    : folder(golden::data_dir().value() + "/papara/" + name + "/"),
      alphabet(states(name.starts_with("protein") ? "protein" : "dna")) {
  tree = value(Tree::read(file_text(folder + "tree.nwk"), "tree.nwk"));
  alignment = value(read_phylip(file_text(folder + "ref.phy"), "ref.phy"));
  value(check_alignment(alignment, alphabet, "ref.phy"));
  row_of = value(match_names(tree, "tree.nwk", alignment, "ref.phy"));
  for (const golden::Record &read : golden::read_sequences(folder + "query_golden.fasta"))
    reads.emplace_back(read.name, read.letters);
}

std::vector<std::size_t> PaparaSet::branch_of_edge() const {
  std::set<std::string> all;
  for (const int tip : tree.tips()) all.insert(tree.nodes()[static_cast<std::size_t>(tip)].label);
  std::map<std::set<std::string>, std::size_t> branches;
  for (std::size_t b = 0; b < tree.branches(); ++b) {
    const std::vector<std::string> some = tree.smaller_side(b);
    branches[side({some.begin(), some.end()}, all)] = b;
  }
  std::vector<std::size_t> out;
  for (const auto &row : table(folder + "golden/edges.tsv.gz")) {
    const std::vector<std::string> some = words(row.at(3), ',');
    out.push_back(branches.at(side({some.begin(), some.end()}, all)));
  }
  return out;
}

BranchVectors PaparaSet::vectors(FlagRule rule) const {
  return value(BranchVectors::compute(tree, alignment, row_of, alphabet, {rule, std::size_t{1} << 30, 2}));
}

}  // namespace alnsmith::testing
