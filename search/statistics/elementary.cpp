// See elementary.h. Polynomials are Taylor's, long enough that what is left out is below half a bit.
#include "elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace alnsmith::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// ln 2 in two parts: the first has 32 zero bits at its end, so that whole multiples of it are exact.
constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 1.4426950408889634;
constexpr double kOneOverSqrt2Pi = 0.3989422804014327;

// 2^k for k in -1022 .. 1023.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

// e^r - 1 for |r| <= 0.35.
double small_exponential(double r) {
  double tail = 0;
  for (int n = 14; n >= 2; --n) tail = (tail + 1) * r / n;
  return r + r * tail;
}

// From here on towards minus infinity the tail's continued fraction converges fast; above it the series is exact
// enough.
constexpr double kTail = -2.5;
constexpr int kFractionTerms = 80, kSeriesTerms = 40;

// Phi(x) - 1/2 for |x| <= 2.5: density(x) * (x + x^3/3 + x^5/(3*5) + ...).
double central(double x) {
  double sum = 0;
  for (int n = kSeriesTerms; n >= 1; --n) sum = (sum + 1) * x * x / (2 * n + 1);
  return normal_density(x) * (x + x * sum);
}

// Laplace's continued fraction of Mills' ratio: from its n-th floor on, n / (x + (n + 1) / (x + ...)).
double fraction_from(int first, double x) {
  double value = 0;
  for (int n = kFractionTerms; n >= first; --n) value = n / (x + value);
  return value;
}

}  // namespace

double exponential(double x) {
  if (x != x) return x;
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  const int k = static_cast<int>(x * kLog2E + (x < 0 ? -0.5 : 0.5));
  const double r = x - k * kLn2High - k * kLn2Low;
  const int half = k / 2;
  return (1 + small_exponential(r)) * power_of_two(half) * power_of_two(k - half);
}

double logarithm(double x) {
  int exponent = 0;
  if (x < power_of_two(-1022)) {
    x *= power_of_two(54);
    exponent = -54;
  }
  auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1023} << 52);
  if (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    ++exponent;
  }
  const double f = mantissa - 1, s = f / (2 + f), s2 = s * s;  // ln(1 + f) = 2 (s + s^3/3 + s^5/5 + ...)
  double sum = 0;
  for (int n = 25; n >= 3; n -= 2) sum = (sum + 1.0 / n) * s2;
  const double rest =
      f * f / 2;  // 2 s = f - s f, and s f = f^2/2 - s f^2/2: the large part of it is exact enough alone
  return exponent * kLn2High + (exponent * kLn2Low + (f - (rest - s * (rest + 2 * sum))));
}

double one_minus_exponential(double x) { return x < 0.3 ? -small_exponential(-x) : 1 - exponential(-x); }

double normal_density(double x) { return kOneOverSqrt2Pi * exponential(-0.5 * x * x); }

double normal_distribution(double x) {
  if (x > 8.3) return 1;  // what is missing is less than half of the last bit
  if (x > -kTail) return 1 - normal_distribution(-x);
  if (x >= kTail) return 0.5 + central(x);
  return normal_density(x) / (-x + fraction_from(1, -x));
}

double normal_integral(double x) {
  if (x >= kTail) return x * normal_distribution(x) + normal_density(x);
  // With m = Mills' ratio 1 / (t + f), t = -x: 1 - t m = f / (t + f), which has no cancellation.
  const double f = fraction_from(1, -x);
  return normal_density(x) * f / (-x + f);
}

}  // namespace alnsmith::search
