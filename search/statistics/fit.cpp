// See fit.h.
#include "fit.h"

#include <algorithm>
#include <cmath>

#include "area.h"
#include "elementary.h"
#include "likelihood.h"

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

// Bins of a period, or of several where scores are large numbers.
Stratum stratum_of(const Sample &sample, std::int32_t lowest, std::int32_t period) {
  Stratum out{number(static_cast<std::uint64_t>(sample.length)),
              number(static_cast<std::uint64_t>(sample.length)),
              false,
              {},
              {}};
  const std::int32_t range = sample.bins.rbegin()->first - lowest;
  const std::int32_t step = period * (1 + range / period / kMostBins);
  for (std::int32_t from = 0; from <= range; from += step) out.scores.push_back(lowest + from);
  out.counts.assign(out.scores.size() + 1, 0);
  for (const auto &[score, bin] : sample.bins) {
    const std::size_t at = score < lowest ? 0 : static_cast<std::size_t>((score - lowest) / step) + 1;
    out.counts[at] += number(bin.pairs);
  }
  return out;
}

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
  if (sample.bins.empty() || sample.bins.rbegin()->first < lowest + 3 * s.period) return {};
  Likelihood likelihood(s, {stratum_of(sample, lowest, s.period)});
  // A start from the exponential tail: the mean excess over `lowest`, and as many pairs above it as there are.
  double above = 0, excess = 0;
  for (const auto &[score, bin] : sample.bins) {
    if (score < lowest) continue;
    above += number(bin.pairs);
    excess += number(bin.pairs) * (score - lowest + 0.5 * s.period);
  }
  const double lambda = above / excess;
  const double part = std::min(0.95, above / number(sample.pairs)), length = sample.length;
  s.lambda = lambda;
  const double log_k =
      logarithm(-logarithm(1 - part)) + lambda * lowest - logarithm(start_area(s, lowest, length, length));
  return likelihood.fit(lambda, log_k, 1e-10, s);
}

}  // namespace alnsmith::search
