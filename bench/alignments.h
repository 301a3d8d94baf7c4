// What contenders give for a batch, and whether their whole alignments hold.
#pragma once

#include <alnsmith/outputs.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "workload.h"

namespace bench {

// A value for each pair of the batch; all but the scores are for cases of whole alignments.
struct Results {
  std::vector<std::int32_t> scores, query_begins, target_begins;
  alnsmith::Cigars cigars;
};
// Room for all pairs, with scores that nothing has.
Results room_for(const Case &one);

// Prices each pair's CIGAR anew (tests/golden/alignment_check.h) and holds it against the pair's score.
struct Complaints {
  std::size_t pairs = 0;  // that have one
  std::string first;      // "pair 17: the CIGAR scores 12, not 13"
};
Complaints complaints(const Case &one, const oracle::Problem &problem, const Results &results,
                      const std::vector<std::size_t> &places);  // these pairs; all where there are none

}  // namespace bench
