// See fit.hpp.
#include "fit.hpp"

#include <algorithm>
#include <cmath>

#include "area.hpp"
#include "elementary.hpp"

namespace alnsmith::search {
namespace {

// Least squares of y on x.
class Line {
 public:
  // `sum` is that of y over all observations at x, whose weights add up to `count`.
  void add(double x, double count, double sum) {
    n_ += count;
    x_ += count * x;
    y_ += sum;
    xx_ += count * x * x;
    xy_ += x * sum;
  }
  // Never negative: lengths, their variances and covariance grow with the score, and what falls is noise.
  double slope() const {
    const double spread = n_ * xx_ - x_ * x_;
    return spread > 0 ? std::max((n_ * xy_ - x_ * y_) / spread, 0.0) : 0;
  }
  double intercept() const { return n_ > 0 ? (y_ - slope() * x_) / n_ : 0; }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

constexpr int kMostBins = 8192;

double number(std::uint64_t value) { return static_cast<double>(value); }

// The left-censored likelihood of lambda and ln K.
class Likelihood {
 public:
  Likelihood(const Sample &sample, std::int32_t lowest, const Statistics &lengths)
      : s_(lengths), length_(sample.length) {
    // Bins of a period, or of several where scores are large numbers.
    const std::int32_t range = sample.bins.rbegin()->first - lowest, period = s_.period;
    const std::int32_t step = period * (1 + range / period / kMostBins);
    for (std::int32_t from = 0; from <= range; from += step) scores_.push_back(lowest + from);
    counts_.assign(scores_.size() + 1, 0);
    for (const auto &[score, bin] : sample.bins) {
      const std::size_t at = score < lowest ? 0 : static_cast<std::size_t>((score - lowest) / step) + 1;
      counts_[at] += number(bin.pairs);
    }
    total_ = number(sample.pairs);
  }

  // At these values: parts of the pairs that are expected by bin, the first being those below `lowest`, and the parts'
  // derivatives by lambda and ln K.
  void evaluate(double lambda, double log_k) {
    s_.lambda = lambda;
    const std::size_t bins = counts_.size();
    part_.assign(bins, 0);
    by_lambda_.assign(bins, 0);
    by_log_k_.assign(bins, 0);
    double at_least = 1, slope = 0, slope_y = 0, mean_before = 0;  // of the score before; the first bin starts at all
    bool first = true;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const double y = scores_[i];
      const double mean = exponential(log_k - lambda * y) * start_area(s_, y, length_, length_);
      const double none = exponential(-mean), up = none * mean, up_y = -up * y;
      part_[i] = first ? none : none * one_minus_exponential(std::max(mean_before - mean, 0.0));
      by_log_k_[i] = slope - up;
      by_lambda_[i] = slope_y - up_y;
      at_least = one_minus_exponential(mean);
      slope = up;
      slope_y = up_y;
      mean_before = mean;
      first = false;
    }
    part_[bins - 1] = at_least;
    by_log_k_[bins - 1] = slope;
    by_lambda_[bins - 1] = slope_y;
  }

  double value() const {
    double sum = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) sum += counts_[i] * logarithm(std::max(part_[i], 1e-300));
    return sum;
  }

  // Fisher's information and the gradient; lambda first.
  struct Slope {
    double gradient[2] = {0, 0};
    double aa = 0, ab = 0, bb = 0;
    double determinant() const { return aa * bb - ab * ab; }
  };
  Slope slope() const {
    Slope out;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (part_[i] < 1e-300) continue;
      const double weight = counts_[i] / part_[i], information = total_ / part_[i];
      out.gradient[0] += weight * by_lambda_[i];
      out.gradient[1] += weight * by_log_k_[i];
      out.aa += information * by_lambda_[i] * by_lambda_[i];
      out.ab += information * by_lambda_[i] * by_log_k_[i];
      out.bb += information * by_log_k_[i] * by_log_k_[i];
    }
    return out;
  }

  // Neighbouring bins are taken together until ten pairs are expected.
  void test(Fit &fit) const {
    double expected = 0, found = 0;
    int groups = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      expected += total_ * part_[i];
      found += counts_[i];
      if (expected < 10 && i + 1 < counts_.size()) continue;
      if (expected > 0) fit.chi_square += (found - expected) * (found - expected) / std::max(expected, 10.0);
      ++groups;
      expected = found = 0;
    }
    fit.degrees = groups - 3;  // the sum of all, lambda and K
  }

 private:
  Statistics s_;
  double length_ = 0, total_ = 0;
  std::vector<std::int32_t> scores_;  // lower ends of the bins but the first
  std::vector<double> counts_, part_, by_lambda_, by_log_k_;
};

}  // namespace

void fit_lengths(const Sample &sample, std::int32_t lowest, Statistics &s) {
  Line query, target;
  for (const auto &[score, bin] : sample.bins) {
    if (score < lowest) continue;
    query.add(score, bin.weight, bin.query);
    target.add(score, bin.weight, bin.target);
  }
  s.query = {query.slope(), query.intercept(), 0, 0};
  s.target = {target.slope(), target.intercept(), 0, 0};

  Line query_variance, target_variance, covariance;
  for (const auto &[score, bin] : sample.bins) {
    if (score < lowest) continue;
    const double w = bin.weight, q = s.query.a * score + s.query.b, t = s.target.a * score + s.target.b;
    query_variance.add(score, w, bin.query2 - 2 * q * bin.query + w * q * q);
    target_variance.add(score, w, bin.target2 - 2 * t * bin.target + w * t * t);
    covariance.add(score, w, bin.query_target - q * bin.target - t * bin.query + w * q * t);
  }
  s.query.alpha = query_variance.slope();
  s.query.beta = query_variance.intercept();
  s.target.alpha = target_variance.slope();
  s.target.beta = target_variance.intercept();
  s.sigma = covariance.slope();
  s.tau = covariance.intercept();
}

Fit fit_lambda(const Sample &sample, std::int32_t lowest, Statistics &s) {
  Fit out;
  if (sample.bins.empty() || sample.bins.rbegin()->first < lowest + 3 * s.period) return out;
  Likelihood likelihood(sample, lowest, s);
  // A start from the exponential tail: the mean excess over `lowest`, and as many pairs above it as there are.
  double above = 0, excess = 0;
  for (const auto &[score, bin] : sample.bins) {
    if (score < lowest) continue;
    above += number(bin.pairs);
    excess += number(bin.pairs) * (score - lowest + 0.5 * s.period);
  }
  double lambda = above / excess;
  const double part = std::min(0.95, above / number(sample.pairs)), length = sample.length;
  s.lambda = lambda;
  double log_k = logarithm(-logarithm(1 - part)) + lambda * lowest - logarithm(start_area(s, lowest, length, length));

  likelihood.evaluate(lambda, log_k);
  double value = likelihood.value();
  for (int step = 0; step < 100; ++step) {
    const Likelihood::Slope slope = likelihood.slope();
    const double determinant = slope.determinant();
    if (!(determinant > 0)) return out;
    double by_lambda = (slope.bb * slope.gradient[0] - slope.ab * slope.gradient[1]) / determinant;
    double by_log_k = (slope.aa * slope.gradient[1] - slope.ab * slope.gradient[0]) / determinant;
    bool better = false;
    for (int half = 0; half < 30 && !better; ++half, by_lambda /= 2, by_log_k /= 2) {
      if (lambda + by_lambda <= 0) continue;
      likelihood.evaluate(lambda + by_lambda, log_k + by_log_k);
      better = likelihood.value() > value;
      if (better) break;
    }
    if (!better) {
      likelihood.evaluate(lambda, log_k);
      break;
    }
    lambda += by_lambda;
    log_k += by_log_k;
    value = likelihood.value();
    if (std::abs(by_lambda) < 1e-10 * lambda) break;
  }

  const Likelihood::Slope slope = likelihood.slope();
  if (!(slope.determinant() > 0)) return out;
  likelihood.test(out);
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
