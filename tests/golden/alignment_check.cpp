// See alignment_check.h.
#include "alignment_check.h"

#include <algorithm>

namespace golden {
namespace {

using oracle::Answer;
using oracle::Gap;
using oracle::Mode;
using oracle::Problem;
using oracle::Run;

// What a whole gap adds to the score.
long gap_score(const Problem &problem, const Gap &gap, long length) {
  long cost = gap.open + gap.extend * length;
  for (const oracle::Line &line : gap.more) cost = std::min(cost, line.open + line.extend * length);
  return problem.minimize ? cost : -cost;
}

// One side of an alignment: its sequence, and the letters that the alignment is said to cover.
struct Side {
  const char *name;
  char skips;  // the op of its letters against nothing
  std::string_view letters;
  long begin, end;
  bool free_begin, free_end;
  const Gap &gap;

  long length() const { return static_cast<long>(letters.size()); }
  long covered() const { return end - begin + 1; }
  bool at_begin() const { return begin == 0; }
  bool at_end() const { return end == length() - 1; }
};

std::string number(long value) { return std::to_string(value); }

std::string of_runs(const std::vector<Run> &cigar) {
  for (std::size_t i = 0; i < cigar.size(); ++i) {
    const auto &[op, length] = cigar[i];
    const std::string run = "run " + number(static_cast<long>(i)) + " ";
    if (op != 'M' && op != 'I' && op != 'D') return run + "is neither M nor I nor D";
    if (length <= 0) return run + "has " + number(length) + " letters";
    if (i > 0 && cigar[i - 1].op == op) return run + "is " + op + " as the one before it";
  }
  return "";
}

std::string of_nothing(const Problem &problem, const Side &query, const Side &target, const Answer &a) {
  if (a.query_begin != -1 || a.target_begin != -1 || a.query_end != -1 || a.target_end != -1)
    return "nothing is aligned, but not all begins and ends are -1";
  if (!a.cigar.empty()) return "nothing is aligned, but there is a CIGAR";
  long score = 0;
  if (problem.mode != Mode::local && query.length() > 0 && target.length() > 0)
    return "nothing is aligned, though both sequences have letters";
  for (const Side *side : {&query, &target})
    if (problem.mode != Mode::local && side->length() > 0 && !side->free_begin && !side->free_end)
      score = gap_score(problem, side->gap, side->length());
  return a.score == score ? "" : "nothing is aligned, which scores " + number(score) + ", not " + number(a.score);
}

std::string of_lengths(const Side &side, const std::vector<Run> &cigar) {
  if (side.begin < 0 || side.begin > side.length() || side.end < 0 || side.end >= side.length() || side.covered() < 0)
    return std::string("no letters of the ") + side.name + ": " + number(side.begin) + " to " + number(side.end);
  long taken = 0;
  for (const Run &run : cigar)
    if (run.op == 'M' || run.op == side.skips) taken += run.length;
  if (taken == side.covered()) return "";
  return "the CIGAR takes " + number(taken) + " letters of the " + side.name + ", from " + number(side.begin) + " to " +
         number(side.end) + " are " + number(side.covered());
}

// An alignment that is not local begins at a border of the matrix and ends at one, in a corner unless ends are free.
std::string of_borders(const Side &side, const Side &other, const std::vector<Run> &cigar) {
  const std::string name(side.name);
  if (!side.at_begin() && !side.free_begin) return "the " + name + "'s begin is not free";
  if (!side.at_end() && !side.free_end) return "the " + name + "'s end is not free";
  if (!side.at_begin() && !other.at_begin()) return "the alignment begins at no border";
  if (!side.at_end() && !other.at_end()) return "the alignment ends at no border";
  if (side.free_begin && other.at_begin() && cigar.front().op == side.skips)
    return "the first run is a gap at the " + name + "'s begin, which is free";
  // An end has letters of both sequences before it, so that a gap of all letters cannot be left out.
  if (side.free_end && other.at_end() && cigar.back().op == side.skips && side.end + 1 > cigar.back().length)
    return "the last run is a gap at the " + name + "'s end, which is free";
  return "";
}

// What each column pair and each gap adds to the score.
std::vector<long> prices(const Problem &problem, const Side &query, const Side &target, const std::vector<Run> &cigar) {
  const oracle::Substitution &table = problem.substitution;
  std::vector<long> prices;
  auto i = static_cast<std::size_t>(query.begin), j = static_cast<std::size_t>(target.begin);
  for (const auto &[op, length] : cigar) {
    if (op != 'M') {
      prices.push_back(gap_score(problem, op == 'I' ? query.gap : target.gap, length));
      (op == 'I' ? i : j) += static_cast<std::size_t>(length);
      continue;
    }
    for (long n = 0; n < length; ++n)
      prices.push_back(table.score(table.code(query.letters[i++]), table.code(target.letters[j++])));
  }
  return prices;
}

// A part at either end that scores nothing would have been left out.
std::string of_parts(const std::vector<long> &prices, long score) {
  long before = 0;
  for (std::size_t n = 0; n + 1 < prices.size(); ++n) {
    before += prices[n];
    if (before <= 0) return "a local alignment scores " + number(before) + " up to a column in it";
    if (score <= before) return "a local alignment scores " + number(score - before) + " behind a column in it";
  }
  return "";
}

}  // namespace

std::string complaint(const Problem &problem, std::string_view query_letters, std::string_view target_letters,
                      const Answer &a) {
  const oracle::FreeEnds free = problem.mode == Mode::semiglobal ? problem.free : oracle::FreeEnds{};
  const Side query{"query",          'I', query_letters, a.query_begin, a.query_end, free.query_begin, free.query_end,
                   problem.insertion};
  const Side target{
      "target",        'D', target_letters, a.target_begin, a.target_end, free.target_begin, free.target_end,
      problem.deletion};
  if (a.query_end == -1 || a.target_end == -1) return of_nothing(problem, query, target, a);
  if (a.cigar.empty()) return "there is no CIGAR";
  if (const std::string wrong = of_runs(a.cigar); !wrong.empty()) return wrong;
  for (const Side *side : {&query, &target})
    if (const std::string wrong = of_lengths(*side, a.cigar); !wrong.empty()) return wrong;
  const std::vector<long> parts = prices(problem, query, target, a.cigar);
  long score = 0;
  for (const long part : parts) score += part;
  if (score != a.score) return "the CIGAR scores " + number(score) + ", not " + number(a.score);
  if (problem.mode == Mode::local) {
    if (score <= 0) return "a local alignment scores " + number(score);
    return of_parts(parts, score);
  }
  if (const std::string wrong = of_borders(query, target, a.cigar); !wrong.empty()) return wrong;
  return of_borders(target, query, a.cigar);
}

std::vector<Run> runs_of(std::span<const std::uint32_t> cigar) {
  std::vector<Run> runs;
  for (const std::uint32_t run : cigar) runs.push_back({"MID?"[std::min(run & 15u, 3u)], static_cast<long>(run >> 4)});
  return runs;
}

}  // namespace golden
