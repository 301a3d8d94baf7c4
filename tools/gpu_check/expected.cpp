// See expected.h.
#include "expected.h"

#include <algorithm>

namespace alnsmith::check {

Result<Expected> compute_expected(const Aligner &aligner, const Scoring &scoring, const SequenceSet &set,
                                  ExpectedEntry &entry) {
  Options options;
  options.scoring = scoring;
  entry.ends = aligner.has_ends();
  Expected expected;
  const auto room = [&](Scores &scores, std::size_t count) {
    scores.score.resize(count);
    if (entry.ends) {
      scores.query_end.resize(count);
      scores.target_end.resize(count);
    }
    return Ends{scores.query_end, scores.target_end};
  };
  if (entry.pairs > 0) {
    const Ends ends = room(expected.pairs, entry.pairs);
    const auto ran = aligner.align_pairs(set.queries.views(0, entry.pairs), set.targets.views(0, entry.pairs),
                                         expected.pairs.score, options, ends);
    if (!ran) return ran.error();
  }
  if (entry.rows > 0) {
    const Ends ends = room(expected.rows, entry.rows * entry.columns);
    const auto ran = aligner.align_all(set.queries.views(0, entry.rows), set.targets.views(0, entry.columns),
                                       expected.rows.score, options, ends);
    if (!ran) return ran.error();
  }
  return expected;
}

std::uint64_t pairs_within(const SequenceSet &set, double cells) {
  std::uint64_t count = 0;
  const std::size_t most = std::min(set.queries.size(), set.targets.size());
  for (; count < most && cells > 0; ++count)
    cells -= double(set.queries.length(count)) * double(set.targets.length(count));
  return count;
}

}  // namespace alnsmith::check
