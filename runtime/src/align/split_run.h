// The pairs of a call that are aligned one at a time, all lanes on each: which they are, and how threads share them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "align/align.h"
#include "align/split.h"
#include "align/split_pair.h"

namespace alnsmith::rt::align {

class SplitRun {
 public:
  SplitRun(Call &call, const Sequences &sequences);

  // Before the pairs of a window: what a few of those before took is forgotten.
  void start_window() { tried_.reset(); }

  // Takes the pairs that are faster alone, or do not fit in lanes, out of `batches` (split_off). What was promoted here
  // stays: a split kernel may be what could not hold it.
  std::vector<std::uint32_t> take_off(std::vector<Item> &items, std::vector<Batch> &batches,
                                      const kernels::KernelInfo &lanes, std::size_t available);

  // Aligns them, each with the first kernel that holds it; those that none could hold are marked in `inexact`.
  Status run(const std::vector<Item> &items, std::span<const std::uint32_t> alone, std::size_t available,
             std::vector<std::uint8_t> &inexact);

 private:
  Status run_level(int level, std::size_t available);
  Status together(int level, std::uint32_t at, std::size_t available);
  std::unique_ptr<SplitPair> take(std::size_t need);
  void give(std::unique_ptr<SplitPair> pair);
  bool start(SplitPair &pair, int level, const Item &item, std::size_t threads) const;
  // Whether a band of the matrix is tried for a pair.
  bool tries_band(const Item &item);
  bool takes_band(const kernels::KernelInfo &kernel, const Item &item) const {
    return SplitPair::band_to_try(call_, kernel, item.query, item.target).has_value();
  }
  // What a band takes less than all of the matrix, as a few pairs say; nothing where not many may take one.
  std::optional<double> tried_bands(const std::vector<Item> &items, const kernels::KernelInfo &lanes,
                                    std::size_t available);
  // Where a pair begins: what has overflowed in lanes would in stripes as narrow.
  SuitableLevel begin(const Item &item) { return chooser_.choose(item.promoted ? wider_ : 0, item.query, item.target); }
  // The first one that runs, where one does.
  const kernels::KernelInfo &first(const Item &item) {
    return call_.info(kernel(std::max(0, begin(item).level), item));
  }
  int kernel(int level, const Item &item) const { return chooser_.kernel(level, item.query, item.target); }
  const kernels::KernelInfo &info(int level, std::uint32_t at) const {
    return call_.info(kernel(level, (*items_)[at]));
  }
  // What a pair runs (split_pair.h), and those of them that differ.
  SplitPair::Kernels kernels(int level, const Item &item) const;
  std::vector<int> wanted_of(int level, const Item &item) const;
  void finish(SplitPair &pair, std::uint32_t at, Found &found);
  // Threads that can share the pair.
  std::size_t workers(int level, std::uint32_t at) const;
  std::size_t need(int level, const Item &item) const;
  std::size_t allowed() const;
  std::string name(std::uint32_t at) const;

  Call &call_;
  const Sequences &sequences_;
  Chooser chooser_;
  std::size_t least_for_band_ = std::numeric_limits<std::size_t>::max();  // letters of a query
  ByLengths<bool> tries_;                                                 // by level
  std::optional<double> tried_;                                           // by some of the window's pairs
  int wider_ = 0;  // the first level that pairs may take which overflowed before they came here
  const std::vector<Item> *items_ = nullptr;
  std::vector<std::uint8_t> *inexact_ = nullptr;
  std::vector<std::vector<std::uint32_t>> lists_;  // by level
  std::vector<std::unique_ptr<SplitPair>> idle_;
  std::mutex mutex_;
  std::set<const kernels::KernelInfo *> used_;
  std::atomic<std::uint64_t> banded_{0};
};

}  // namespace alnsmith::rt::align
