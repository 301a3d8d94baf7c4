// The best branches of reads in a tree: the rows of `alnsmith place`'s reads.tsv. Reads come from stdin, "name
// letters", one per line; the kernels are inside the program.
#include <alnsmith/branch_vectors.hpp>
#include <alnsmith/placement.hpp>
#include <alnsmith/placement_aligner.hpp>
#include <alnsmith/placement_report.hpp>
#include <alnsmith/placement_tree.hpp>
#include <alnsmith/reference_alignment.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

#include "paths.kernels.h"
#include "scores.kernels.h"

namespace {
using namespace alnsmith;

int fail(const Error &error) {
  std::cerr << "branches: " << error.message << "\n";
  return error.exit_code;
}

std::string text_of(const char *path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What scores.yaml says; letters of several bases are left out.
placement::StateAlphabet dna() {
  return placement::StateAlphabet::of(
      "dna", 4, {{'A', 1}, {'C', 2}, {'G', 4}, {'T', 8}, {'U', 8}, {'N', 15}, {'-', 15}, {'.', 15}});
}
}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return fail({"usage: branches TREE.nwk REFERENCE.phy <READS", 2});
  const auto tree = placement::Tree::read(text_of(argv[1]), argv[1]);
  if (!tree) return fail(tree.error());
  const auto references = placement::read_phylip(text_of(argv[2]), argv[2]);
  if (!references) return fail(references.error());
  const placement::StateAlphabet alphabet = dna();
  if (const auto ok = placement::check_alignment(*references, alphabet, argv[2]); !ok) return fail(ok.error());
  const auto rows = placement::match_names(*tree, argv[1], *references, argv[2]);
  if (!rows) return fail(rows.error());
  const auto vectors = placement::BranchVectors::compute(*tree, *references, *rows, alphabet,
                                                         {placement::FlagRule::probability, 1u << 30, 1});
  if (!vectors) return fail(vectors.error());

  const auto scores = Aligner::open_linked(alnsmith_kernels_scores);
  if (!scores) return fail(scores.error());
  const auto paths = Aligner::open_linked(alnsmith_kernels_paths);
  if (!paths) return fail(paths.error());
  placement::SpecAligner aligner(*scores, *paths, false, {}, {});
  std::vector<placement::Read> reads;
  for (placement::Read read; std::cin >> read.name >> read.letters;) reads.push_back(read);
  const auto placed = placement::place(reads, *vectors, aligner, {});
  if (!placed) return fail(placed.error());
  std::cout << placement::table_header();
  for (const placement::PlacedRead &read : *placed) std::cout << placement::table_row(read);
  return 0;
}
