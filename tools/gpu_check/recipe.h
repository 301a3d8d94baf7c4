// Sets of sequences to score: stored ones, or mutated copies of stored ones where many are wanted.
//
// In:  a recipe and the folder's stored sequences. Out: pairs, or queries and targets; the same on every machine. All
//      mutated copies differ: a set for timing must not score the same pair again and again.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sequences.h"

namespace alnsmith::check {

struct Recipe {
  std::string kind;  // stored: as they are; windows: pairs cut from a genome; proteins: queries, many targets
  std::string source, queries;                  // stored lists; `queries` for kinds stored and proteins
  std::uint64_t count = 0;                      // of pairs, or of targets
  std::uint32_t shortest = 0, longest = 0;      // windows; between the two lengths are log-uniform
  int substituted = 0, inserted = 0, lost = 0;  // of 1,000 letters
  int unrelated = 0;                            // each n-th pair is; 0: none
  bool level = false;                           // windows: query as long as target
  std::uint32_t read = 0;                       // windows: letters of a query, from inside its target; 0: about all
  std::uint64_t seed = 1;
};

struct SequenceSet {
  SequenceList queries, targets;
};

using Stored = std::map<std::string, SequenceList>;

// With as many threads as there are.
Result<SequenceSet> make_set(const Recipe &recipe, const Stored &stored);

}  // namespace alnsmith::check
