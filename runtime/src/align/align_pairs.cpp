// Pair by pair: windows of pairs are sorted into levels (one per kernel width) and batches, run, and what
// overflowed moves to the next level.
//
// Which level a pair takes depends on lengths, scoring, the core and the scores of a fixed sample only, never on
// timing.
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "align/align.h"
#include "align/batch.h"
#include "align/extent.h"
#include "align/sliced.h"
#include "align/split_run.h"
#include "align/way_back.h"

namespace alnsmith::rt::align {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 18;  // pairs sorted together
constexpr std::size_t kWindowBytes = 64;               // that a pair of the window takes here
constexpr std::uint32_t kFirstLetters = 256;           // that tell whether long local pairs are alike

// The first cache lines of a sequence; the hardware prefetches the rest of a long one.
void prefetch(std::string_view letters) {
  const std::size_t size = std::min<std::size_t>(letters.size(), 1024);
  for (std::size_t at = 0; at < size; at += 64) __builtin_prefetch(letters.data() + at, 0, 2);
  if (size > 0) __builtin_prefetch(letters.data() + size - 1, 0, 2);
  __asm__ volatile("");  // else GCC finds the function to have no effect and drops its calls
}

class PairsRun {
 public:
  PairsRun(Call &call, const Sequences &sequences, std::uint64_t expected)
      : call_(call),
        sequences_(sequences),
        window_(std::clamp<std::size_t>(call.budget() / 4 / kWindowBytes, 64, kWindow)),
        chooser_(call.manifest(), call.scoring(), form_of(call.manifest()),
                 std::min<std::uint64_t>(expected, call.budget() / 256)),
        split_(call, sequences),
        lists_(static_cast<std::size_t>(chooser_.levels())) {
    // One vector of the next kernel holds all pairs: a bit-sliced kernel would be made and loaded for nothing.
    if (chooser_.levels() > 1 && call.info(chooser_.kernel(0)).sliced() &&
        expected <= static_cast<std::uint64_t>(call.info(chooser_.kernel(1)).lanes))
      first_ = 1;
  }

  // `admitted`: all pairs are already, and those with an empty side have their scores.
  Status all(bool admitted) {
    const std::uint64_t n = sequences_.pairs();
    for (std::uint64_t begin = 0; begin < n; begin += window_) {
      const std::uint64_t end = std::min<std::uint64_t>(begin + window_, n);
      window_pairs_ = end - begin;
      for (std::uint64_t id = begin; id < end; ++id)
        if (auto ok = admitted ? take(id) : admit(id); !ok) return ok;
      if (auto ok = run_levels(); !ok || call_.stopped()) return ok;
    }
    return Ok{};
  }

  Status pending(std::span<const Pending> list) {
    for (std::size_t begin = 0; begin < list.size(); begin += window_) {
      const auto part = list.subspan(begin, std::min(window_, list.size() - begin));
      window_pairs_ = part.size();
      for (const Pending &p : part) {
        int level = first_;
        while (level < chooser_.levels() && call_.info(chooser_.kernel(level)).holds() <= p.width) ++level;
        const auto query = static_cast<std::uint32_t>(sequences_.query(p.id).size());
        const auto target = static_cast<std::uint32_t>(sequences_.target(p.id).size());
        const bool promoted = p.width > 0;
        call_.report.promoted += promoted;
        if (auto ok = enqueue(level, {p.id, query, 0, target, 0, promoted}); !ok) return ok;
      }
      if (auto ok = run_levels(); !ok || call_.stopped()) return ok;
    }
    return Ok{};
  }

 private:
  // Bands have no kernels that take several pairs together.
  static Form form_of(const kernels::Manifest &manifest) { return manifest.band_width ? Form::split : Form::pairwise; }

  struct List {
    std::vector<Item> sure, tried;              // exact; to be looked at
    std::optional<std::vector<Batch>> batches;  // of `sure`, where they are made already

    bool empty() const { return batches ? batches->empty() : sure.empty() && tried.empty(); }
  };

  // Puts a pair that is to be aligned on the list of its level.
  Status admit(std::uint64_t id) {
    const auto wanted = admit_pair(call_, sequences_, id);
    if (!wanted) return wanted.error();
    return *wanted ? take(id) : Status(Ok{});
  }

  Status take(std::uint64_t id) {
    const auto query = static_cast<std::uint32_t>(sequences_.query(id).size());
    const auto target = static_cast<std::uint32_t>(sequences_.target(id).size());
    if (query == 0 || target == 0) return Ok{};
    return put(chooser_.choose(first_, query, target), {id, query, 0, target, 0, 0});
  }

  Status enqueue(int level, Item item) { return put(chooser_.choose(level, item.query, item.target), item); }

  Status put(const SuitableLevel &suitable, Item item) {
    if (suitable.level < 0) return Error{sequences_.name(item.id) + ": " + chooser_.rule(item.query, item.target)};
    item.tried = !suitable.exact;
    List &list = lists_[static_cast<std::size_t>(suitable.level)];
    std::vector<Item> &items = suitable.exact ? list.sure : list.tried;
    if (items.empty()) items.reserve(window_pairs_);
    items.push_back(item);
    return Ok{};
  }

  Status run_levels() {
    split_.start_window();
    if (auto ok = keep_first(); !ok) return ok;
    std::vector<int> kernels;
    for (int level = 0; level < chooser_.levels(); ++level)
      if (!lists_[static_cast<std::size_t>(level)].empty()) kernels.push_back(chooser_.kernel(level));
    if (auto ok = call_.obtain(kernels); !ok) return ok;
    for (int level = 0; level < chooser_.levels(); ++level)
      if (auto ok = run_level(level); !ok) return ok;
    return Ok{};
  }

  // Which pairs a bit-sliced kernel takes is known before it is made; where it takes none it is made for nothing. No
  // others come to the first level later.
  Status keep_first() {
    if (first_ >= chooser_.levels() || !call_.info(chooser_.kernel(first_)).sliced()) return Ok{};
    List &list = lists_[static_cast<std::size_t>(first_)];
    if (list.sure.empty() || !list.tried.empty()) return Ok{};
    return keep_sliced(first_, list.sure, list.batches.emplace());
  }

  Status run_level(int level) {
    List list = std::exchange(lists_[static_cast<std::size_t>(level)], {});
    if (call_.stopped()) return call_.outcome();
    if (list.empty()) return Ok{};
    const int kernel = chooser_.kernel(level);
    if (auto ok = call_.obtain(std::span(&kernel, 1)); !ok) return ok;
    if (auto ok = probe(level, list); !ok) return ok;
    list.sure.insert(list.sure.end(), list.tried.begin(), list.tried.end());
    list.tried = {};
    return run_items(level, list.sure, std::move(list.batches));
  }

  // Where a sample of one vector batch overflows in more than a quarter of its pairs, the others go on to the
  // next level untried, if there is one that holds them. Local scores of a pair's first halves are no greater than the
  // pair's: a quarter of the cells may tell as much. Of long pairs that are one batch the first letters are tried.
  Status probe(int level, List &list) {
    const std::size_t lanes = static_cast<std::size_t>(call_.info(chooser_.kernel(level)).lanes), n = list.tried.size();
    const bool few = n <= lanes;
    if (few && !(are_long(list.tried, lanes) && first_overflow(level, list.tried, kFirstLetters)))
      return call_.outcome();
    const std::vector<Item> tried = std::exchange(list.tried, {});
    std::vector<Item> sample;
    for (std::size_t i = 0; !few && i < lanes; ++i) sample.push_back(tried[i * n / lanes]);
    if (first_overflow(level, sample, std::numeric_limits<std::uint32_t>::max())) sample.clear();
    if (auto ok = call_.outcome(); !ok) return ok;
    if (auto ok = run_items(level, sample); !ok) return ok;
    const bool pays = !sample.empty() && flagged_ * 4 <= lanes;
    std::vector<Item> &others =
        pays || level + 1 == chooser_.levels() ? list.tried : lists_[static_cast<std::size_t>(level) + 1].sure;
    others.reserve(others.size() + n);
    for (std::size_t i = 0, taken = 0; i < n; ++i) {
      if (taken < sample.size() && i == taken * n / lanes) {
        ++taken;
        continue;
      }
      const SuitableLevel wider = pays ? SuitableLevel{} : chooser_.choose(level + 1, tried[i].query, tried[i].target);
      if (wider.level < 0)
        list.tried.push_back(tried[i]);
      else if (auto ok = put(wider, tried[i]); !ok)
        return ok;
    }
    return Ok{};
  }

  // Whether the first letters are a small part of the work, also of the pairs that are aligned alone.
  static bool are_long(const std::vector<Item> &items, std::size_t lanes) {
    constexpr std::uint64_t kPart = 64, kFirstCells = std::uint64_t{kFirstLetters} * kFirstLetters;
    const auto is_long = [](const Item &item) {
      return std::uint64_t{item.query} * item.target >= kPart * kFirstCells;
    };
    return items.size() * 4 >= lanes && std::ranges::any_of(items, is_long);
  }

  // Whether the first halves of local pairs, of `most` letters at most, overflow in more than a quarter of the sample.
  bool first_overflow(int level, const std::vector<Item> &sample, std::uint32_t most) {
    if (sample.empty() || !call_.manifest().local || level + 1 == chooser_.levels()) return false;
    const auto first = [most](std::uint32_t letters) { return std::min((letters + 1) / 2, most); };
    const int kernel = chooser_.kernel(level);
    const kernels::KernelInfo &info = call_.info(kernel);
    if (info.form != Form::pairwise) return false;
    Workspace ws;
    set_sides(info, ws, sample.size(), [&](std::size_t i) {
      const Item &item = sample[i];
      return std::pair(sequences_.query(item.id).substr(0, first(item.query)),
                       sequences_.target(item.id).substr(0, first(item.target)));
    });
    const auto longest = [](const auto &side) { return std::ranges::max(side, {}, &std::string_view::size).size(); };
    const std::size_t longest_register = longest(ws.register_side), longest_stream = longest(ws.stream_side);
    if (!way_back_counts(info, longest_register, longest_stream) ||
        Call::need(info, longest_register, longest_stream) > available())
      return false;
    if (!call_.run_pairs(kernel, ws)) return false;
    std::size_t overflowed = 0;
    for (std::size_t l = 0; l < sample.size(); ++l)
      overflowed += ws.status[l] != 0 && !chooser_.exact(level, first(sample[l].query), first(sample[l].target));
    return overflowed * 4 > sample.size();
  }

  // `kept`: the batches of a bit-sliced kernel, where they are made.
  Status run_items(int level, std::vector<Item> &items, std::optional<std::vector<Batch>> kept = {}) {
    flagged_ = 0;
    const int kernel = chooser_.kernel(level);
    const kernels::KernelInfo &info = call_.info(kernel);
    std::vector<Batch> made;
    std::vector<std::uint32_t> alone;
    if (kept) {
      made = *std::move(kept);
    } else if (info.sliced()) {
      if (auto ok = keep_sliced(level, items, made); !ok) return ok;
    } else if (info.form == Form::split) {
      alone.resize(items.size());
      std::iota(alone.begin(), alone.end(), 0u);
    } else {
      made = make_batches(items, info.lanes, info.k, info.query_in_registers);
      alone = split_.take_off(items, made, info, available());
    }
    if (!alone.empty()) {
      std::vector<std::uint8_t> inexact(items.size());
      if (auto ok = split_.run(items, alone, available(), inexact); !ok || call_.stopped()) return ok;
      if (auto ok = promote(level, items, inexact); !ok) return ok;
    }
    if (made.empty()) return Ok{};
    const auto counts = [&](const Batch &batch) {
      return way_back_counts(info, batch.sides.registers, batch.sides.stream);
    };
    // A batch of unlike pairs may need too much memory though no pair alone does.
    std::vector<Batch> batches;
    for (const Batch &batch : made) {
      if (counts(batch)) {
        batches.push_back(batch);
        continue;
      }
      for (std::uint32_t i = 0; i < batch.count; ++i) {
        const Item &item = items[batch.begin + i];
        batches.push_back({batch.begin + i, 1, sides_of({&item, 1}, info.query_in_registers)});
        if (!counts(batches.back()))
          return Error{sequences_.name(item.id) + ": the way back to the begin of " + std::to_string(item.query) +
                       " x " + std::to_string(item.target) +
                       " letters is more than kernels count in 32 bits; ask for " +
                       "`output: [score, end]`, or use shorter sequences"};
      }
    }
    largest_first(batches, call_.threads());
    std::vector<std::uint8_t> flagged(items.size());
    const auto need = [&](std::size_t b) {
      return Call::need(info, batches[b].sides.registers, batches[b].sides.stream);
    };
    const auto describe = [&](std::size_t b) {
      const auto part = std::span(items).subspan(batches[b].begin, batches[b].count);
      const auto longest = std::max_element(part.begin(), part.end(), [](const Item &a, const Item &b) {
        return std::uint64_t{a.query} + a.target < std::uint64_t{b.query} + b.target;
      });
      return sequences_.name(longest->id) + ": a batch of " + std::to_string(info.lanes) + " lanes with a query of " +
             std::to_string(longest->query) + " and a target of " + std::to_string(longest->target) + " letters";
    };
    const auto body = [&](std::size_t b, Workspace &ws) { run_batch(kernel, items, batches[b], flagged, ws); };
    // Short reads lie anywhere in memory: fetch the next batch while this one is computed.
    const auto soon = [&](std::size_t b) {
      for (const Item &item : std::span(items).subspan(batches[b].begin, batches[b].count)) {
        prefetch(sequences_.query(item.id));
        prefetch(sequences_.target(item.id));
      }
    };
    call_.used.insert(info.entry);
    if (auto ok = call_.for_each(batches.size(), available(), need, body, describe, soon); !ok || call_.stopped())
      return ok;
    return promote(level, items, flagged);
  }

  // The batches of a bit-sliced kernel. Pairs that are faster alone, and batches that are too few pairs, or too unlike,
  // go to the next level.
  Status keep_sliced(int level, std::vector<Item> &items, std::vector<Batch> &kept) {
    const kernels::KernelInfo &info = call_.info(chooser_.kernel(level));
    const bool last = level + 1 == chooser_.levels();
    const auto pass_on = [&](std::span<const Item> part) -> Status {
      for (const Item &item : part)
        if (auto ok = enqueue(level + 1, item); !ok) return ok;
      return Ok{};
    };
    std::vector<Batch> made = make_batches(items, info.lanes, info.k, info.query_in_registers);
    if (last) return kept = std::move(made), Ok{};
    for (const std::uint32_t at : split_.take_off(items, made, info, available()))
      if (auto ok = pass_on({&items[at], 1}); !ok) return ok;
    for (const Batch &batch : made) {
      const auto part = std::span(items).subspan(batch.begin, batch.count);
      const auto wider = chooser_.choose(level + 1, part.front().query, part.front().target).level;
      if (wider < 0 || sliced_pays(info, call_.info(chooser_.kernel(wider)), items, batch, available()))
        kept.push_back(batch);
      else if (auto ok = pass_on(part); !ok)
        return ok;
    }
    return Ok{};
  }

  // Query and target of n pairs, lane by lane; lanes left over repeat the last pair.
  template <class Pair>
  static void set_sides(const kernels::KernelInfo &info, Workspace &ws, std::size_t n, Pair pair) {
    const auto lanes = static_cast<std::size_t>(info.lanes);
    ws.register_side.resize(lanes);
    ws.stream_side.resize(lanes);
    auto &queries = info.query_in_registers ? ws.register_side : ws.stream_side;
    auto &targets = info.query_in_registers ? ws.stream_side : ws.register_side;
    for (std::size_t l = 0; l < n; ++l) std::tie(queries[l], targets[l]) = pair(l);
    for (std::size_t l = n; l < lanes; ++l) queries[l] = queries[n - 1], targets[l] = targets[n - 1];
  }

  void run_batch(int kernel, const std::vector<Item> &items, Batch batch, std::vector<std::uint8_t> &flagged,
                 Workspace &ws) {
    const kernels::KernelInfo &info = call_.info(kernel);
    set_sides(info, ws, batch.count, [&](std::size_t i) {
      const Item &item = items[batch.begin + i];
      return std::pair(sequences_.query(item.id), sequences_.target(item.id));
    });
    if (!call_.run_pairs(kernel, ws)) return;
    const KernelResults results = ws.stored();
    call_.expect(ws.found, batch.count);
    ws.ids.clear();
    ws.places.clear();
    std::uint64_t cells = 0;
    for (std::uint32_t l = 0; l < batch.count; ++l) {
      const Item &item = items[batch.begin + l];
      flagged[batch.begin + l] = item.tried && ws.status[l] != 0;
      if (flagged[batch.begin + l]) continue;
      ws.ids.push_back(item.id);
      ws.places.push_back(l);
      cells += std::uint64_t{item.query} * item.target;
    }
    sequences_.add_to(ws.found, ws.ids, cells, results, ws.places, call_.minimize());
    call_.deliver(ws.found);
  }

  // Moves what overflowed to the next level, in the order of ids.
  Status promote(int level, const std::vector<Item> &items, const std::vector<std::uint8_t> &flagged) {
    std::vector<Item> retries;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (flagged[i]) retries.push_back(items[i]);
    std::sort(retries.begin(), retries.end(), [](const Item &a, const Item &b) { return a.id < b.id; });
    flagged_ += retries.size();
    for (Item item : retries) {
      call_.report.promoted += !item.promoted;  // counts once, also where it overflows again
      item.promoted = item.in_lanes = 1;
      if (auto ok = enqueue(level + 1, item); !ok) return ok;
    }
    return Ok{};
  }

  std::size_t available() const {
    const std::size_t own = window_pairs_ * kWindowBytes;
    return call_.budget() > own ? call_.budget() - own : 0;
  }

  Call &call_;
  const Sequences &sequences_;
  std::size_t window_;
  std::size_t window_pairs_ = 0;
  Chooser chooser_;
  int first_ = 0;  // level
  SplitRun split_;
  std::vector<List> lists_;
  std::size_t flagged_ = 0;  // by the last run_items
};

}  // namespace

Status align_pairs(Call &call, const Sequences &sequences, bool admitted) {
  if (ExtentRun extents(call, sequences); extents.suits()) return extents.run(admitted);
  return PairsRun(call, sequences, sequences.pairs()).all(admitted);
}

Status align_pending(Call &call, const Sequences &sequences, std::span<const Pending> pending) {
  return PairsRun(call, sequences, pending.size()).pending(pending);
}

}  // namespace alnsmith::rt::align
