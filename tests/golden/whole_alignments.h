// Calls that give whole alignments: pairs to align, aligners over specs given as text, and what a call gave for them.
//
// In: the fields of a spec behind its name; pairs. Out: score, ends, begins and CIGARs, held against the textbook and
// against the checker that knows no recurrence, or against another call byte for byte.
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.h"
#include "scratch.h"
#include "temporary_aligner.h"

namespace golden {

struct PairList {
  std::vector<std::string> queries, targets;

  void add(std::string query, std::string target) {
    queries.push_back(std::move(query));
    targets.push_back(std::move(target));
  }
  std::size_t size() const { return queries.size(); }
  std::vector<std::string_view> query_views() const { return {queries.begin(), queries.end()}; }
  std::vector<std::string_view> target_views() const { return {targets.begin(), targets.end()}; }
};

// `count` pairs of 1 to `longest` letters, related and not, some of two letters only, so that many paths tie.
PairList ragged_pairs(std::mt19937 &random, std::string_view letters, std::size_t count, std::size_t longest);
// Empty sequences, single letters, homopolymers, nothing in common, repeats: what paths at borders and ties are made
// of.
void add_corner_cases(PairList &pairs, std::string_view letters);

// All that a call with every output gives, by pair.
class Alignments {
 public:
  explicit Alignments(std::size_t pairs);
  // `cigars`: else all but these.
  alnsmith::Columns columns(bool cigars = true);
  oracle::Answer answer(std::size_t pair) const;
  std::size_t size() const { return score.size(); }

  std::vector<std::int32_t> score, query_end, target_end, query_begin, target_begin;
  alnsmith::Cigars cigars;
};

// "score 3, query 0 to 4, target 2 to 6, 5M".
std::string shown(const oracle::Answer &answer);
// What the first pair whose answers differ is, and how; empty if all are equal.
std::string difference(const Alignments &got, const Alignments &wanted, const PairList &pairs);

// Kernels of a spec, and the same spec as the oracle takes it.
struct WholeAligner {
  TemporaryAligner aligner;
  alnsmith::Options options;  // of calls
  oracle::Problem problem;

  // All outputs of all pairs; a refusal is thrown.
  Alignments align(const PairList &pairs, alnsmith::Report *report = nullptr) const;
  // What the first wrong answer is: not the textbook's, or with a CIGAR that the checker complains of.
  std::string complaint(const PairList &pairs, const Alignments &got) const;
};

// Specs of an alignment type and a gap model each, as fields behind a spec's name.
inline constexpr const char *kGlobal =
    "alignment: global\ngap: {model: affine, open: 3, extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -3}";
inline constexpr const char *kLocal =
    "alignment: local\ngap: {model: dual_affine, open: 4, extend: 2, open2: 13, extend2: 1}\nalphabet: dna\n"
    "score: {match: 2, mismatch: -4}";
inline constexpr const char *kOverlap =
    "alignment: semiglobal\ngap: {model: linear, extend: 1}\nalphabet: dna\nscore: {match: 1, mismatch: -1}";

// Where kernels come from, and what tests ask of them beside their spec.
struct Making {
  std::string generator;
  std::string choice{};  // as --choice of `alnsmith-generate`
  std::vector<std::string> devices{};
  std::size_t device_memory = 0;  // bytes; 0: what there is
};
// `fields`: of the spec, without version, name and output. Values left to the call are oracle::call_scoring's. A
// refusal is thrown.
WholeAligner open_whole(const std::string &fields, alnsmith::Isa isa, const Making &making,
                        const std::string &output = "[score, end, begin, cigar]");

}  // namespace golden
