// Alignments of random sequences: how often each score came, and how long its alignments were.
//
// A pair's letters follow from the seed and its number alone, and sums are taken in the order of the numbers: the
// sample is the same whatever threads, instruction set or device align it.
#pragma once

#include <cstdint>
#include <map>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

// The pairs of one score. Long alignments fit a sequence in fewer places than short ones; a pair's weight makes up for
// that: (places of one letter) / (places of its alignment), on both sides.
struct ScoreBin {
  std::uint64_t pairs = 0;
  double weight = 0;
  double query = 0, target = 0;                      // weighted sums of the letters that alignments span on each side
  double query2 = 0, target2 = 0, query_target = 0;  // of squares and products
  bool operator==(const ScoreBin &) const = default;
};

struct Sample {
  int length = 0;  // of all sequences, letters
  std::uint64_t pairs = 0;
  std::map<std::int32_t, ScoreBin> bins;  // by score
  bool operator==(const Sample &) const = default;

  double mean_score() const;
  // The lowest score that at most `part` of the pairs, 0 to 1, stay below.
  std::int32_t quantile(double part) const;
};

// Which sequences to draw.
struct Draw {
  const ScoringSystem &scoring;
  const Frequencies &frequencies;
  std::uint64_t seed = 0;
  int length = 0;
  std::uint64_t pairs = 0;
};

// Without lengths the aligner's scores alone are asked for, and the bins' sums stay 0. The errors are the aligner's.
Result<Sample> draw_sample(const Draw &draw, bool with_lengths, const Aligner &aligner, const Options &options);

}  // namespace alnsmith::search
