// See likelihood.h.
#include "likelihood.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "area.h"
#include "elementary.h"

namespace alnsmith::search {
namespace {

constexpr double kLeastPart = 1e-300;

}  // namespace

// Parts of a stratum's pairs that are expected by bin, and their derivatives by lambda and ln K.
struct Likelihood::Terms {
  explicit Terms(Stratum from) : stratum(std::move(from)) {
    if (stratum.truncated) stratum.counts.back() = 0;
    for (const double count : stratum.counts) total += count;
    areas.resize(stratum.scores.size());
  }
  void evaluate(const Statistics &s, double log_k);
  void leave_last_out();
  double area_of(const Statistics &s, std::size_t i);

  // Of a score; most of the time of a fit would go into it.
  struct Area {
    double value = 0, lambda = 0;  // lambda: at which it was computed
    bool free = false;             // holds for larger lambdas too
  };
  Stratum stratum;
  std::vector<Area> areas;
  double total = 0;
  std::vector<double> part, by_lambda, by_log_k;
};

double Likelihood::Terms::area_of(const Statistics &s, std::size_t i) {
  Area &area = areas[i];
  const double y = stratum.scores[i];
  const bool known = area.free && (s.lambda >= area.lambda || area_is_free_of_lambda(s, y));
  if (!known)
    area = {start_area(s, y, stratum.query_length, stratum.target_length), s.lambda, area_is_free_of_lambda(s, y)};
  return area.value;
}

void Likelihood::Terms::evaluate(const Statistics &s, double log_k) {
  const std::size_t bins = stratum.counts.size();
  part.assign(bins, 0);
  by_lambda.assign(bins, 0);
  by_log_k.assign(bins, 0);
  double at_least = 1, slope = 0, slope_y = 0, mean_before = 0;  // of the score before; the first bin starts at all
  bool first = true;
  for (std::size_t i = 0; i < stratum.scores.size(); ++i) {
    const double y = stratum.scores[i];
    const double mean = exponential(log_k - s.lambda * y) * area_of(s, i);
    const double none = exponential(-mean), up = none * mean, up_y = -up * y;
    part[i] = first ? none : none * one_minus_exponential(std::max(mean_before - mean, 0.0));
    by_log_k[i] = slope - up;
    by_lambda[i] = slope_y - up_y;
    at_least = one_minus_exponential(mean);
    slope = up;
    slope_y = up_y;
    mean_before = mean;
    first = false;
  }
  part[bins - 1] = at_least;
  by_log_k[bins - 1] = slope;
  by_lambda[bins - 1] = slope_y;
  if (stratum.truncated) leave_last_out();
}

// Parts of those pairs that are not in the last bin.
void Likelihood::Terms::leave_last_out() {
  const double rest = 1 - part.back(), rest_by_lambda = -by_lambda.back(), rest_by_log_k = -by_log_k.back();
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    part[i] /= rest;
    by_lambda[i] = (by_lambda[i] - part[i] * rest_by_lambda) / rest;
    by_log_k[i] = (by_log_k[i] - part[i] * rest_by_log_k) / rest;
  }
  part.back() = by_lambda.back() = by_log_k.back() = 0;
}

Likelihood::Likelihood(const Statistics &statistics, std::vector<Stratum> strata) : s_(statistics) {
  for (Stratum &stratum : strata) terms_.emplace_back(std::move(stratum));
}
Likelihood::~Likelihood() = default;

void Likelihood::evaluate(double lambda, double log_k) {
  s_.lambda = lambda;
  for (Terms &terms : terms_) terms.evaluate(s_, log_k);
}

double Likelihood::value() const {
  double sum = 0;
  for (const Terms &t : terms_)
    for (std::size_t i = 0; i < t.part.size(); ++i)
      if (t.stratum.counts[i] > 0) sum += t.stratum.counts[i] * logarithm(std::max(t.part[i], kLeastPart));
  return sum;
}

Likelihood::Slope Likelihood::slope() const {
  Slope out;
  for (const Terms &t : terms_)
    for (std::size_t i = 0; i < t.part.size(); ++i) {
      if (t.part[i] < kLeastPart) continue;
      const double weight = t.stratum.counts[i] / t.part[i], information = t.total / t.part[i];
      out.gradient[0] += weight * t.by_lambda[i];
      out.gradient[1] += weight * t.by_log_k[i];
      out.aa += information * t.by_lambda[i] * t.by_lambda[i];
      out.ab += information * t.by_lambda[i] * t.by_log_k[i];
      out.bb += information * t.by_log_k[i] * t.by_log_k[i];
    }
  return out;
}

// Neighbouring bins are taken together until ten pairs are expected.
void Likelihood::test(Fit &fit) const {
  fit.degrees = -2;  // lambda and K
  for (const Terms &t : terms_) {
    double expected = 0, found = 0;
    int groups = 0;
    for (std::size_t i = 0; i < t.part.size(); ++i) {
      expected += t.total * t.part[i];
      found += t.stratum.counts[i];
      if (expected < 10 && i + 1 < t.part.size()) continue;
      if (expected > 0) fit.chi_square += (found - expected) * (found - expected) / std::max(expected, 10.0);
      ++groups;
      expected = found = 0;
    }
    fit.degrees += groups - 1;  // the sum of all
  }
}

Fit Likelihood::fit(double lambda, double log_k, double tolerance, Statistics &s) {
  Fit out;
  evaluate(lambda, log_k);
  double best = value();
  for (int step = 0; step < 100; ++step) {
    const Slope slope = this->slope();
    const double determinant = slope.determinant();
    if (!(determinant > 0)) return out;
    double by_lambda = (slope.bb * slope.gradient[0] - slope.ab * slope.gradient[1]) / determinant;
    double by_log_k = (slope.aa * slope.gradient[1] - slope.ab * slope.gradient[0]) / determinant;
    bool better = false;
    for (int half = 0; half < 30 && !better; ++half, by_lambda /= 2, by_log_k /= 2) {
      if (lambda + by_lambda <= 0) continue;
      evaluate(lambda + by_lambda, log_k + by_log_k);
      better = value() > best;
      if (better) break;
    }
    if (!better) {
      evaluate(lambda, log_k);
      break;
    }
    lambda += by_lambda;
    log_k += by_log_k;
    best = value();
    if (std::abs(by_lambda) < tolerance * lambda) break;
  }

  const Slope slope = this->slope();
  if (!(slope.determinant() > 0)) return out;
  test(out);
  const double wide = out.degrees > 0 ? std::sqrt(std::max(1.0, out.chi_square / out.degrees)) : 1;
  s.lambda = lambda;
  s.k = exponential(log_k);
  s.lambda_error = wide * std::sqrt(slope.bb / slope.determinant());
  s.k_error = wide * s.k * std::sqrt(slope.aa / slope.determinant());
  out.correlation = -slope.ab / std::sqrt(slope.aa * slope.bb);
  out.done = true;
  return out;
}

}  // namespace alnsmith::search
