// The grid of specs that the kernels are tested over: every alignment mode x gap model x scoring kind.
//
// Out: for each point a spec's YAML, the oracle's problem, and what a call must bring where scoring is `runtime`.
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "oracle.h"

namespace grid {

struct Case {
  std::string mode, gap, score;  // names for the printed table
  std::string yaml;
  oracle::Problem problem;
  std::string letters;                 // that random sequences draw from
  std::map<std::string, int> runtime;  // by manifest name; may hold more than the spec asks
  std::vector<int> runtime_matrix;     // letters x letters
  bool end = false;                    // the output holds it
  bool cigar = false;                  // and the begin and the way between
  bool flags = false;                  // columns of lower-case letters are flagged
  // What the textbook says of a pair.
  oracle::Answer textbook(const std::string &query, const std::string &target) const;
  std::string name() const { return mode + "/" + gap + "/" + score + (cigar ? "/cigar" : end ? "/end" : ""); }
};

std::vector<std::string> modes();  // global, local and the 15 sets of free ends
// linear, affine, dual affine, and per side; with ALNSMITH_GAP=name that one alone.
std::vector<std::string> gaps();
std::vector<std::string> scores();       // folded and runtime match and matrices, with and without wildcard
std::vector<std::string> lane_scores();  // and those that mapping lanes alone has: state sets, flags, borders and bands
// Whether a point, by its places in modes, gaps and scores, is of a share of the grid. Each of up to five shares has
// every mode with every gap model and every scoring, and every gap model with every scoring; together they have all.
constexpr bool in_share(std::size_t mode, std::size_t gap, std::size_t score, std::size_t share, std::size_t shares) {
  return (mode + gap + score) % shares == share;
}
// `k`: register tile. `end`: the output holds it.
Case make_case(const std::string &mode, const std::string &gap, const std::string &score, int k, bool end = false);

// The case with whole alignments.
Case with_cigar(Case c);
// The case with a band of the matrix.
Case with_band(Case c, int width);
// The case with other gap costs, folded; and costs of one or two lines drawn at random.
Case with_gaps(Case c, const oracle::Gap &insertion, const oracle::Gap &deletion);
oracle::Gap random_gap(std::mt19937 &random, int most_open, int most_extend);

}  // namespace grid
