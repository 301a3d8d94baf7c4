// What is measured: tasks (alignment type, scoring) on batches of pairs, all from fixed seeds.
//
// A case is one task on one batch; every contender runs every case that it can.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.h"
#include "pairs.h"
#include "peer.h"

namespace bench {

struct Case {
  std::string name;  // "global affine 1+L, 150 bp"
  std::string key;   // "global-affine-1-1-150", for filters and the JSON
  std::string spec;  // YAML for alnsmith
  peer_task task;
  Batch batch;
  std::string matrix_file = {};  // where the task has a matrix
};

struct Sizes {
  std::uint64_t cells = 400'000'000;  // of a DNA case of 150 letters; a protein query meets the whole subset
  std::uint32_t seed = 1;
};

// DNA cases at 150 and 512 bp; each of some reads with each of some targets, from one query to one target; ragged and
// equal real reads; protein search; whole alignments (their keys begin
// with "cigar"); one long pair ("long"). Without the data folder the pairs
// are cut from a random genome, and the cases that need real sequences are left out.
std::vector<Case> all_cases(const std::optional<std::string> &data, const Sizes &sizes, std::string_view filter);

// The spec that means `task`, in the shipped schema; with `arithmetic` where that is to be another than the planner's.
std::string spec_text(const peer_task &task, const std::string &arithmetic = {});

// Some pairs of the batch scored by the textbook DP; the same places for every contender.
struct OracleSample {
  std::vector<std::size_t> places;
  std::vector<long> scores;
  std::size_t differing(const std::vector<int> &batch_scores) const;
};
OracleSample oracle_sample(const Case &one, const std::optional<std::string> &data);

oracle::Problem problem(const peer_task &task, const std::optional<std::string> &data);

}  // namespace bench
