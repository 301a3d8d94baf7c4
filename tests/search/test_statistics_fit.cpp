// The fit gives back what a sample was drawn from, with errors that are as large as they say.
#include <gtest/gtest.h>

#include <cmath>

#include "alnsmith/statistics.hpp"
#include "statistics/area.h"
#include "statistics/elementary.h"
#include "statistics/fit.h"
#include "statistics/random.h"

namespace alnsmith::search {
namespace {

// BLOSUM62 with 11 + L, about.
Statistics truth(int period) {
  Statistics out;
  out.lambda = 0.267;
  out.k = 0.041;
  out.query = out.target = {1.9, -26.6, 42.6, -903};
  out.sigma = 43.6;
  out.tau = -928;
  out.period = period;
  return out;
}

// Scores of pairs of 400 letters, multiples of the period; with a scale, as whole numbers so many times as fine.
Sample drawn(const Statistics &from, std::uint64_t pairs, std::uint64_t seed, std::int32_t scale) {
  std::vector<double> at_least;  // by score
  for (int y = 0; y < 200; y += from.period)
    at_least.push_back(one_minus_exponential(from.k * exponential(-from.lambda * y) * start_area(from, y, 400, 400)));
  Sample out;
  out.length = 400;
  out.pairs = pairs;
  Random random(seed);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
    const auto above = std::partition_point(at_least.begin(), at_least.end(), [&](double p) { return p > u; });
    const auto score = static_cast<std::int32_t>(above - at_least.begin() - 1) * from.period;
    ++out.bins[std::max(score, 0) * scale + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(scale)))]
          .pairs;
  }
  return out;
}

TEST(Fit, GivesBackLambdaAndKWithHonestErrors) {
  for (const int period : {1, 4}) {
    double lambda2 = 0, k2 = 0, chi = 0, degrees = 0;
    constexpr int kRounds = 40;
    for (int round = 0; round < kRounds; ++round) {
      const Statistics real = truth(period);
      const Sample sample = drawn(real, 20000, static_cast<std::uint64_t>(100 + round), 1);
      Statistics found = real;
      found.lambda = found.k = 0;
      const Fit fit = fit_lambda(sample, (sample.quantile(0.5) + period - 1) / period * period, found);
      ASSERT_TRUE(fit.done);
      lambda2 += std::pow((found.lambda - real.lambda) / found.lambda_error, 2);
      k2 += std::pow((found.k - real.k) / found.k_error, 2);
      chi += fit.chi_square;
      degrees += fit.degrees;
      EXPECT_NEAR(found.lambda, real.lambda, 5 * found.lambda_error);
      EXPECT_LT(found.lambda_error, 0.03 * real.lambda);
    }
    // Means of 40 squares of standard normal numbers: 1 +- 0.22; errors are widened a little by the residual.
    EXPECT_NEAR(lambda2 / kRounds, 0.9, 0.5) << period;
    EXPECT_NEAR(k2 / kRounds, 0.9, 0.5) << period;
    EXPECT_NEAR(chi / degrees, 1, 0.25) << period;
  }
}

TEST(Fit, AModelThatDoesNotHoldWidensTheErrors) {
  const Statistics real = truth(1);
  Sample sample = drawn(real, 20000, 3, 1);
  Statistics good = real, bad = real;
  ASSERT_TRUE(fit_lambda(sample, 34, good).done);
  std::swap(sample.bins[40].pairs, sample.bins[48].pairs);
  const Fit fit = fit_lambda(sample, 34, bad);
  ASSERT_TRUE(fit.done);
  EXPECT_GT(fit.chi_square, 5 * fit.degrees);
  EXPECT_GT(bad.lambda_error, 2 * good.lambda_error);
}

TEST(Fit, UnitsDoNotMatter) {
  constexpr std::int32_t kScale = 1000000;
  Statistics real = truth(1), large = real;
  const Sample sample = drawn(real, 20000, 4, 1), scaled = drawn(real, 20000, 4, kScale);
  large.query = large.target = {1.9 / kScale, -26.6, 42.6 / kScale, -903};
  large.sigma /= kScale;
  ASSERT_TRUE(fit_lambda(sample, 34, real).done);
  ASSERT_TRUE(fit_lambda(scaled, 34 * kScale, large).done);  // some thousand bins, not a hundred million
  EXPECT_NEAR(large.lambda * kScale / real.lambda, 1, 0.03);
}

TEST(Fit, TooFewScoresAreRefused) {
  Statistics found = truth(1);
  Sample sample;
  EXPECT_FALSE(fit_lambda(sample, 0, found).done);
  sample.length = 100;
  sample.pairs = 1000;
  sample.bins[30].pairs = 1000;
  EXPECT_FALSE(fit_lambda(sample, 30, found).done);
  sample.bins[31].pairs = 5;
  EXPECT_FALSE(fit_lambda(sample, 30, found).done);
}

TEST(Fit, LengthsFollowTheirLine) {
  Sample sample;
  sample.length = 1000;
  for (int score = 40; score < 90; ++score) {
    // Two alignments of each score, their lengths the mean more and less the deviation; sides go together.
    const double mean = 1.5 * score - 20, deviation = std::sqrt(30.0 * score - 600);
    ScoreBin bin;
    bin.pairs = 2;
    bin.weight = 2;
    bin.query = bin.target = 2 * mean;
    bin.query2 = bin.target2 = bin.query_target = 2 * (mean * mean + deviation * deviation);
    sample.bins[score] = bin;
    sample.pairs += 2;
  }
  Statistics found;
  fit_lengths(sample, 45, found);
  for (const LengthGrowth &side : {found.query, found.target}) {
    EXPECT_NEAR(side.a, 1.5, 1e-9);
    EXPECT_NEAR(side.b, -20, 1e-7);
    EXPECT_NEAR(side.alpha, 30, 1e-6);
    EXPECT_NEAR(side.beta, -600, 1e-4);
  }
  EXPECT_NEAR(found.sigma, 30, 1e-6);
  EXPECT_NEAR(found.tau, -600, 1e-4);
}

}  // namespace
}  // namespace alnsmith::search
