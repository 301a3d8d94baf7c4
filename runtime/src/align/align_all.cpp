// Each query with each target: targets sorted by length are packed once and serve all queries of a block; the pairs
// themselves exist only as ids of what overflowed.
//
// A group is as many targets as the widest vector holds; kernels with fewer lanes run it in parts. Kernels that refill
// their lanes take groups several times as large, in one part: a lane's targets follow each other, so that only the
// ends of the lanes are uneven.
#include <algorithm>
#include <functional>
#include <mutex>
#include <set>

#include "align/align.h"
#include "align/lane_loading.h"
#include "align/packed_groups.h"
#include "align/query_block.h"
#include "align/shape.h"
#include "align/target_window.h"
#include "align/tasks_of_all.h"

namespace alnsmith::rt::align {
namespace {

using Group = TargetWindow::Group;
using Task = TaskOfAll;

class AllRun {
 public:
  AllRun(Call &call, const Sequences &sequences, Form form = Form::shared_profile, const Chooser::Filter &possible = {})
      : call_(call),
        sequences_(sequences),
        chooser_(call.manifest(), call.scoring(), form, 1024, possible),
        packed_(sequences.packed) {
    for (const kernels::KernelInfo &kernel : call.manifest().kernels) has_pairs_ |= kernel.form == Form::pairwise;
    for (int level = 0; level < chooser_.levels(); ++level) lanes_ = std::max(lanes_, info(level).lanes);
    trying_.assign(static_cast<std::size_t>(chooser_.levels()), has_pairs_);
    mapped_.resize(trying_.size());
    for (int level = 0; packed_ && level < chooser_.levels(); ++level)
      mapped_[static_cast<std::size_t>(level)] = packed_->serves(call.manifest(), info(level));
    if (std::ranges::find(mapped_, 1) == mapped_.end()) packed_ = nullptr;
  }

  bool possible() const { return chooser_.levels() > 0; }
  bool takes_packed() const { return packed_ != nullptr; }

  // Blocks of queries whose codes fit a quarter of the memory; for each, windows of targets.
  Status run() {
    const std::size_t quarter = call_.budget() / 4;
    for (std::size_t q = 0; q < sequences_.queries.size();) {
      if (auto ok = block_.encode(call_, sequences_, q, quarter); !ok) return ok;
      if (queries().empty()) continue;
      // A window's flagged pairs may take another quarter.
      const std::size_t most = std::max<std::size_t>(quarter / (sizeof(Pending) * 2 * queries().size() + 16), 64);
      window_ = {};
      const auto size = [&] { return window_.group_size(info(0), lanes_, call_.threads(), call_.budget()); };
      while (window_.next(sequences_, packed_, most, size))
        if (auto ok = run_window(); !ok || call_.stopped()) return ok;
    }
    return Ok{};
  }

 private:
  const std::vector<BlockQuery> &queries() const { return block_.queries(); }
  bool extent() const { return info(0).form == Form::extent; }  // each is tried, and what no kernel holds is dropped
  const kernels::KernelInfo &info(int level) const { return call_.info(chooser_.kernel(level)); }

  Status run_window() {
    if (window_.places.empty()) return Ok{};
    if (auto ok = probe(); !ok) return ok;
    if (auto ok = obtain(); !ok) return ok;

    const auto tasks = tasks_of_all(window_.groups, queries(), call_.threads());
    const auto need = [&](std::size_t i) { return task_need(tasks[i].group); };
    const auto describe = [&](std::size_t i) {
      return "a batch of " + described(static_cast<std::size_t>(lanes_), tasks[i].group.lengths.longest);
    };
    const auto body = [&](std::size_t i, Workspace &ws) { run_task(tasks[i], ws); };
    if (auto ok = call_.for_each(tasks.size(), call_.budget() / 2, need, body, describe); !ok || call_.stopped())
      return ok;

    if (auto ok = promote(); !ok || call_.stopped()) return ok;
    std::sort(pending_.begin(), pending_.end(), [](const Pending &a, const Pending &b) { return a.id < b.id; });
    const auto pending = std::exchange(pending_, {});
    for (const Pending &pair : pending)
      if (auto ok = check(pair.id % sequences_.targets.size() - window_.base); !ok) return ok;
    return pending.empty() || extent() ? Status(Ok{}) : align_pending(call_, sequences_, pending);
  }

  std::string described(std::size_t targets, std::size_t longest) const {
    return std::to_string(targets) + " targets of up to " + std::to_string(longest) + " letters with a query of " +
           std::to_string(block_.longest()) + " letters";
  }
  std::string_view target(std::uint32_t sorted) const { return sequences_.targets[window_.base + sorted]; }
  std::uint64_t id(const BlockQuery &query, std::size_t place) const {
    return std::uint64_t{query.index} * sequences_.targets.size() + window_.base + window_.places[place];
  }

  std::size_t task_need(const Group &group) const {
    std::size_t packed = 0, most = 0;
    for (int level = 0; level < chooser_.levels(); ++level) {
      packed +=
          mapped(level) ? packed_->loaded_bytes(group.packed, info(level)) : loaded_bytes(info(level), group.lengths);
      most = std::max(most, info(level).scratch_fixed + info(level).scratch_per_letter * block_.longest());
    }
    return packed + most + static_cast<std::size_t>(lanes_) * 64 + 4096;
  }

  bool mapped(int level) const { return packed_ && mapped_[static_cast<std::size_t>(level)]; }

  // The narrowest level that holds the query with every target of the group, exactly or, where that pays, by
  // trying; -1 if there is none.
  int group_level(std::uint32_t query, const Group &group) const {
    for (int level = 0; level < chooser_.levels(); ++level) {
      bool holds = true;
      std::uint32_t last = 0;
      for (std::size_t i = group.begin; holds && i < group.begin + group.lengths.count; ++i) {
        const std::uint32_t target = window_.lengths[i];
        if (target == last) continue;
        last = target;
        holds = chooser_.exact(level, query, target) ||
                (trying_[static_cast<std::size_t>(level)] && chooser_.near(level, query, target));
      }
      if (holds) return level;
    }
    return -1;
  }

  // Kernels that this window needs, by the distinct query lengths.
  Status obtain() {
    std::set<std::uint32_t> lengths;
    for (const BlockQuery &query : queries()) lengths.insert(query.length);
    std::set<int> kernels;
    for (const Group &group : window_.groups)
      for (std::uint32_t query : lengths) {
        const int level = group_level(query, group);
        if (level >= 0) kernels.insert(chooser_.kernel(level));
        if (static_cast<int>(kernels.size()) == chooser_.levels()) break;
      }
    const std::vector<int> list(kernels.begin(), kernels.end());
    for (int kernel : list) call_.used.insert(call_.info(kernel).entry);
    return call_.obtain(list);
  }

  // Decides per checked level whether trying pays: up to 2 queries, evenly spread, each with one vector of targets,
  // evenly spread over the shorter nine tenths (the longest would cost as much as all others); it does not where more
  // than a quarter of the pairs that are not exact overflow.
  Status probe() {
    if (probed_ || extent()) return Ok{};
    probed_ = true;
    for (int level = 0; level < chooser_.levels(); ++level) {
      const std::size_t lanes = static_cast<std::size_t>(info(level).lanes);
      std::vector<std::uint32_t> sample;  // by length
      for (std::size_t i = 0; i < lanes; ++i)
        sample.push_back(static_cast<std::uint32_t>(i * (window_.places.size() * 9 / 10) / lanes));
      std::size_t tried = 0, overflowed = 0;
      const std::size_t probes = std::min<std::size_t>(queries().size(), 2);
      for (std::size_t i = 0; i < probes; ++i) {
        const BlockQuery &query = queries()[(2 * i + 1) * queries().size() / (2 * probes)];
        const auto asks = [&](std::uint32_t place) {
          return chooser_.near(level, query.length, window_.lengths[place]) &&
                 !chooser_.exact(level, query.length, window_.lengths[place]);
        };
        if (!trying_[static_cast<std::size_t>(level)] || std::none_of(sample.begin(), sample.end(), asks)) continue;
        const int kernel = chooser_.kernel(level);
        if (auto ok = call_.obtain(std::span(&kernel, 1)); !ok) return ok;
        Workspace ws;
        Loaded packed;
        if (Call::need(info(level), window_.lengths[sample.back()], query.length) > call_.budget() / 2) continue;
        std::vector<std::uint32_t> members;
        for (const std::uint32_t place : sample) members.push_back(window_.places[place]);
        if (!pack(level, members, packed) || !run(level, ws, packed.parts[0], query)) return call_.outcome();
        for (std::size_t i = 0; i < sample.size(); ++i) {
          if (!asks(sample[i])) continue;
          ++tried;
          overflowed += ws.status[packed.parts[0].at[i]] != 0;
        }
      }
      if (overflowed * 4 > tried) trying_[static_cast<std::size_t>(level)] = false;
    }
    return Ok{};
  }

  bool pack(int level, std::span<const std::uint32_t> members, Loaded &out) const {
    std::vector<std::string_view> letters;
    for (std::uint32_t member : members) {
      if (auto ok = check(member); !ok) return call_.fail(ok.error()), false;
      letters.push_back(target(member));
    }
    const auto loaded =
        load_lanes({call_.target_codes(), call_.target_pad(), call_.strides.target}, info(level), letters, out);
    if (!loaded) return call_.fail(loaded.error()), false;
    if (!*loaded) call_.reject_letter();
    return *loaded;
  }

  // Before a target's letters are read.
  Status check(std::size_t member) const {
    return sequences_.packed ? sequences_.packed->check(window_.base + member) : Status(Ok{});
  }

  bool load(int level, const Group &group, Loaded &out) const {
    if (!mapped(level)) return pack(level, window_.members(group), out);
    if (auto ok = packed_->load(group.packed, info(level), out); !ok) return call_.fail(ok.error()), false;
    return true;
  }

  bool run(int level, Workspace &ws, const LoadedPart &part, const BlockQuery &query) const {
    return call_.run_shared(chooser_.kernel(level), ws, part.letters, part.loading, block_.codes(query), query.length,
                            block_.sets(query));
  }

  void run_task(const Task &task, Workspace &ws) {
    const LoadedPool::Loan loan(loaded_, static_cast<std::size_t>(chooser_.levels()));
    std::vector<Loaded> &packed = *loan;
    std::vector<Pending> pending;
    std::vector<Retry> retries;
    int level = -1;
    std::uint32_t level_of = 0;  // the query length that `level` is for
    for (std::size_t q = task.first; q < task.last && !call_.stopped(); ++q) {
      const BlockQuery &query = queries()[q];
      if (query.length != level_of) level = group_level(level_of = query.length, task.group);
      if (level < 0) {
        for (std::size_t i = 0; i < task.group.lengths.count; ++i)
          pending.push_back({id(query, task.group.begin + i), 0});
        continue;
      }
      Loaded &own = packed[static_cast<std::size_t>(level)];
      if (own.parts.empty() && !load(level, task.group, own)) return;
      if (!run_query(level, ws, own, q, [&](std::size_t m) { return task.group.begin + m; }, retries)) return;
    }
    const std::lock_guard lock(mutex_);
    retries_.insert(retries_.end(), retries.begin(), retries.end());
    pending_.insert(pending_.end(), pending.begin(), pending.end());
  }

  // Scores a query with packed targets; place(member) is the target's place in window_.places. Flagged pairs go to
  // `retries`.
  template <class Place>
  bool run_query(int level, Workspace &ws, const Loaded &packed, std::size_t q, Place place,
                 std::vector<Retry> &retries, bool retrying = false) const {
    const BlockQuery &query = queries()[q];
    for (const LoadedPart &part : packed.parts) {
      if (!run(level, ws, part, query)) return false;
      const KernelResults results = ws.stored();
      call_.expect(ws.found, part.at.size());
      for (std::size_t i = 0; i < part.at.size(); ++i) {
        const std::size_t target = place(part.first + i), at = part.at[i];
        if (ws.status[at] && !chooser_.exact(level, query.length, window_.lengths[target])) {
          retries.push_back({level + 1, q, target, retrying});
          continue;
        }
        ws.found.add(sequences_.first_id + id(query, target), std::uint64_t{query.length} * window_.lengths[target],
                     results, at, call_.minimize());
      }
      call_.deliver(ws.found);
    }
    return true;
  }

  void leave_to_pairs(const Retry &r) {
    call_.report.promoted -= r.counted;  // align_pending counts it
    pending_.push_back({id(queries()[r.query], r.place), info(r.level - 1).width});
  }

  // Takes those that are faster as pairs out of retries of one level, which are in order.
  void leave_to_pairs(std::vector<Retry> &retries, int level) {
    if (!has_pairs_ || extent()) return;
    std::vector<Rest> rests;
    for (std::size_t i = 0; i < retries.size(); ++i) {
      if (i == 0 || retries[i].query != retries[i - 1].query) rests.push_back({queries()[retries[i].query].length, {}});
      rests.back().targets.push_back(window_.lengths[retries[i].place]);
    }
    const std::vector<std::size_t> taken =
        pairs_suit_rests(call_.manifest(), call_.scoring().values(), info(level), rests);
    std::vector<Retry> left;
    for (std::size_t i = 0, first = 0; i < rests.size(); first += rests[i++].targets.size()) {
      const auto of_query = std::span(retries).subspan(first, rests[i].targets.size());
      const auto stay = of_query.first(of_query.size() - taken[i]);
      left.insert(left.end(), stay.begin(), stay.end());
      for (const Retry &r : of_query.subspan(stay.size())) leave_to_pairs(r);
    }
    retries = std::move(left);
  }

  // Flagged pairs with the next wider kernels, the targets of one query together, or as pairs. What no shared kernel
  // holds is left to the pairs kernels, and to their error.
  Status promote() {
    for (int level = 1; level <= chooser_.levels(); ++level) {
      std::vector<Retry> retries;
      std::ranges::copy_if(retries_, std::back_inserter(retries), [&](const Retry &r) { return r.level == level; });
      if (level == chooser_.levels() || !info(level).checked) {
        for (const Retry &r : retries) leave_to_pairs(r);
        continue;
      }
      std::sort(retries.begin(), retries.end(), [](const Retry &a, const Retry &b) {
        return std::pair(a.query, a.place) < std::pair(b.query, b.place);
      });
      leave_to_pairs(retries, level);
      if (retries.empty()) continue;
      for (const Retry &r : retries) call_.report.promoted += !r.counted;
      const int kernel = chooser_.kernel(level);
      call_.used.insert(call_.info(kernel).entry);
      if (auto ok = call_.obtain(std::span(&kernel, 1)); !ok) return ok;
      const std::size_t most = window_.groups.front().lengths.count;
      std::vector<std::pair<std::size_t, std::size_t>> tasks;  // ranges of one query
      for (std::size_t i = 0; i < retries.size();) {
        std::size_t end = i;
        while (end < retries.size() && retries[end].query == retries[i].query && end - i < most) ++end;
        tasks.emplace_back(i, end);
        i = end;
      }
      // The longest first, so that none is left with it at the end; places are by length.
      std::ranges::stable_sort(tasks, std::ranges::greater(), [&](const auto &task) {
        const Retry &last = retries[task.second - 1];
        return std::uint64_t{queries()[last.query].length} * window_.lengths[last.place];
      });
      const auto members = [&](std::size_t t) {
        std::vector<std::uint32_t> list;
        for (std::size_t i = tasks[t].first; i < tasks[t].second; ++i) list.push_back(window_.places[retries[i].place]);
        return list;
      };
      const auto need = [&](std::size_t t) {
        Lengths lengths;
        for (std::uint32_t member : members(t)) {
          ++lengths.count;
          lengths.letters += target(member).size();
          lengths.longest = std::max(lengths.longest, target(member).size());
        }
        return loaded_bytes(info(level), lengths) + info(level).scratch_fixed +
               info(level).scratch_per_letter * block_.longest() + 4096;
      };
      const auto body = [&](std::size_t t, Workspace &ws) {
        Loaded packed;
        std::vector<Retry> flagged;
        if (!pack(level, members(t), packed)) return;
        const std::span own = std::span(retries).subspan(tasks[t].first);
        const auto place = [&](std::size_t m) { return own[m].place; };
        if (!run_query(level, ws, packed, own[0].query, place, flagged, true)) return;
        const std::lock_guard lock(mutex_);
        retries_.insert(retries_.end(), flagged.begin(), flagged.end());
      };
      const auto describe = [&](std::size_t t) {
        return described(tasks[t].second - tasks[t].first, target(members(t).back()).size());
      };
      if (auto ok = call_.for_each(tasks.size(), call_.budget() / 2, need, body, describe); !ok || call_.stopped())
        return ok;
    }
    retries_.clear();
    return Ok{};
  }

  Call &call_;
  const Sequences &sequences_;
  Chooser chooser_;
  bool has_pairs_ = false, probed_ = false;
  int lanes_ = 1;               // of a group
  std::vector<char> trying_;    // per level
  std::vector<char> mapped_;    // per level: packed groups are what it reads
  const PackedGroups *packed_;  // null: none of them
  QueryBlock block_;
  TargetWindow window_;
  std::mutex mutex_;
  std::vector<Pending> pending_;
  std::vector<Retry> retries_;
  LoadedPool loaded_;  // of tasks, by level
};

}  // namespace

Result<bool> align_admitted(Call &call, const Sequences &sequences, Form form, const Chooser::Filter &possible) {
  AllRun run(call, sequences, form, possible);
  if (!run.possible()) return false;
  if (auto ok = run.run(); !ok) return ok.error();
  return true;
}

Status align_all(Call &call, const Sequences &sequences) {
  if (auto ok = admit_all(call, sequences); !ok || call.stopped()) return ok;
  AllRun run(call, sequences);
  Sequences counted = sequences;
  if (!run.takes_packed()) counted.packed = nullptr;
  if (run.possible() && !pairs_suit(call.manifest(), call.scoring().values(), counted)) return run.run();
  if (auto ok = check_letters(sequences); !ok) return ok;
  return align_pairs(call, sequences, true);
}

}  // namespace alnsmith::rt::align
