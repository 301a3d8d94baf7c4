// See statistics_bits.h.
#include "statistics_bits.h"

#include <bit>
#include <cmath>
#include <map>

#include "alnsmith/statistics.hpp"
#include "statistics/area.h"
#include "statistics/elementary.h"
#include "statistics/fit.h"
#include "statistics/random.h"

namespace alnsmith::test {
namespace {

using namespace alnsmith::search;

class Hash {
 public:
  void add(double value) { value_ = mixed(value_, std::bit_cast<std::uint64_t>(value)); }
  void add(const LengthGrowth &growth) {
    for (const double value : {growth.a, growth.b, growth.alpha, growth.beta}) add(value);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

// Twenty amino acids, equal ones 4 to 8, others -4 to 1.
ScoringSystem some_scoring(Random &random) {
  ScoringSystem out;
  out.letters = "ARNDCQEGHILKMFPSTWYV";
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      out.matrix.push_back(i == j ? 4 + static_cast<int>(random.below(5)) : static_cast<int>(random.below(6)) - 4);
  out.insertion = out.deletion = {{11, 1}};
  return out;
}

// Scores that fall off by a fourth each, alignments that grow by two letters with each.
Sample some_sample(Random &random) {
  Sample out;
  out.length = 400;
  for (int score = 30; score < 80; ++score) {
    ScoreBin bin;
    bin.pairs = static_cast<std::uint64_t>(20000 / (1 + 0.1 * (score - 30) * (score - 30))) + random.below(50);
    bin.weight = static_cast<double>(bin.pairs) * 1.1;
    const double letters = 2.0 * score - 20 + random.below(3);
    bin.query = bin.weight * letters;
    bin.target = bin.weight * (letters + 1);
    bin.query2 = bin.weight * (letters * letters + 3 * score);
    bin.target2 = bin.weight * ((letters + 1) * (letters + 1) + 3 * score);
    bin.query_target = bin.weight * (letters * (letters + 1) + 2 * score);
    out.pairs += bin.pairs;
    out.bins[score] = bin;
  }
  return out;
}

// The scores of a query of 300 letters with 1,500 targets, by the law of `s`.
ScoreCounts some_counts(const Statistics &s, Random &random) {
  std::map<std::uint32_t, std::uint64_t> pairs;
  ScoreCounts out{1, std::vector<CountedTargets>(kLengthBins), {{}}};
  for (int i = 0; i < 1500; ++i) {
    const std::uint64_t length = 60 + random.below(600);
    const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
    std::uint32_t score = 20;
    while (one_minus_exponential(s.k * exponential(-s.lambda * score) *
                                 start_area(s, score, 300, static_cast<double>(length))) > u)
      ++score;
    ++out.targets[length_bin(length)].sequences;
    out.targets[length_bin(length)].letters += length;
    ++pairs[static_cast<std::uint32_t>(length_bin(length) * kScoreBins + score_bin(score))];
  }
  for (const auto &[bin, count] : pairs) out.queries[0].push_back({bin, count});
  return out;
}

}  // namespace

std::uint64_t hash_of_figures() {
  Random random(17);
  Hash hash;
  for (int round = 0; round < 20; ++round) {
    const ScoringSystem scoring = some_scoring(random);
    const Composition composition(scoring, Frequencies::standard(scoring));
    Statistics fitted;
    fitted.ungapped_lambda = composition.standard_lambda().value_or(0);
    fit_lengths(some_sample(random), 40, fitted);
    hash.add(fit_lambda(some_sample(random), 40, fitted).chi_square);
    for (const double value : {fitted.ungapped_lambda, fitted.lambda, fitted.lambda_error, fitted.k, fitted.k_error,
                               fitted.sigma, fitted.tau})
      hash.add(value);
    hash.add(fitted.query);
    hash.add(fitted.target);
    for (int hit = 0; hit < 200; ++hit) {
      LetterCounts query, target;
      for (int letter = 0; letter < 20; ++letter) {
        query.push_back(random.below(30));
        target.push_back(random.below(30));
      }
      const double ratio = composition.ratio(query, target).value_or(0.5);
      const std::int64_t score = random.below(2000);
      hash.add(ratio);
      const std::uint64_t query_length = 1 + random.below(3000), target_length = 1 + random.below(3000);
      hash.add(expected_hits(fitted, score, ratio, query_length, target_length, 1000000));
      hash.add(bit_score(fitted, score, ratio));
    }
  }
  Statistics law;
  law.method = Method::table;
  law.lambda = 0.267;
  law.k = 0.041;
  law.query = law.target = {1.9, -26.6, 42.6, -903};
  law.sigma = 43.6;
  law.tau = -928;
  for (int round = 0; round < 10; ++round) {
    const auto fitted = fit_statistics(law, 300, some_counts(law, random), 0);
    for (const double value : {fitted->lambda, fitted->lambda_error, fitted->k, fitted->k_error}) hash.add(value);
  }
  return hash.value();
}

}  // namespace alnsmith::test
