// The statistics of one query from its scores with a whole database: see fit_statistics() in alnsmith/statistics.hpp.
//
// Which scores count follows from the law itself, so cut and fit take turns until the cuts stay. The law is conditional
// on scores below the upper cut: what lies above it, relatives and all, has no part in it.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "alnsmith/statistics.hpp"
#include "area.h"
#include "elementary.h"
#include "likelihood.h"

namespace alnsmith::search {
namespace {

// Scores that more targets reach count as censored.
constexpr double kReachedByMost = 0.5;
// Scores count as long as so many pairs of all reach them by chance, or this part of all where that is fewer.
constexpr double kLeftOutPairs = 10, kLeftOutPart = 0.01;
constexpr std::size_t kFitRounds = 30;
constexpr double kMostScore = 2147483647;
// Of lambda; its error is a hundred times larger and more.
constexpr double kTolerance = 1e-5;
// Above this relative error of lambda an E of 1e-6 may be off by a factor of ten.
constexpr double kLambdaError = 0.15;
// More or fewer high scores than expected, by this factor.
constexpr double kTailFactor = 2;

// The targets of a bin of lengths.
struct Targets {
  double length = 0;          // mean
  std::vector<double> pairs;  // by bin of scores
};

struct Cut {
  std::size_t low, high;  // bins of scores that count: from low to below high
  bool operator==(const Cut &) const = default;
};

std::vector<Targets> targets_of(const ScoreCounts &counts, std::size_t query) {
  std::map<std::size_t, Targets> by_length;
  for (const CountedPairs &one : counts.queries[query]) {
    const std::size_t bin = one.bin / kScoreBins;
    Targets &targets = by_length[bin];
    const CountedTargets &all = counts.targets[bin];
    targets.length = static_cast<double>(all.letters) / static_cast<double>(std::max<std::uint64_t>(all.sequences, 1));
    targets.pairs.resize(kScoreBins);
    targets.pairs[one.bin % kScoreBins] = static_cast<double>(one.pairs);
  }
  std::vector<Targets> out;
  for (auto &[bin, targets] : by_length)
    if (targets.length >= 1) out.push_back(std::move(targets));
  return out;
}

class CountFit {
 public:
  CountFit(const Statistics &reference, std::uint64_t query_length, std::int32_t unit, std::vector<Targets> targets)
      : s_(reference), query_length_(static_cast<double>(query_length)), unit_(unit), targets_(std::move(targets)) {
    s_.method = Method::fit;
    s_.period = unit;
    for (const Targets &some : targets_)
      for (const double pairs : some.pairs) pairs_ += pairs;
  }

  Result<Statistics> run() {
    const Error unlike{"its scores do not fall off as those of unrelated sequences do"};
    if (pairs_ < static_cast<double>(kLeastFitted))
      return Error{"it has scores with " + std::to_string(static_cast<std::uint64_t>(pairs_)) +
                   " targets, and a fit needs " + std::to_string(kLeastFitted)};
    // Where the cuts go to and fro between neighbouring scores, any of them will do.
    std::vector<std::vector<Cut>> seen;
    std::vector<Cut> cuts = cuts_now();
    while (std::ranges::find(seen, cuts) == seen.end()) {
      if (seen.size() == kFitRounds) return unlike;
      seen.push_back(cuts);
      const Fit fit = Likelihood(s_, strata(cuts)).fit(s_.lambda, logarithm(s_.k), kTolerance, s_);
      if (!fit.done || !std::isfinite(s_.lambda) || !std::isfinite(s_.k) || s_.k <= 0) return unlike;
      cuts = cuts_now();
    }
    if (s_.lambda_error > kLambdaError * s_.lambda || tail_is_wrong(cuts)) return unlike;
    s_.source = std::to_string(static_cast<std::uint64_t>(pairs_)) + " scores of the query with the database";
    return s_;
  }

 private:
  double score(std::size_t bin) const { return static_cast<double>(lowest_of_bin(bin)) * unit_; }
  // Of alignments of that score or better, by chance.
  double mean(const Targets &targets, std::size_t bin) const {
    const double y = score(bin);
    return s_.k * exponential(-s_.lambda * y) * start_area(s_, y, query_length_, targets.length);
  }
  // The first bin of scores that at most `part` of the targets reach.
  std::size_t first_bin(const Targets &targets, double part) const {
    std::size_t low = 0, high = kScoreBins - 1;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (one_minus_exponential(mean(targets, middle)) <= part)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  std::vector<Cut> cuts_now() const {
    const double rare = std::min(kLeftOutPairs / pairs_, kLeftOutPart);
    std::vector<Cut> out;
    for (const Targets &targets : targets_)
      out.push_back({std::max<std::size_t>(first_bin(targets, kReachedByMost), 1), first_bin(targets, rare)});
    return out;
  }

  std::vector<Stratum> strata(const std::vector<Cut> &cuts) const {
    std::vector<Stratum> out;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (cuts[i].high <= cuts[i].low) continue;
      Stratum &one = out.emplace_back(Stratum{query_length_, targets_[i].length, true, {}, {0}});
      for (std::size_t bin = 0; bin < cuts[i].low; ++bin) one.counts[0] += targets_[i].pairs[bin];
      for (std::size_t bin = cuts[i].low; bin <= cuts[i].high; ++bin) {
        one.scores.push_back(static_cast<std::int32_t>(std::min(score(bin), kMostScore)));
        one.counts.push_back(bin < cuts[i].high ? targets_[i].pairs[bin] : 0);
      }
    }
    return out;
  }

  // Of the scores that count, the higher half on the scale of lambda y, where E is taken from.
  bool tail_is_wrong(const std::vector<Cut> &cuts) const {
    double expected = 0, found = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      double all = 0;
      for (const double pairs : targets_[i].pairs) all += pairs;
      const std::size_t from = (cuts[i].low + cuts[i].high) / 2;
      expected += all * (one_minus_exponential(mean(targets_[i], from)) -
                         one_minus_exponential(mean(targets_[i], cuts[i].high)));
      for (std::size_t bin = from; bin < cuts[i].high; ++bin) found += targets_[i].pairs[bin];
    }
    const double chance = 3 * std::sqrt(std::max(expected, 1.0));
    return found > kTailFactor * expected + chance || found < expected / kTailFactor - chance;
  }

  Statistics s_;
  double query_length_;
  std::int32_t unit_;
  std::vector<Targets> targets_;
  double pairs_ = 0;
};

}  // namespace

Result<Statistics> fit_statistics(const Statistics &reference, std::uint64_t query_length, const ScoreCounts &counts,
                                  std::size_t query) {
  if (counts.unit <= 0 || query >= counts.queries.size() || counts.targets.size() != kLengthBins)
    return Error{"its scores were not counted", 2};
  return CountFit(reference, query_length, counts.unit, targets_of(counts, query)).run();
}

}  // namespace alnsmith::search
