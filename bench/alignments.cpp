// See alignments.h.
#include "alignments.h"

#include "alignment_check.h"

namespace bench {

Results room_for(const Case &one) {
  Results results;
  results.scores.assign(one.batch.pairs(), -999999);
  if (one.task.cigar) {
    results.query_begins = results.target_begins = results.scores;
    results.cigars.reset(one.batch.pairs());
  }
  return results;
}

Complaints complaints(const Case &one, const oracle::Problem &problem, const Results &results,
                      const std::vector<std::size_t> &places) {
  Complaints found;
  for (std::size_t i = 0; i < (places.empty() ? one.batch.pairs() : places.size()); ++i) {
    const std::size_t pair = places.empty() ? i : places[i];
    oracle::Answer answer;
    answer.score = results.scores[pair];
    answer.cigar = golden::runs_of(results.cigars[pair]);
    if (!answer.cigar.empty()) {
      answer.query_begin = results.query_begins[pair];
      answer.target_begin = results.target_begins[pair];
      long query = 0, target = 0;
      for (const auto &[op, length] : answer.cigar) {
        if (op != 'D') query += length;
        if (op != 'I') target += length;
      }
      answer.query_end = answer.query_begin + query - 1;
      answer.target_end = answer.target_begin + target - 1;
    }
    const std::string wrong = golden::complaint(problem, one.batch.query(pair), one.batch.target(pair), answer);
    if (wrong.empty()) continue;
    if (found.pairs++ == 0) found.first = "pair " + std::to_string(pair) + ": " + wrong;
  }
  return found;
}

}  // namespace bench
