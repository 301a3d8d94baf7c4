// Each query with each target: targets sorted by length are packed once per batch and serve all queries of a
// block; the pairs themselves exist only as ids of what overflowed.
//
// A group is as many targets as the widest vector holds; kernels with fewer lanes run it in parts.
#include <algorithm>
#include <mutex>
#include <numeric>

#include "align.hpp"
#include "pack.hpp"

namespace alnsmith::rt {
namespace {

struct Query {
  std::uint32_t index, length;
  std::size_t at;  // of its codes
};

// Targets [begin, begin + count) of the sorted window.
struct Group {
  std::size_t begin, count;
};

struct Task {
  Group group;
  std::size_t query_begin, query_end;
};

class AllRun {
 public:
  AllRun(Call &call, const Sequences &sequences)
      : call_(call), sequences_(sequences), chooser_(call.manifest(), call.scoring(), Form::shared, 1024) {
    for (const KernelInfo &kernel : call.manifest().kernels) has_pairs_ |= kernel.form == Form::pairs;
    for (int level = 0; level < chooser_.levels(); ++level) lanes_ = std::max(lanes_, info(level).lanes);
    trying_.assign(static_cast<std::size_t>(chooser_.levels()), has_pairs_);
  }

  bool possible() const { return chooser_.levels() > 0; }

  // Blocks of queries whose codes fit a quarter of the memory; for each, windows of targets.
  Status run() {
    if (auto ok = admit(); !ok) return ok;
    const std::size_t quarter = call_.budget() / 4;
    for (std::size_t q = 0; q < sequences_.queries.size();) {
      codes_.clear();
      queries_.clear();
      if (auto ok = encode_block(q, quarter); !ok) return ok;
      if (queries_.empty()) continue;
      // A window's flagged pairs may take another quarter.
      const std::size_t most = std::max<std::size_t>(quarter / (sizeof(Pending) * 2 * queries_.size() + 16), 64);
      for (std::size_t t = 0; t < sequences_.targets.size(); t += most)
        if (auto ok = run_window(t, std::min(t + most, sequences_.targets.size())); !ok) return ok;
    }
    return Ok{};
  }

 private:
  const KernelInfo &info(int level) const { return call_.info(chooser_.kernel(level)); }

  // Checks lengths; scores pairs with an empty side.
  Status admit() {
    const Manifest &m = call_.manifest();
    const auto queries = sequences_.queries, targets = sequences_.targets;
    std::uint64_t query_letters = 0, target_letters = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (auto ok = check_length(m, queries[q].size(), 0, "query " + std::to_string(q + 1)); !ok) return ok;
      query_letters += queries[q].size();
      for (std::size_t t = 0; queries[q].empty() && t < targets.size(); ++t)
        if (auto ok = border(q, t); !ok) return ok;
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (auto ok = check_length(m, 0, targets[t].size(), "target " + std::to_string(t + 1)); !ok) return ok;
      target_letters += targets[t].size();
      for (std::size_t q = 0; targets[t].empty() && q < queries.size(); ++q)
        if (queries[q].empty())
          continue;
        else if (auto ok = border(q, t); !ok)
          return ok;
    }
    call_.report.cells += query_letters * target_letters;
    return Ok{};
  }

  Status border(std::size_t q, std::size_t t) {
    const Manifest &m = call_.manifest();
    const auto query = sequences_.queries[q], target = sequences_.targets[t];
    const std::uint64_t id = std::uint64_t{q} * sequences_.targets.size() + t;
    if (m.query_codes.first_foreign(query) || m.target_codes.first_foreign(target))
      return call_.foreign(), call_.outcome();
    const auto score = border_score(m, call_.scoring(), query.size(), target.size());
    if (!score) return Error{sequences_.name(id) + ": the score exceeds 32 bits"};
    sequences_.scores[id] = *score;
    call_.done(1);
    return Ok{};
  }

  // Encodes queries from `q` on until `most` bytes are full; at least one. Advances q.
  Status encode_block(std::size_t &q, std::size_t most) {
    for (; q < sequences_.queries.size(); ++q) {
      const std::string_view letters = sequences_.queries[q];
      if (letters.empty()) continue;
      const std::size_t at = codes_.size();
      if (at + letters.size() > most) {
        if (!queries_.empty()) break;
        return Error{"query " + std::to_string(q + 1) + " of " + std::to_string(letters.size()) +
                     " letters needs more than a quarter of the memory limit of " + std::to_string(call_.budget()) +
                     " bytes"};
      }
      codes_.resize(at + letters.size());
      if (!encode(call_.manifest().query_codes, letters, codes_.data() + at)) return call_.foreign(), call_.outcome();
      queries_.push_back({static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(letters.size()), at});
    }
    longest_query_ = 0;
    for (const Query &query : queries_) longest_query_ = std::max(longest_query_, query.length);
    return Ok{};
  }

  Status run_window(std::size_t begin, std::size_t end) {
    sorted_.clear();
    for (std::size_t t = begin; t < end; ++t)
      if (!sequences_.targets[t].empty()) sorted_.push_back(static_cast<std::uint32_t>(t - begin));
    window_ = begin;
    std::sort(sorted_.begin(), sorted_.end(),
              [&](auto a, auto b) { return std::pair(length(a), a) < std::pair(length(b), b); });
    if (sorted_.empty()) return Ok{};
    if (auto ok = probe(); !ok) return ok;
    if (auto ok = obtain(); !ok) return ok;

    const auto tasks = make_tasks();
    const auto need = [&](std::size_t i) { return task_need(tasks[i].group); };
    const auto describe = [&](std::size_t i) {
      const Group &g = tasks[i].group;
      return "a batch of " + std::to_string(lanes_) + " targets of up to " + std::to_string(group_length(g)) +
             " letters with a query of " + std::to_string(longest_query_) + " letters";
    };
    const auto body = [&](std::size_t i, Workspace &ws) { run_task(tasks[i], ws); };
    if (auto ok = call_.for_each(tasks.size(), call_.budget() / 2, need, body, describe); !ok) return ok;

    std::sort(pending_.begin(), pending_.end(), [](const Pending &a, const Pending &b) { return a.id < b.id; });
    const auto pending = std::exchange(pending_, {});
    return pending.empty() ? Status(Ok{}) : align_pending(call_, sequences_, pending);
  }

  std::string_view target(std::uint32_t sorted) const { return sequences_.targets[window_ + sorted]; }
  std::uint32_t length(std::uint32_t sorted) const { return static_cast<std::uint32_t>(target(sorted).size()); }
  std::uint32_t group_length(const Group &g) const { return length(sorted_[g.begin + g.count - 1]); }
  std::uint64_t id(const Query &query, std::size_t place) const {
    return std::uint64_t{query.index} * sequences_.targets.size() + window_ + sorted_[place];
  }

  // Enough tasks for all threads: groups, and parts of the query block where groups are few.
  std::vector<Task> make_tasks() const {
    const std::size_t lanes = static_cast<std::size_t>(lanes_), groups = (sorted_.size() + lanes - 1) / lanes;
    const std::size_t wanted = call_.threads() > 1 ? 8 * static_cast<std::size_t>(call_.threads()) : 1;
    const std::size_t parts = std::clamp<std::size_t>((wanted + groups - 1) / groups, 1, queries_.size());
    std::vector<Task> tasks;
    for (std::size_t g = groups; g-- > 0;)  // long targets first, so that the last task is short
      for (std::size_t p = 0; p < parts; ++p)
        tasks.push_back({{g * lanes, std::min(lanes, sorted_.size() - g * lanes)},
                         queries_.size() * p / parts,
                         queries_.size() * (p + 1) / parts});
    return tasks;
  }

  std::size_t task_need(const Group &group) const {
    std::size_t packed = 0, most = 0;
    for (int level = 0; level < chooser_.levels(); ++level) {
      packed += packed_bytes(level, group_length(group));
      most = std::max(most, info(level).scratch_fixed + info(level).scratch_per_letter * longest_query_);
    }
    return packed + most + static_cast<std::size_t>(lanes_) * 64 + 4096;
  }

  std::size_t packed_bytes(int level, std::size_t longest) const {
    const std::size_t k = static_cast<std::size_t>(info(level).k), lanes = static_cast<std::size_t>(info(level).lanes);
    const std::size_t parts = (static_cast<std::size_t>(lanes_) + lanes - 1) / lanes;
    return packed_rows((longest + k - 1) / k * k) * lanes * parts;
  }

  // The narrowest level that holds the query with every target of the group, exactly or, where that pays, by
  // trying; -1 if there is none.
  int group_level(std::uint32_t query, const Group &group) const {
    for (int level = 0; level < chooser_.levels(); ++level) {
      bool holds = true;
      std::uint32_t last = 0;
      for (std::size_t i = group.begin; holds && i < group.begin + group.count; ++i) {
        const std::uint32_t target = length(sorted_[i]);
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
    std::vector<std::uint32_t> lengths;
    for (const Query &query : queries_) lengths.push_back(query.length);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::set<int> kernels;
    const std::size_t lanes = static_cast<std::size_t>(lanes_);
    for (std::size_t at = 0; at < sorted_.size(); at += lanes)
      for (std::uint32_t query : lengths) {
        const int level = group_level(query, {at, std::min(lanes, sorted_.size() - at)});
        if (level >= 0) kernels.insert(chooser_.kernel(level));
        if (static_cast<int>(kernels.size()) == chooser_.levels()) break;
      }
    const std::vector<int> list(kernels.begin(), kernels.end());
    for (int kernel : list) call_.used.insert(call_.info(kernel).entry);
    return call_.obtain(list);
  }

  // Decides per checked level whether trying pays: up to 4 queries, evenly spread, each with one vector of targets,
  // evenly spread; it does not where more than a quarter of the pairs that are not exact overflow.
  Status probe() {
    if (probed_) return Ok{};
    probed_ = true;
    for (int level = 0; level < chooser_.levels(); ++level) {
      const std::size_t lanes = static_cast<std::size_t>(info(level).lanes);
      std::vector<std::uint32_t> sample;
      for (std::size_t i = 0; i < lanes; ++i) sample.push_back(sorted_[i * sorted_.size() / lanes]);
      std::size_t tried = 0, overflowed = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const Query &query = queries_[i * queries_.size() / 4];
        const auto asks = [&](std::uint32_t t) {
          return chooser_.near(level, query.length, length(t)) && !chooser_.exact(level, query.length, length(t));
        };
        if (!trying_[static_cast<std::size_t>(level)] || std::none_of(sample.begin(), sample.end(), asks)) continue;
        const int kernel = chooser_.kernel(level);
        if (auto ok = call_.obtain(std::span(&kernel, 1)); !ok) return ok;
        Workspace ws;
        Packed packed;
        if (Call::need(info(level), length(sample.back()), query.length) > call_.budget() / 2) continue;
        if (!pack(level, sample, packed) || !run(level, ws, packed, 0, query)) return call_.outcome();
        for (std::size_t l = 0; l < lanes; ++l) {
          if (!asks(sample[l])) continue;
          ++tried;
          overflowed += ws.status[l] != 0;
        }
      }
      if (overflowed * 4 > tried) trying_[static_cast<std::size_t>(level)] = false;
    }
    return Ok{};
  }

  // Targets of a group in the layout of one level: parts of that level's lanes.
  struct Packed {
    Buffer buffer;
    std::vector<std::size_t> at;  // of each part
    std::vector<std::vector<int>> length;
  };

  bool pack(int level, std::span<const std::uint32_t> members, Packed &out) const {
    const std::size_t lanes = static_cast<std::size_t>(info(level).lanes), k = static_cast<std::size_t>(info(level).k);
    std::uint8_t *to = out.buffer.reserve(packed_bytes(level, length(members.back())));
    std::vector<std::string_view> views(lanes);
    for (std::size_t first = 0, at = 0; first < members.size(); first += lanes) {
      std::vector<int> lengths(lanes);
      std::size_t longest = 0;
      for (std::size_t l = 0; l < lanes; ++l) {
        views[l] = target(members[std::min(first + l, members.size() - 1)]);
        lengths[l] = static_cast<int>(views[l].size());
        longest = std::max(longest, views[l].size());
      }
      const std::size_t rows = (longest + k - 1) / k * k;
      if (!pack_lanes(call_.manifest().target_codes, views.data(), info(level).lanes, rows, ALN_CODE_TARGET_PAD,
                      to + at))
        return call_.foreign(), false;
      out.at.push_back(at);
      out.length.push_back(std::move(lengths));
      at += packed_rows(rows) * lanes;
    }
    return true;
  }

  bool run(int level, Workspace &ws, Packed &packed, std::size_t part, const Query &query) const {
    return call_.run_shared(chooser_.kernel(level), ws, packed.buffer.reserve(0) + packed.at[part], packed.length[part],
                            codes_.data() + query.at, query.length);
  }

  void run_task(const Task &task, Workspace &ws) {
    std::vector<Packed> packed(static_cast<std::size_t>(chooser_.levels()));
    const auto members = std::span<const std::uint32_t>(sorted_).subspan(task.group.begin, task.group.count);
    std::vector<Pending> pending;
    int level = -1;
    std::uint32_t level_of = 0;  // the query length that `level` is for
    for (std::size_t q = task.query_begin; q < task.query_end && !call_.stopped(); ++q) {
      const Query &query = queries_[q];
      if (query.length != level_of) level = group_level(level_of = query.length, task.group);
      if (level < 0) {
        for (std::size_t i = 0; i < task.group.count; ++i) pending.push_back({id(query, task.group.begin + i), 0});
        continue;
      }
      Packed &own = packed[static_cast<std::size_t>(level)];
      if (own.at.empty() && !pack(level, members, own)) return;
      if (!run_query(level, ws, own, query, task.group, pending)) return;
    }
    const std::lock_guard lock(mutex_);
    pending_.insert(pending_.end(), pending.begin(), pending.end());
  }

  bool run_query(int level, Workspace &ws, Packed &packed, const Query &query, const Group &group,
                 std::vector<Pending> &pending) const {
    const std::size_t lanes = static_cast<std::size_t>(info(level).lanes);
    const bool minimize = call_.manifest().minimize;
    std::uint64_t scored = 0;
    for (std::size_t part = 0; part * lanes < group.count; ++part) {
      if (!run(level, ws, packed, part, query)) return false;
      for (std::size_t l = 0; l < lanes && part * lanes + l < group.count; ++l) {
        const std::uint64_t pair = id(query, group.begin + part * lanes + l);
        const auto target = static_cast<std::uint32_t>(packed.length[part][l]);
        if (ws.status[l] && !chooser_.exact(level, query.length, target)) {
          pending.push_back({pair, info(level).width});
          continue;
        }
        sequences_.scores[pair] = minimize ? -ws.score[l] : ws.score[l];
        ++scored;
      }
    }
    call_.done(scored);
    return true;
  }

  Call &call_;
  const Sequences &sequences_;
  Chooser chooser_;
  bool has_pairs_ = false, probed_ = false;
  int lanes_ = 1;             // of a group
  std::vector<char> trying_;  // per level
  std::vector<std::uint8_t> codes_;
  std::vector<Query> queries_;
  std::uint32_t longest_query_ = 0;
  std::size_t window_ = 0;             // first target of the window
  std::vector<std::uint32_t> sorted_;  // targets of the window by length, relative to it
  std::mutex mutex_;
  std::vector<Pending> pending_;
};

}  // namespace

Status align_all(Call &call, const Sequences &sequences) {
  AllRun run(call, sequences);
  return run.possible() ? run.run() : align_pairs(call, sequences);
}

}  // namespace alnsmith::rt
