// A fit to counts of scores gives back the law that they were drawn from, relatives among them or not, and none where
// they follow no such law.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "alnsmith/statistics.hpp"
#include "full_run.h"
#include "statistics/area.h"
#include "statistics/elementary.h"
#include "statistics/random.h"

namespace alnsmith::search {
namespace {

constexpr std::uint64_t kQuery = 350;

// BLOSUM62 with 11 + L, about.
Statistics law(double lambda, double k) {
  Statistics out;
  out.method = Method::table;
  out.lambda = lambda;
  out.k = k;
  out.query = out.target = {1.9, -26.6, 42.6, -903};
  out.sigma = 43.6;
  out.tau = -928;
  return out;
}

// One query's counts.
class Counted {
 public:
  explicit Counted(std::int32_t unit) : unit_(unit), targets_(kLengthBins) {}
  void add(std::uint64_t length, std::int32_t score) {
    const std::size_t bin = length_bin(length);
    ++targets_[bin].sequences;
    targets_[bin].letters += length;
    ++pairs_[static_cast<std::uint32_t>(bin * kScoreBins + score_bin(static_cast<std::uint32_t>(score / unit_)))];
  }
  ScoreCounts counts() const {
    ScoreCounts out{unit_, targets_, {{}}};
    for (const auto &[bin, pairs] : pairs_) out.queries[0].push_back({bin, pairs});
    return out;
  }

 private:
  std::int32_t unit_;
  std::vector<CountedTargets> targets_;
  std::map<std::uint32_t, std::uint64_t> pairs_;
};

std::uint64_t some_length(Random &random) { return 60 + random.below(740); }

// Scores of `targets` unrelated ones, each drawn by its own length.
void draw(const Statistics &from, int targets, std::uint64_t seed, Counted &out) {
  Random random(seed);
  for (int i = 0; i < targets; ++i) {
    const std::uint64_t length = some_length(random);
    const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
    const auto more_often = [&](int than) {  // such scores come than `u`
      return one_minus_exponential(from.k * exponential(-from.lambda * than) *
                                   start_area(from, than, kQuery, static_cast<double>(length))) > u;
    };
    int score = 0;
    for (int step = 1024; step > 0; step /= 2)
      if (more_often(score + step)) score += step;
    out.add(length, score);
  }
}

TEST(FitCounts, BinsTakeEveryScoreAndLength) {
  for (std::size_t bin = 0; bin < kScoreBins; ++bin) {
    const auto lowest = static_cast<std::uint32_t>(lowest_of_bin(bin));
    EXPECT_EQ(score_bin(lowest), bin);
    if (lowest > 0) {
      EXPECT_EQ(score_bin(lowest - 1), bin - 1);
    }
  }
  EXPECT_EQ(score_bin(0x7fffffff), kScoreBins - 1);
  for (std::uint64_t n = 1, before = 0; n < 300000; before = length_bin(n++)) {
    EXPECT_GE(length_bin(n), before);
    EXPECT_LE(length_bin(n), before + 1);
  }
  EXPECT_EQ(length_bin(7), 0u);
  EXPECT_EQ(length_bin(114687), kLengthBins - 2);
  EXPECT_EQ(length_bin(~std::uint64_t{0}), kLengthBins - 1);
}

TEST(FitCounts, GivesBackLambdaAndKWithHonestErrors) {
  const Statistics reference = law(0.267, 0.041);
  // A query as others, and one whose letters let chance score high.
  for (const Statistics &real : {law(0.267, 0.041), law(0.215, 0.025)}) {
    double lambda2 = 0, k2 = 0;
    const int rounds = sample::full() ? 40 : 20;
    for (int round = 0; round < rounds; ++round) {
      Counted counted(1);
      draw(real, 4000, static_cast<std::uint64_t>(700 + round), counted);
      const auto found = fit_statistics(reference, kQuery, counted.counts(), 0);
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(found->method, Method::fit);
      EXPECT_EQ(*statistics_from_json(to_json(*found)), *found);
      lambda2 += std::pow((found->lambda - real.lambda) / found->lambda_error, 2);
      k2 += std::pow((found->k - real.k) / found->k_error, 2);
    }
    std::printf("deviations in standard errors: lambda %.2f, K %.2f\n", std::sqrt(lambda2 / rounds),
                std::sqrt(k2 / rounds));
    EXPECT_NEAR(std::sqrt(lambda2 / rounds), 1, 0.35);
    EXPECT_NEAR(std::sqrt(k2 / rounds), 1, 0.4);
  }
}

// A fiftieth of the database: without the upper cut each of them would weigh as much as its score is high.
TEST(FitCounts, RelativesOfTheQueryDoNotCount) {
  const Statistics real = law(0.267, 0.041);
  Counted alone(1), with(1);
  draw(real, 10000, 7, alone);
  draw(real, 10000, 7, with);
  Random random(8);
  for (int i = 0; i < 200; ++i) with.add(some_length(random), 80 + static_cast<std::int32_t>(random.below(1500)));
  const auto a = fit_statistics(real, kQuery, alone.counts(), 0), b = fit_statistics(real, kQuery, with.counts(), 0);
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(b->lambda, a->lambda, 0.1 * a->lambda_error);
  EXPECT_NEAR(b->k, a->k, 0.1 * a->k_error);
}

// Scores as large numbers, all of them multiples: counted in units, they are the same law.
TEST(FitCounts, UnitsScaleLambda) {
  const Statistics real = law(0.267, 0.041);
  Statistics fine = real;
  fine.lambda /= 100;
  for (LengthGrowth *side : {&fine.query, &fine.target}) side->a /= 100, side->alpha /= 100;
  fine.sigma /= 100;
  Counted plain(1), times(100);
  draw(real, 3000, 9, plain);
  Random random(9);
  const ScoreCounts counts = plain.counts();
  ScoreCounts scaled = counts;
  scaled.unit = 100;
  const auto a = fit_statistics(real, kQuery, counts, 0), b = fit_statistics(fine, kQuery, scaled, 0);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(b->period, 100);
  EXPECT_NEAR(b->lambda * 100, a->lambda, 1e-4 * a->lambda);
  EXPECT_NEAR(b->k, a->k, 1e-3 * a->k);
}

TEST(FitCounts, ShardsAddUp) {
  const Statistics real = law(0.267, 0.041);
  Counted whole(1), first(1), second(1);
  draw(real, 700, 1, whole);
  draw(real, 900, 2, whole);
  draw(real, 700, 1, first);
  draw(real, 900, 2, second);
  ScoreCounts sum = second.counts();
  sum.add(first.counts());
  EXPECT_EQ(sum, whole.counts());
}

TEST(FitCounts, NoFitWithoutTheLaw) {
  const Statistics reference = law(0.267, 0.041);
  Counted few(1);
  draw(reference, 499, 3, few);
  auto got = fit_statistics(reference, kQuery, few.counts(), 0);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("499"), std::string::npos) << got.error().message;
  // Scores that grow with the length, as in the linear phase; those of one letter's runs; all alike.
  Counted linear(1), runs(1), alike(1);
  Random random(4);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t length = some_length(random);
    linear.add(length, static_cast<std::int32_t>(length / 2 + random.below(9)));
    runs.add(length, static_cast<std::int32_t>(random.below(1000)));
    alike.add(length, 50);
  }
  for (const Counted *counted : {&linear, &runs, &alike}) {
    got = fit_statistics(reference, kQuery, counted->counts(), 0);
    ASSERT_FALSE(got) << got->lambda << " +- " << got->lambda_error;
    EXPECT_NE(got.error().message.find("do not fall off"), std::string::npos) << got.error().message;
  }
  EXPECT_FALSE(fit_statistics(reference, kQuery, {}, 0));
}

}  // namespace
}  // namespace alnsmith::search
