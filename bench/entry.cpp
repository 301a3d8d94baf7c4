// See entry.h.
#include "entry.h"

#include <cstdio>

#include "measure.h"

namespace bench {
namespace {

bool ours(const Entry &entry) { return entry.runner.name == "alnsmith"; }

double gcups(const Case &one, const Entry &entry) {
  return 1e-9 * static_cast<double>(one.batch.cells()) / spread(entry.wall).median;
}

}  // namespace

void compare(const Case &one, const oracle::Problem &exact, const OracleSample &sample, std::vector<Entry> &entries) {
  for (Entry &entry : entries) {
    const std::vector<int> &scores = entry.results.scores, &first = entries[0].results.scores;
    entry.against_oracle = sample.differing(scores);
    for (std::size_t i = 0; i < scores.size(); ++i) entry.against_first += scores[i] != first[i];
    if (entry.runner.cigar) entry.wrong = complaints(one, exact, entry.results, {});
  }
}

bool judge(const Case &one, const oracle::Problem &exact, const OracleSample &sample, const Entry &entry,
           const Entry &first) {
  if (entry.wrong.pairs > 0)
    std::printf("  WRONG: %zu alignments of %s; %s\n", entry.wrong.pairs, entry.runner.name.c_str(),
                entry.wrong.first.c_str());
  const bool aligned = entry.wrong.pairs == 0 || entry.runner.name.find("alnsmith") != 0;
  if (entry.against_oracle + entry.against_first == 0) return aligned;
  const std::vector<int> &scores = entry.results.scores;
  std::printf("  MISMATCH: %s differs from the textbook DP on %zu of %zu sampled pairs, from %s on %zu of %zu\n",
              entry.runner.name.c_str(), entry.against_oracle, sample.places.size(), first.runner.name.c_str(),
              entry.against_first, scores.size());
  bool first_is_right = first.against_oracle == 0;
  int shown = 0;
  for (std::size_t i = 0; i < scores.size() && shown < 4; ++i) {
    if (scores[i] == first.results.scores[i]) continue;
    ++shown;
    const long score = oracle::score(exact, one.batch.query(i), one.batch.target(i));
    std::printf("    pair %zu: textbook DP %ld, %s %d, %s %d\n", i, score, first.runner.name.c_str(),
                first.results.scores[i], entry.runner.name.c_str(), scores[i]);
    first_is_right = first_is_right && first.results.scores[i] == score;
  }
  return first_is_right && ours(first) && aligned;
}

void print_line(const Case &one, const Entry &entry, const Entry &first) {
  const Spread wall = spread(entry.wall);
  std::printf("  %-15s %8.2f GCUPS  median %9.3f ms  quartiles %9.3f .. %9.3f  range %9.3f .. %9.3f  cpu %9.3f",
              entry.runner.name.c_str(), gcups(one, entry), 1e3 * wall.median, 1e3 * wall.low_quartile,
              1e3 * wall.high_quartile, 1e3 * wall.min, 1e3 * wall.max, 1e3 * spread(entry.cpu).median);
  if (ours(first) && !ours(entry))
    std::printf("  alnsmith is %.2fx (cpu %.2fx)", wall.median / spread(first.wall).median,
                spread(entry.cpu).median / spread(first.cpu).median);
  std::printf("  [%s]\n", entry.runner.variant.c_str());
}

std::string json_line(const Case &one, const Entry &entry, const Entry &first) {
  const Spread wall = spread(entry.wall);
  char numbers[640], faster[32] = "null", wrong[32] = "null";  // null where alnsmith did not run; of scores alone
  if (ours(first)) std::snprintf(faster, sizeof faster, "%.4g", wall.median / spread(first.wall).median);
  if (entry.runner.cigar) std::snprintf(wrong, sizeof wrong, "%zu", entry.wrong.pairs);
  std::snprintf(
      numbers, sizeof numbers,
      "\"pairs\":%zu,\"cells\":%.0f,\"repeats\":%zu,\"threads\":1,\"median_seconds\":%.6g,\"min_seconds\":%.6g,"
      "\"max_seconds\":%.6g,\"low_quartile_seconds\":%.6g,\"high_quartile_seconds\":%.6g,\"median_cpu_seconds\":%.6g,"
      "\"median_gcups\":%.4g,\"alnsmith_is_times_faster\":%s,\"differing_from_oracle_sample\":%zu,\"differing_from_"
      "first\":%zu,\"wrong_alignments\":%s",
      one.batch.pairs(), static_cast<double>(one.batch.cells()), entry.wall.size(), wall.median, wall.min, wall.max,
      wall.low_quartile, wall.high_quartile, spread(entry.cpu).median, gcups(one, entry), faster, entry.against_oracle,
      entry.against_first, wrong);
  return "{\"case\":" + json_text(one.key) + ",\"contender\":" + json_text(entry.runner.name) +
         ",\"variant\":" + json_text(entry.runner.variant) + "," + numbers + ",\"cpu\":" + json_text(cpu_name()) +
         ",\"compiler\":" + json_text(compiler()) + "}";
}

}  // namespace bench
