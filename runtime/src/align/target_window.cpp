// See target_window.h.
#include "align/target_window.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "align/packed_groups.h"
#include "align/shape.h"

namespace alnsmith::rt::align {

bool TargetWindow::next(const Sequences &sequences, const PackedGroups *packed, std::size_t most,
                        const std::function<std::size_t()> &size) {
  if (done_ >= (packed ? packed->groups().size() : sequences.targets.size())) return false;
  groups.clear();
  if (packed)
    take_packed(*packed, most);
  else
    sort(sequences, most, size);
  return true;
}

std::size_t TargetWindow::group_size(const kernels::KernelInfo &kernel, int lanes, int threads,
                                     std::size_t budget) const {
  const auto width = static_cast<std::size_t>(lanes), workers = static_cast<std::size_t>(threads);
  if (!kernel.refills()) return width;
  const std::size_t letters = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const std::size_t mean = letters / places.size() + 1;
  const std::size_t fit = budget / (workers * 64 * width * mean), share = places.size() / (width * workers * 2);
  return width * std::clamp<std::size_t>(std::min(fit, threads > 1 ? share : kTargetsPerLane), 1, kTargetsPerLane);
}

void TargetWindow::sort(const Sequences &sequences, std::size_t most, const std::function<std::size_t()> &size) {
  const auto window = sequences.targets.subspan(done_, std::min(most, sequences.targets.size() - done_));
  base = done_;
  done_ += window.size();
  places = by_length(window);
  lengths.clear();
  for (const std::uint32_t i : places) lengths.push_back(static_cast<std::uint32_t>(window[i].size()));
  const std::size_t each = places.empty() ? 0 : size();
  for (std::size_t at = 0; at < places.size(); at += each) add_group(at, std::min(each, places.size() - at), 0);
}

void TargetWindow::take_packed(const PackedGroups &packed, std::size_t most) {
  const auto all = packed.groups();
  const std::size_t begin = done_;
  std::size_t targets = 0;
  while (done_ < all.size() && (done_ == begin || targets + all[done_].count <= most)) targets += all[done_++].count;
  const auto own = packed.places().subspan(all[begin].first, targets);
  const auto own_lengths = packed.lengths().subspan(all[begin].first, targets);
  places.assign(own.begin(), own.end());
  lengths.assign(own_lengths.begin(), own_lengths.end());
  for (std::size_t g = begin; g < done_; ++g) add_group(all[g].first - all[begin].first, all[g].count, g);
}

void TargetWindow::add_group(std::size_t begin, std::size_t count, std::size_t number) {
  const auto own = std::span(lengths).subspan(begin, count);
  groups.push_back({begin, {count, std::accumulate(own.begin(), own.end(), std::size_t{0}), own.back()}, number});
}

}  // namespace alnsmith::rt::align
