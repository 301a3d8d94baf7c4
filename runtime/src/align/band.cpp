// See band.h.
#include "align/band.h"

#include <algorithm>

namespace alnsmith::rt::align {

std::optional<Band> Band::of(const kernels::Manifest &manifest, const CallScoring &scoring, std::size_t query,
                             std::size_t target) {
  const bool global = !manifest.local && !manifest.free_query && !manifest.free_target;
  // A pair that costs something might be better in gaps, however many there are.
  if (!global || scoring.value[ALN_SCORE_MAX] < 0) return std::nullopt;
  return Band(manifest, scoring, static_cast<std::int64_t>(query), static_cast<std::int64_t>(target));
}

__int128 Band::most_outside(std::size_t width) const {
  const auto more = static_cast<std::int64_t>(width) + 1;
  const auto deleted = static_cast<std::uint64_t>(more + std::max<std::int64_t>(0, target_ - query_));
  const auto inserted = static_cast<std::uint64_t>(more + std::max<std::int64_t>(0, query_ - target_));
  const std::int64_t pairs = std::max<std::int64_t>(0, std::min(query_, target_) - more);
  // One gap of each kind costs least.
  return static_cast<__int128>(scoring_->value[ALN_SCORE_MAX]) * pairs -
         gap_cost(*manifest_, scoring_->value, kDeletionOpens, deleted) -
         gap_cost(*manifest_, scoring_->value, kInsertionOpens, inserted);
}

std::optional<std::size_t> Band::width_for(__int128 score) const {
  std::size_t none = 0, some = static_cast<std::size_t>(std::max(query_, target_));  // less and more than it takes
  if (most_outside(none) < score) return none;
  if (most_outside(some) >= score) return std::nullopt;
  while (some - none > 1) {
    const std::size_t middle = none + (some - none) / 2;
    (most_outside(middle) < score ? some : none) = middle;
  }
  return some;
}

// Lengths and widths are at most 2^30; a band that holds all is as wide as the longer sequence.
int Band::from(std::size_t width) const {
  return static_cast<int>(std::min<std::int64_t>(0, target_ - query_) -
                          std::min(static_cast<std::int64_t>(width), std::max(query_, target_)));
}
int Band::to(std::size_t width) const {
  return static_cast<int>(std::max<std::int64_t>(0, target_ - query_) +
                          std::min(static_cast<std::int64_t>(width), std::max(query_, target_)));
}

Band::Rows Band::rows(std::size_t width, std::size_t first_column, std::size_t end_column) const {
  // A row more at the begin, so that the corner before the first column's is outside.
  const std::int64_t first = static_cast<std::int64_t>(first_column) + from(width) - 1;
  const std::int64_t end = static_cast<std::int64_t>(end_column) + to(width);
  return {static_cast<int>(std::clamp<std::int64_t>(first, 0, target_ - 1)),
          static_cast<int>(std::clamp<std::int64_t>(end, 1, target_))};
}

}  // namespace alnsmith::rt::align
