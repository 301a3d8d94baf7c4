// See shape.h.
#include "align/shape.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "align/core_costs.h"
#include "align/lane_loading.h"
#include "align/packed_groups.h"
#include "align/radix_sort.h"
#include "align/split.h"

namespace alnsmith::rt::align {
namespace {

// Operations a cell, by `alnsmith generate --explain`: the recurrence, and what a score costs pair by pair under a
// matrix, where each lane blends those of all letters or looks up its own, whichever is less; targets in lanes share a
// profile of the query.
constexpr double kRecurrence = 9, kLetter = 2, kLookUp = 11;
// What a score of state sets costs pair by pair: each lane's letters are loaded, met and blended for every cell, where
// targets in lanes have a profile of the query's letters. Measured on Zen 5: 1.5 times the time of a vector of cells.
constexpr double kMeets = 4;
// In stripes, whose scores are loaded from a profile. Measured on Zen 5 (docs/performance.md).
constexpr double kStriped = 15;
// With the way back, where each lane has a pair for itself: patches run again, most of them for one lane alone.
constexpr double kWayBack = 2;

// Each pair's letters are packed and sorted anew where targets in lanes are packed once: a share of short pairs' time.
constexpr double kPackedAnew = 1.1;

// Groups of targets from which on what the lanes of the last one leave empty does not count.
constexpr std::size_t kManyGroups = 16;
// Targets of one query that are asked one by one whether they are faster alone.
constexpr std::size_t kMostAlone = 64;

double letters_of(std::span<const std::string_view> sequences) {
  return std::accumulate(sequences.begin(), sequences.end(), 0.0,
                         [](double sum, std::string_view s) { return sum + static_cast<double>(s.size()); });
}

// The one that serves a scoring; null if there is none.
const kernels::KernelInfo *bit_sliced(const kernels::Manifest &manifest, const kernels::Values &scoring) {
  const auto found = std::ranges::find_if(manifest.kernels, [&](const kernels::KernelInfo &kernel) {
    return kernel.form == Form::pairwise && kernel.sliced() && kernel.usable.holds(scoring);
  });
  return found == manifest.kernels.end() ? nullptr : &*found;
}

// Letters that one query meets lane by lane: those of the longest lane of each group that a call makes of targets of
// these lengths, short to long.
double grouped_columns(const kernels::KernelInfo &kernel, std::span<const std::size_t> lengths) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const std::size_t most = kernel.refills() ? lanes * kTargetsPerLane : lanes;
  double columns = 0;
  for (std::size_t end = lengths.size(), group = 0; end > 0; end -= group) {
    group = std::min(end, most);
    const auto part = lengths.subspan(end - group, group);
    columns += static_cast<double>(kernel.refills() ? refilled_columns(kernel, part) : part.back());
  }
  return columns;
}

// The same of a call's targets, one at least.
double shared_columns(const kernels::KernelInfo &kernel, std::span<const std::string_view> targets) {
  const std::size_t most = static_cast<std::size_t>(kernel.lanes) * (kernel.refills() ? kTargetsPerLane : 1);
  if (targets.size() >= kManyGroups * most) return letters_of(targets) / kernel.lanes;
  std::vector<std::size_t> lengths;
  for (const std::string_view target : targets) lengths.push_back(target.size());
  if (!std::ranges::is_sorted(lengths)) std::ranges::sort(lengths);  // a database's block lies by length
  return grouped_columns(kernel, lengths);
}

// Operations of queries of so many letters together with targets that share lanes, `columns` of them as
// grouped_columns() counts.
double targets_work(const kernels::Manifest &manifest, double query_letters, double columns) {
  return cell_work(manifest, Form::shared_profile) * query_letters * columns;
}

// Operations of pairs side by side, of so many cells together: vectors are full, but one has as many cells as the
// largest pair in it.
double pairs_work(const kernels::Manifest &manifest, int lanes, double cells, double largest) {
  return kPackedAnew * cell_work(manifest, Form::pairwise) * std::max(cells / lanes, largest);
}

// Vectors of cells of form `pairwise` that a pair takes alone, by the kernel that takes least. Stripes of less than
// `width` bits cannot hold it, nor those of bits another scoring.
double least_split_cost(const kernels::Manifest &manifest, const kernels::Values &scoring, std::size_t query,
                        double target, int width) {
  double least = std::numeric_limits<double>::infinity();
  for (const kernels::KernelInfo &kernel : manifest.kernels)
    if (kernel.form == Form::split && (!kernel.split.stripes || kernel.width >= width) &&
        (!kernel.sliced() || kernel.usable.holds(scoring)))
      least = std::min(least, split_cost(manifest, kernel, query, target));
  return least;
}

// Vectors of cells of form `pairwise` where each query meets each target alone, by the kernels of its own that take
// least.
double split_vectors(const kernels::Manifest &manifest, const kernels::Values &scoring, const Sequences &sequences) {
  const auto targets = static_cast<double>(sequences.targets.size());
  const double target = letters_of(sequences.targets) / targets;
  double vectors = 0;
  for (const std::string_view query : sequences.queries)
    vectors += targets * least_split_cost(manifest, scoring, query.size(), target, 0);
  return vectors;
}

}  // namespace

std::vector<std::uint32_t> by_length(std::span<const std::string_view> sequences) {
  std::vector<std::uint64_t> keys;  // length and place in one number, so that sorting looks at nothing else
  keys.reserve(sequences.size());
  for (std::size_t i = 0; i < sequences.size(); ++i)
    if (const std::uint64_t letters = sequences[i].size(); letters > 0) keys.push_back(letters << 32 | i);
  if (!std::ranges::is_sorted(keys)) {
    const std::uint64_t longest = std::ranges::max(keys) >> 32;
    std::vector<std::uint64_t> spare(keys.size());
    const auto sorted = radix_sort(std::span(keys), std::span(spare), 0, static_cast<std::uint32_t>(longest),
                                   [](std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); });
    if (sorted.data() == spare.data()) keys.swap(spare);
  }
  std::vector<std::uint32_t> places(keys.size());
  std::transform(keys.begin(), keys.end(), places.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return places;
}

const kernels::KernelInfo *widest(const kernels::Manifest &manifest, Form form) {
  const kernels::KernelInfo *found = nullptr;
  for (const kernels::KernelInfo &kernel : manifest.kernels)
    if (kernel.form == form && !kernel.sliced() && (!found || kernel.lanes > found->lanes)) found = &kernel;
  return found;
}

double cell_work(const kernels::Manifest &manifest, Form form) {
  if (form == Form::shared_profile || form == Form::extent) return kRecurrence;
  const bool matrix = manifest.matrix != kernels::MatrixKind::none;
  const double blended = matrix ? kLetter * static_cast<double>(manifest.letters.size()) : 0;
  if (form == Form::split) return core_costs().passed_on * (kRecurrence + blended);
  const double score = manifest.sets.empty() ? std::min(blended, kLookUp) : kMeets;
  const bool walks = manifest.outputs.contains(kBegins.query);
  return (walks ? kWayBack : 1) * (kRecurrence + score);
}

double split_work(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel) {
  const double own = kernel.split.stripes ? kStriped : cell_work(manifest, Form::split);
  return own / cell_work(manifest, Form::pairwise);
}

bool pairs_suit(const kernels::Manifest &manifest, const kernels::Values &scoring, const Sequences &sequences) {
  const kernels::KernelInfo *shared = widest(manifest, Form::shared_profile), *pairs = widest(manifest, Form::pairwise);
  if (!shared || !pairs) return !shared;
  const double query_letters = letters_of(sequences.queries), target_letters = letters_of(sequences.targets);
  const double cells = query_letters * target_letters;
  if (cells < kSmallCall) return false;
  const double columns = sequences.packed ? sequences.packed->columns() : shared_columns(*shared, sequences.targets);
  const double as_targets = targets_work(manifest, query_letters, columns);
  const double mean = cells / static_cast<double>(sequences.pairs());
  const auto in_lanes = [&](const kernels::KernelInfo &kernel) {
    return pairs_work(manifest, kernel.lanes, cells, mean) * kernel.work / 100;
  };
  const kernels::KernelInfo *bits = bit_sliced(manifest, scoring);
  const double as_pairs = bits ? std::min(in_lanes(*pairs), in_lanes(*bits)) : in_lanes(*pairs);
  if (as_pairs < as_targets) return true;
  return cell_work(manifest, Form::pairwise) * split_vectors(manifest, scoring, sequences) < as_targets;
}

std::vector<std::size_t> pairs_suit_rests(const kernels::Manifest &manifest, const kernels::Values &scoring,
                                          const kernels::KernelInfo &shared, std::span<const Rest> rests) {
  const auto together = [&](const Rest &rest, std::size_t taken) {
    const auto left = std::span(rest.targets).first(rest.targets.size() - taken);
    return targets_work(manifest, static_cast<double>(rest.query), grouped_columns(shared, left));
  };
  std::vector<std::size_t> taken;
  std::size_t longest_query = 0, longest_target = 0;
  double as_targets = 0, cells = 0;
  for (const Rest &rest : rests) {
    taken.push_back(rest.targets.size());
    longest_query = std::max(longest_query, rest.query);
    as_targets += together(rest, 0);
    for (const std::size_t target : rest.targets) {
      longest_target = std::max(longest_target, target);
      cells += static_cast<double>(rest.query) * static_cast<double>(target);
    }
  }
  const double largest = static_cast<double>(longest_query) * static_cast<double>(longest_target);
  if (pairs_work(manifest, shared.lanes, cells, largest) < as_targets) return taken;
  const double pair_work = cell_work(manifest, Form::pairwise), shared_work = cell_work(manifest, Form::shared_profile);
  for (std::size_t i = 0; i < rests.size(); ++i) {
    const Rest &rest = rests[i];
    std::size_t best = 0;
    double alone = 0, least = together(rest, 0);
    for (std::size_t n = 1; n <= std::min(rest.targets.size(), kMostAlone); ++n) {
      const auto target = static_cast<double>(rest.targets[rest.targets.size() - n]);
      alone += pair_work * least_split_cost(manifest, scoring, rest.query, target, shared.width);
      if (alone > least) break;
      if (const double all = alone + together(rest, n); all < least) best = n, least = all;
    }
    taken[i] = (together(rest, 0) - least) * shared.lanes < shared_work * kSmallCall ? 0 : best;
  }
  return taken;
}

}  // namespace alnsmith::rt::align
