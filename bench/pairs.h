// Pairs of sequences, all from a generator that the caller seeds: windows of a text and their mutated copies, and some
// that are unrelated; real reads.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "golden.h"

namespace bench {

using Random = std::mt19937;

struct Batch {
  std::vector<std::string> queries, targets;
  bool each = false;  // every query with every target, by query; else the i-th with the i-th
  std::uint64_t cells() const;
  std::size_t pairs() const { return each ? queries.size() * targets.size() : targets.size(); }
  std::string_view query(std::size_t i) const { return queries[each ? i / targets.size() : i]; }
  std::string_view target(std::size_t i) const { return targets[each ? i % targets.size() : i]; }
};

// Of E. coli, or random without the data folder.
std::string genome(const std::optional<std::string> &data, Random &random);

constexpr std::string_view kResidues = "ACDEFGHIKLMNPQRSTVWY";
// The twenty residues of some real proteins, one behind another.
std::string protein_letters(const std::string &data);

// Windows of `text` against their copies with 5 % of errors, every fifth against another's; as many letters as pairs of
// 150 have that are `cells` together, so that the last vector of a batch counts alike whatever the length.
Batch equal_pairs(const std::string &text, std::size_t length, std::uint64_t cells, Random &random);
// So many windows against their own copies, with `errors` in a thousand letters.
Batch related_pairs(const std::string &text, std::string_view letters, std::size_t length, unsigned errors,
                    std::size_t pairs, Random &random);
// `queries` reads with each of `targets` windows that are long enough to hold one; some do.
Batch each_with_each(const std::string &genome, std::size_t queries, std::size_t targets, Random &random);
// Real reads, each against the next of its file, as many times over as the budget of cells allows.
Batch ragged_reads(const std::vector<golden::Record> &reads, std::uint64_t cells);
// The same letters cut into pieces of their mean length: what raggedness costs is the difference.
Batch levelled(const Batch &ragged);

}  // namespace bench
