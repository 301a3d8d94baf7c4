// E and bits: see alnsmith/statistics.hpp. The names are those of Park et al. 2012, equations 12 to 20.
#include <algorithm>
#include <cmath>

#include "alnsmith/statistics.hpp"
#include "area.h"
#include "elementary.h"

namespace alnsmith::search {
namespace {

struct Side {
  double letters;   // mean of the letters at which an alignment can start, ends of sequences counted: p(L)
  double reaching;  // probability that the sequence is long enough: Phi
};

double least_spread(double slope, double lambda) { return 2 * slope / lambda; }

double spread(double slope, double intercept, double lambda, double y) {
  return std::max(least_spread(slope, lambda), slope * y + intercept);
}

Side side_of(const LengthGrowth &growth, double lambda, double y, double length) {
  const double rest = length - (growth.a * y + growth.b);
  const double variance = spread(growth.alpha, growth.beta, lambda, y);
  if (variance <= 0) return {std::max(rest, 0.0), rest > 0 ? 1.0 : 0.0};
  const double deviation = std::sqrt(variance), f = rest / deviation;
  return {deviation * normal_integral(f), normal_distribution(f)};
}

double scaled(const Statistics &s, std::int64_t score, double ratio) {
  return ratio * static_cast<double>(score - score % s.period);
}

}  // namespace

double start_area(const Statistics &s, double y, double query_length, double target_length) {
  const Side query = side_of(s.query, s.lambda, y, query_length);
  const Side target = side_of(s.target, s.lambda, y, target_length);
  const double covariance = spread(s.sigma, s.tau, s.lambda, y);
  return query.letters * target.letters + covariance * query.reaching * target.reaching;
}

bool area_is_free_of_lambda(const Statistics &s, double y) {
  const auto free = [&](double slope, double intercept) {
    return slope >= 0 && least_spread(slope, s.lambda) <= slope * y + intercept;
  };
  return free(s.query.alpha, s.query.beta) && free(s.target.alpha, s.target.beta) && free(s.sigma, s.tau);
}

double expected_hits(const Statistics &s, std::int64_t score, double ratio, std::uint64_t query_length,
                     std::uint64_t target_length, std::uint64_t database_letters) {
  const double y = scaled(s, score, ratio), n = static_cast<double>(target_length);
  const double area = start_area(s, y, static_cast<double>(query_length), n);
  return s.k * exponential(-s.lambda * y) * area * (static_cast<double>(database_letters) / n);
}

double bit_score(const Statistics &s, std::int64_t score, double ratio) {
  constexpr double kLn2 = 0.6931471805599453;
  return (s.lambda * scaled(s, score, ratio) - logarithm(s.k)) / kLn2;
}

}  // namespace alnsmith::search
