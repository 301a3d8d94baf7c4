// exp, log and the normal distribution against libm in long double, over their whole ranges.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "statistics/elementary.h"

namespace alnsmith::search {
namespace {

using Real = long double;

// The largest relative error over seeded points.
double worst(double from, double to, const std::function<double(double)> &own, const std::function<Real(Real)> &exact) {
  std::mt19937_64 random(7);
  double found = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = from + (to - from) * (static_cast<double>(random() >> 11) * 0x1p-53);
    const Real want = exact(x);
    if (want != 0) found = std::max(found, static_cast<double>(std::abs(own(x) / want - 1)));
  }
  return found;
}

Real density(Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(Real{-1})); }
Real distribution(Real x) { return std::erfc(-x / std::sqrt(Real{2})) / 2; }

TEST(Elementary, ExponentialIsExactToTheLastBitsOrSo) {
  const auto exact = [](Real x) { return std::exp(x); };
  EXPECT_LT(worst(-708, 709, exponential, exact), 5e-16);
  EXPECT_LT(worst(-1, 1, exponential, exact), 5e-16);
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-746), 0);
  EXPECT_EQ(exponential(710), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(exponential(-740) / 4.9406564584124654e-324,
              static_cast<double>(std::exp(Real{-740}) / 4.9406564584124654e-324L), 1);
}

TEST(Elementary, LogarithmIsExactToTheLastBitsOrSo) {
  const auto exact = [](Real x) { return std::log(x); };
  EXPECT_LT(worst(1e-300, 1e-290, logarithm, exact), 5e-16);
  EXPECT_LT(worst(0.5, 2, logarithm, exact), 5e-16);
  EXPECT_LT(worst(1 - 1e-6, 1 + 1e-6, logarithm, exact), 5e-16);
  EXPECT_LT(worst(2, 1e12, logarithm, exact), 5e-16);
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_NEAR(logarithm(5e-324), -744.4400719213812, 1e-12);
}

TEST(Elementary, OneMinusExponentialHasNoCancellation) {
  const auto exact = [](Real x) { return -std::expm1(-x); };
  EXPECT_LT(worst(0, 1e-9, one_minus_exponential, exact), 1e-15);
  EXPECT_LT(worst(0, 1, one_minus_exponential, exact), 1e-15);
  EXPECT_LT(worst(1, 50, one_minus_exponential, exact), 1e-15);
}

TEST(Elementary, NormalDistributionHoldsFarIntoItsTails) {
  EXPECT_LT(worst(-37, 37, normal_density, density), 1e-12);
  EXPECT_LT(worst(-37, 8, normal_distribution, distribution), 1e-12);
  EXPECT_LT(worst(-3, -2, normal_distribution, distribution), 1e-12);  // where series and fraction meet
}

TEST(Elementary, NormalIntegralHoldsFarIntoItsTails) {
  // Left of -6 even long double loses it to cancellation: there by the tail's own series.
  const auto exact = [](Real x) { return x * distribution(x) + density(x); };
  EXPECT_LT(worst(-6, 20, normal_integral, exact), 1e-12);
  EXPECT_LT(worst(-3, -2, normal_integral, exact), 1e-12);
  const auto tail = [](Real x) {
    Real sum = 0, term = 1;
    for (int n = 1; n < 12; ++n) {
      term *= -(2 * n - 1) / (x * x);
      sum -= term * 1;
    }
    return density(x) * sum;
  };
  EXPECT_LT(worst(-37, -20, normal_integral, tail), 1e-12);
}

}  // namespace
}  // namespace alnsmith::search
