// See statistics.h.
#include "tune/statistics.h"

#include <algorithm>
#include <cmath>

namespace alnsmith::tool::tune {
namespace {

// Of sorted values, interpolated.
double quantile(const std::vector<double> &sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(place));
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - static_cast<double>(low));
}

}  // namespace

Statistics statistics(std::vector<double> values) {
  Statistics made;
  if (values.empty()) return made;
  std::sort(values.begin(), values.end());
  made.median = quantile(values, 0.5);
  const double first = quantile(values, 0.25), third = quantile(values, 0.75), range = third - first;
  made.spread = made.median > 0 ? range / made.median : 0;
  made.outliers = static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double value) {
    return value < first - 1.5 * range || value > third + 1.5 * range;
  }));
  return made;
}

std::vector<std::size_t> interleaved(std::size_t members, std::size_t rounds) {
  std::vector<std::size_t> order;
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < members; ++i) order.push_back((round + i) % members);
  return order;
}

}  // namespace alnsmith::tool::tune
