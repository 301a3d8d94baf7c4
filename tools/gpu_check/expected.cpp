// See expected.h.
#include "expected.h"

#include <algorithm>

namespace alnsmith::check {

Result<Expected> compute_expected(const Aligner &aligner, const Scoring &scoring, const SequenceSet &set,
                                  ExpectedEntry &entry) {
  Options options;
  options.scoring = scoring;
  for (const OutputInfo &info : kOutputs)
    if (aligner.outputs().contains(info.output)) entry.outputs.emplace_back(info.name);
  const bool whole = aligner.outputs().contains(Output::cigar);
  if (whole) entry.outputs.emplace_back(kCigar.name);
  Expected expected;
  Cigars cigars;
  const auto room = [&](Scores &scores, std::size_t count) {
    Columns columns;
    for (const OutputInfo &info : kOutputs)
      if (aligner.outputs().contains(info.output)) {
        scores[info.output].resize(count);
        columns.set(info.output, scores[info.output]);
      }
    if (whole) columns.set(cigars);
    return columns;
  };
  const auto sum_up = [&](Scores &scores) {
    for (std::size_t pair = 0; whole && pair < cigars.size(); ++pair) {
      CigarSum sum;
      for (const CigarRun run : cigars[pair]) sum.add(run);
      scores[Output::cigar].push_back(sum.value());
    }
  };
  if (entry.pairs > 0) {
    const Columns columns = room(expected.pairs, entry.pairs);
    const auto ran =
        aligner.align_pairs(set.queries.views(0, entry.pairs), set.targets.views(0, entry.pairs), columns, options);
    if (!ran) return ran.error();
    sum_up(expected.pairs);
  }
  if (entry.rows > 0) {
    const Columns columns = room(expected.rows, entry.rows * entry.columns);
    const auto ran =
        aligner.align_all(set.queries.views(0, entry.rows), set.targets.views(0, entry.columns), columns, options);
    if (!ran) return ran.error();
    sum_up(expected.rows);
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
