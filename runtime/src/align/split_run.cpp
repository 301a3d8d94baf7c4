// See split_run.h.
#include "align/split_run.h"

#include <algorithm>
#include <set>

#include "align/band.h"
#include "align/core_costs.h"
#include "align/way_back.h"

namespace alnsmith::rt::align {

// How many times less work a band is than the whole matrix, where no sample has told: at 5 % errors three times at
// 4,000 letters and four times at 10,000 (docs/performance.md). This matters where lanes are fast. Bit-sliced kernels
// always are. Against 8-bit kernels whose scores are relative to a base, a band breaks even at some 3,000 letters and
// gains from there on.
constexpr double kBandSaves = 3, kLettersOfBand = 2000;
bool saves_by_band(const kernels::KernelInfo &lanes) { return lanes.sliced() || lanes.based; }
double band_saves(const kernels::KernelInfo &lanes, const Item &item) {
  if (lanes.sliced()) return kBandSaves;
  return lanes.based ? std::clamp(std::min(item.query, item.target) / kLettersOfBand, 1.0, kBandSaves) : 1;
}

// The factor on the cost of a pair aligned alone where the lanes that it competes with hold scores relative to a base,
// or are bit-sliced. For scores it is the core's own; for ways back, which a band shortens less, every core takes that
// of Zen 5 (with less, CIGARs of 1,000 letters would run alone on Zen 4, at 0.85 of the speed of lanes).
constexpr double kWaysBack = 1.26;
double beside_lanes(const kernels::KernelInfo &lanes) {
  return lanes.way_back.patch_rows > 0 ? kWaysBack : core_costs().based_lanes;
}

// Where at least kManyBands pairs may take a band, kTriedBands of them are run first, to see what bands save.
constexpr std::size_t kManyBands = 256, kTriedBands = 4;

// How many pairs of lengths have their kernels remembered.
constexpr std::size_t kRemembered = 256;

SplitRun::SplitRun(Call &call, const Sequences &sequences)
    : call_(call),
      sequences_(sequences),
      chooser_(call.manifest(), call.scoring(), Form::split, kRemembered),
      tries_(kRemembered) {
  for (int level = 0; level < chooser_.levels(); ++level)
    for (const int one : chooser_.kernels(level))
      least_for_band_ = std::min(least_for_band_, SplitPair::least_for_band(call_.info(one)));
}

bool SplitRun::tries_band(const Item &item) {
  if (item.query < least_for_band_) return false;  // the rest is too slow for short reads
  const int level = std::max(0, begin(item).level);
  return tries_.get(level, item.query, item.target,
                    [&] { return takes_band(call_.info(kernels(level, item).band), item); });
}

SplitPair::Kernels SplitRun::kernels(int level, const Item &item) const {
  const int whole = kernel(level, item);
  SplitPair::Kernels own{whole, whole};
  if (call_.info(whole).split.stripes || item.query < least_for_band_) return own;
  double least = split_cost(call_.manifest(), call_.info(whole), item.query, item.target);
  // All of the matrix may run bit by bit, a band does not.
  const int last = call_.info(whole).sliced() ? chooser_.levels() - 1 : level;
  for (int other = level; other <= last; ++other)
    for (const int one : chooser_.kernels(other)) {
      const kernels::KernelInfo &info = call_.info(one);
      if (!takes_band(info, item) || !chooser_.exact(info, item.query, item.target)) continue;
      const double cost = band_cost(call_.manifest(), info, item.query, item.target);
      if (cost < least) own.band = one, least = cost;
    }
  return own;
}

std::vector<int> SplitRun::wanted_of(int level, const Item &item) const {
  const SplitPair::Kernels own = kernels(level, item);
  return own.band == own.whole ? std::vector{own.whole} : std::vector{own.whole, own.band};
}

std::optional<double> SplitRun::tried_bands(const std::vector<Item> &items, const kernels::KernelInfo &lanes,
                                            std::size_t available) {
  if (!saves_by_band(lanes)) return std::nullopt;
  std::vector<const Item *> some;
  for (const Item &item : items)
    if (item.query >= least_for_band_ && !item.in_lanes && begin(item).level >= 0 && tries_band(item))
      some.push_back(&item);
  if (some.size() < kManyBands) return std::nullopt;
  double whole = 0, run = 0;
  for (std::size_t i = 0; i < kTriedBands; ++i) {
    const Item &item = *some[(2 * i + 1) * some.size() / (2 * kTriedBands)];
    const int level = begin(item).level;
    if (need(level, item) > available || !call_.obtain(wanted_of(level, item))) return std::nullopt;
    SplitPair pair;
    if (!start(pair, level, item, 1)) return std::nullopt;
    do pair.work();
    while (pair.go_on());
    if (call_.stopped()) return std::nullopt;
    const auto cost = [&](const kernels::KernelInfo &one) {
      return split_cost(call_.manifest(), one, item.query, item.target);
    };
    const double all_rows = static_cast<double>(split_stages(pair.kernel(), item.query)) * item.target;
    whole += cost(call_.info(kernel(level, item)));
    run += (pair.banded() ? kBandRow : 1) * cost(pair.kernel()) * static_cast<double>(pair.rows_run()) / all_rows;
  }
  return whole / run;
}

std::vector<std::uint32_t> SplitRun::take_off(std::vector<Item> &items, std::vector<Batch> &batches,
                                              const kernels::KernelInfo &lanes, std::size_t available) {
  if (chooser_.levels() == 0) return {};
  // Kernels with a base store 8 bits, yet these pairs may have outgrown 8 bits before, with targets that several
  // queries share.
  const int outgrown =
      lanes.based && std::ranges::all_of(items, [](const Item &i) { return i.promoted; }) ? 16 : lanes.width;
  const auto too_narrow = [&](int kernel) {
    return call_.info(kernel).split.stripes && call_.info(kernel).width < outgrown;
  };
  wider_ = 0;
  while (wider_ + 1 < chooser_.levels() && std::ranges::all_of(chooser_.kernels(wider_), too_narrow)) ++wider_;
  if (!tried_) tried_ = tried_bands(items, lanes, available);
  const auto cost_of = [&](const Item &item) {
    const SuitableLevel suitable = begin(item);
    const double whole =
        suitable.level < 0 ? split_cost(call_.manifest(), first(item), item.query, item.target) : suitable.cost;
    if (!tries_band(item)) return whole;
    if (tried_ && saves_by_band(lanes)) return beside_lanes(lanes) * whole / *tried_;
    const kernels::KernelInfo &band = call_.info(kernels(std::max(0, suitable.level), item).band);
    return std::min(whole, split_cost(call_.manifest(), band, item.query, item.target) / band_saves(lanes, item));
  };
  struct Alone {
    bool counts = false;
    double cost = 0;
  };
  ByLengths<Alone> known(kRemembered);  // many reads have few lengths
  const auto alone = [&](const Item &item) -> const Alone & {
    return known.get(item.promoted, item.query, item.target,
                     [&] { return Alone{begin(item).level >= 0, cost_of(item)}; });
  };
  const auto possible = [&](const Item &item) { return !item.in_lanes && alone(item).counts; };
  const auto cost = [&](const Item &item) { return alone(item).cost; };
  const auto fits = [&](std::size_t registers, std::size_t stream) {
    return Call::need(lanes, registers, stream) <= available;
  };
  // A bit-sliced batch is hundreds of pairs, so most calls have less than one per thread: the choice between lanes and
  // pairs alone has been weighed for a single thread there.
  const int threads = lanes.sliced() ? 1 : call_.threads();
  return split_off(items, batches, lanes, cost, call_.info(chooser_.kernel(0)).split.always, possible, fits, threads);
}

Status SplitRun::run(const std::vector<Item> &items, std::span<const std::uint32_t> alone, std::size_t available,
                     std::vector<std::uint8_t> &inexact) {
  items_ = &items;
  inexact_ = &inexact;
  lists_.assign(static_cast<std::size_t>(chooser_.levels()), {});
  const auto enqueue = [&](const SuitableLevel &suitable, std::uint32_t at) {
    inexact[at] = suitable.level < 0;
    if (suitable.level >= 0) lists_[static_cast<std::size_t>(suitable.level)].push_back(at);
  };
  for (const std::uint32_t at : alone) enqueue(begin(items[at]), at);
  for (int level = 0; level < chooser_.levels(); ++level) {
    if (lists_[static_cast<std::size_t>(level)].empty()) continue;
    std::set<int> wanted;
    for (const std::uint32_t at : lists_[static_cast<std::size_t>(level)])
      for (const int one : wanted_of(level, items[at])) wanted.insert(one);
    if (auto ok = call_.obtain(std::vector(wanted.begin(), wanted.end())); !ok) return ok;
    if (auto ok = run_level(level, available); !ok || call_.stopped()) return ok;
    for (const std::uint32_t at : lists_[static_cast<std::size_t>(level)]) {
      if (!inexact[at]) continue;
      enqueue(chooser_.choose(level + 1, items[at].query, items[at].target), at);
      // Counts once; a pair that finds no wider kernel here is counted where it goes.
      const bool first = begin(items[at]).level == level;
      call_.report.promoted += first && !inexact[at] && !items[at].promoted;
    }
  }
  for (const kernels::KernelInfo *kernel : used_) call_.used.insert(kernel->entry);
  call_.report.banded += banded_.exchange(0);
  return Ok{};
}

// The longest first. Pairs are aligned side by side; all threads share one that would keep the others waiting.
Status SplitRun::run_level(int level, std::size_t available) {
  std::vector<std::uint32_t> &list = lists_[static_cast<std::size_t>(level)];
  const auto cells = [&](std::uint32_t at) { return std::uint64_t{(*items_)[at].query} * (*items_)[at].target; };
  std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) { return cells(a) > cells(b); });
  std::uint64_t left = 0;
  for (const std::uint32_t at : list) left += cells(at);
  const auto threads = static_cast<std::uint64_t>(call_.threads());
  std::size_t shared = 0;
  for (; shared < list.size(); ++shared) {
    // Threads share a pair by its stages; two pairs of about the same size are better aligned side by side.
    const bool divides = workers(level, list[shared]) > 1;
    if (!divides || 4 * cells(list[shared]) * threads <= 5 * left) break;
    if (auto ok = together(level, list[shared], available); !ok || call_.stopped()) return ok;
    left -= cells(list[shared]);
  }
  const auto others = std::span(list).subspan(shared);
  return call_.for_each(
      others.size(), available, [&](std::size_t i) { return need(level, (*items_)[others[i]]); },
      [&](std::size_t i, Workspace &ws) {
        std::unique_ptr<SplitPair> pair = take(need(level, (*items_)[others[i]]));
        if (!start(*pair, level, (*items_)[others[i]], 1)) return;
        do pair->work();
        while (pair->go_on());
        if (!call_.stopped()) finish(*pair, others[i], ws.found);
        give(std::move(pair));
      },
      [&](std::size_t i) { return name(others[i]); });
}

Status SplitRun::together(int level, std::uint32_t at, std::size_t available) {
  std::unique_ptr<SplitPair> own = take(need(level, (*items_)[at]));
  SplitPair &pair = *own;
  const std::size_t count = workers(level, at);
  const auto describe = [&](std::size_t) { return name(at); };
  const auto begin = [&](std::size_t, Workspace &) { start(pair, level, (*items_)[at], count); };
  const auto all = [&](std::size_t) {
    return need(level, (*items_)[at]) + (count - 1) * (info(level, at).scratch_fixed + stage_bytes(info(level, at)));
  };
  const auto nothing = [](std::size_t) { return std::size_t{0}; };
  if (auto ok = call_.for_each(1, available, all, begin, describe); !ok || call_.stopped()) return ok;
  const auto work = [&](std::size_t, Workspace &) { pair.work(); };
  bool more = false;
  const auto go_on = [&](std::size_t, Workspace &) { more = pair.go_on(); };
  do {
    if (auto ok = call_.for_each(count, available, nothing, work, describe); !ok || call_.stopped()) return ok;
    if (auto ok = call_.for_each(1, available, nothing, go_on, describe); !ok || call_.stopped()) return ok;
  } while (more);
  Found found;
  finish(pair, at, found);
  give(std::move(own));
  return Ok{};
}

// Memory that has been written to before is much faster than new memory. One that holds more than `need` is dropped,
// since other pairs may need the room.
std::unique_ptr<SplitPair> SplitRun::take(std::size_t need) {
  const std::scoped_lock lock(mutex_);
  while (!idle_.empty()) {
    std::unique_ptr<SplitPair> pair = std::move(idle_.back());
    idle_.pop_back();
    if (pair->held() <= need) return pair;
  }
  return std::make_unique<SplitPair>();
}
void SplitRun::give(std::unique_ptr<SplitPair> pair) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(pair));
}

bool SplitRun::start(SplitPair &pair, int level, const Item &item, std::size_t threads) const {
  return pair.start(call_, kernels(level, item), sequences_.query(item.id), sequences_.target(item.id), allowed(),
                    threads);
}

// From any thread.
void SplitRun::finish(SplitPair &pair, std::uint32_t at, Found &found) {
  const Item &item = (*items_)[at];
  const KernelResults results = pair.stored();
  {
    const std::scoped_lock lock(mutex_);
    used_.insert(&pair.kernel());
  }
  if (!pair.exact() && !chooser_.exact(pair.kernel(), item.query, item.target)) {
    (*inexact_)[at] = 1;
    return;
  }
  banded_ += pair.banded();
  call_.expect(found, 1);
  sequences_.add_to(found, item.id, std::uint64_t{item.query} * item.target, results, 0, call_.minimize());
  call_.deliver(found);
}

std::size_t SplitRun::need(int level, const Item &item) const {
  std::size_t most = 0;
  for (const int one : wanted_of(level, item))
    most = std::max(most, split_need(call_.info(one), item.query, item.target, allowed(), call_.manifest().band_width));
  return most;
}

// What a pair may keep for the way back, so that there is memory for one pair per thread.
std::size_t SplitRun::allowed() const { return call_.budget() / static_cast<std::size_t>(call_.threads()); }

std::size_t SplitRun::workers(int level, std::uint32_t at) const {
  if (call_.manifest().band_width) return 1;
  const kernels::KernelInfo &kernel = info(level, at);
  const Item &item = (*items_)[at];
  const std::size_t threads = useful_threads(kernel, item.target, static_cast<std::size_t>(call_.threads()));
  return std::min(threads, split_stages(kernel, item.query, threads));
}

std::string SplitRun::name(std::uint32_t at) const {
  const Item &item = (*items_)[at];
  return sequences_.name(item.id) + ": a query of " + std::to_string(item.query) + " and a target of " +
         std::to_string(item.target) + " letters";
}

}  // namespace alnsmith::rt::align
