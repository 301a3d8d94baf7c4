// See schedule.h.
#include "device/schedule/schedule.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/guard.h"
#include "device/schedule/worker.h"

namespace alnsmith::rt::schedule {
namespace {

constexpr std::size_t kMostOfPortion = std::size_t{1} << 30;  // letters; offsets are ints

// The CPU takes shares so small that no device waits long for the last one.
class CpuWorker {
 public:
  CpuWorker(align::Call &call, const align::Sequences &sequences, const Targets *targets, WorkQueue &queue,
            std::size_t number)
      : call_(call), sequences_(sequences), targets_(targets), queue_(queue), number_(number) {}

  Status run() {
    double cells = 0, spent = 0;
    while (!call_.stopped()) {
      // About 50 ms of work in a share; until the speed is known, what a thread does in a few.
      constexpr double kSeconds = 0.05, kFirst = 1e7;
      const double most = spent > 0 ? kSeconds * cells / spent : kFirst * call_.threads();
      const Share share = queue_.take(number_, {1, most}, true);
      if (share.kind == Share::Kind::none) break;
      const auto begin = std::chrono::steady_clock::now();
      const double obtaining = call_.obtaining_seconds;
      const Status done = align(share);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
      const double own = queue_.cells(share);
      spent += std::max(time.count() - (call_.obtaining_seconds - obtaining), 1e-9);
      cells += own;
      stats_.cells += static_cast<std::uint64_t>(own);
      queue_.measure(number_, cells, spent);
      queue_.settle(number_);
      if (!done) return done;
    }
    return Ok{};
  }
  const WorkerStats &stats() const { return stats_; }

 private:
  Status align(const Share &share) {
    if (share.kind == Share::Kind::rows) return align_rows(share);
    std::vector<align::Pending> list = share.list;
    for (std::uint64_t id = share.begin; id < share.end; ++id)
      if (!sequences_.query(id).empty() && !sequences_.target(id).empty()) list.push_back({id, 0});
    stats_.pairs += list.size();
    return align_pending(call_, sequences_, list);
  }

  // The ids of several rows are consecutive where a portion holds all targets; else the rows go one by one.
  Status align_rows(const Share &share) {
    const Portion &portion = targets_->portions()[share.portion];
    const bool whole = portion.count == sequences_.targets.size();
    const std::uint64_t step = whole ? share.end - share.begin : 1;
    for (std::uint64_t q = share.begin; q < share.end; q += step) {
      align::Sequences part = sequences_;
      part.queries = sequences_.queries.subspan(q, step);
      part.targets = sequences_.targets.subspan(portion.first, portion.count);
      part.first_id = q * sequences_.targets.size() + portion.first;
      part.first_query = q;
      part.first_target = portion.first;
      const auto done = align_admitted(call_, part);
      if (!done) return done.error();
      if (!*done) return align_pair_by_pair(share);
      for (std::string_view query : part.queries) stats_.pairs += query.empty() ? 0 : portion.order.size();
    }
    return Ok{};
  }

  // Where the CPU has no kernel for one query with many targets.
  Status align_pair_by_pair(const Share &share) {
    const Portion &portion = targets_->portions()[share.portion];
    std::vector<align::Pending> list;
    for (std::uint64_t q = share.begin; q < share.end; ++q)
      for (std::uint32_t t : portion.order)
        if (!sequences_.queries[q].empty()) list.push_back({q * sequences_.targets.size() + portion.first + t, 0});
    stats_.pairs += list.size();
    return align_pending(call_, sequences_, list);
  }

  align::Call &call_;
  const align::Sequences &sequences_;
  const Targets *targets_;
  WorkQueue &queue_;
  std::size_t number_;
  WorkerStats stats_{.id = "cpu", .used = {}, .pending = {}, .threshold = {}};
};

void account(align::Call &call, const WorkerStats &stats) {
  if (stats.pairs == 0) return;
  auto &shares = call.report.devices;
  const auto known =
      std::find_if(shares.begin(), shares.end(), [&](const auto &share) { return share.id == stats.id; });
  DeviceShare &share = known == shares.end() ? shares.emplace_back(DeviceShare{stats.id, 0, 0, {}}) : *known;
  share.pairs += stats.pairs;
  share.cells += stats.cells;
  share.threshold.add(stats.threshold);
}

}  // namespace

std::unique_ptr<Targets> make_targets(std::span<const std::string_view> targets, std::size_t queries,
                                      const DeviceSet &set, std::size_t budget) {
  std::size_t most = std::min(kMostOfPortion, budget / 4);
  for (const auto &device : set.devices) {
    const std::lock_guard lock(device->use);
    if (!device->unusable) most = std::min(most, std::max<std::size_t>(device->memory() / 2 / 2, 1));
  }
  // Few queries are too few shares for several workers: then portions make more.
  const std::size_t workers = set.devices.size() + set.cpu;
  const std::size_t least =
      workers > 1 && queries < 16 * workers ? 16 * workers / std::max<std::size_t>(queries, 1) : 1;
  return std::make_unique<Targets>(targets, most, least);
}

Status align_on_devices(align::Call &call, const align::Sequences &sequences, const DeviceSet &set, Targets *targets) {
  const std::size_t devices = set.devices.size();
  WorkQueue queue(sequences, targets, devices + set.cpu, [&] { return call.stopped(); });
  std::vector<std::unique_ptr<DeviceWorker>> workers;
  std::vector<Status> ended(devices, Status(Ok{}));
  for (std::size_t i = 0; i < devices; ++i) {
    const auto scoring = call.scoring_for(set.devices[i]->manifest());
    if (!scoring) return scoring.error();
    workers.push_back(std::make_unique<DeviceWorker>(set.devices[i], call, *scoring, sequences, targets, queue, i));
  }
  CpuWorker cpu(call, sequences, targets, queue, devices);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < devices; ++i)
      threads.emplace_back([&, i] { ended[i] = guarded([&] { return workers[i]->run(); }); });
    const Status done = set.cpu ? guarded([&] { return cpu.run(); }) : Status(Ok{});
    if (!done) call.fail(done.error());
  }

  double obtaining = 0;
  std::vector<align::Pending> pending;
  account(call, cpu.stats());
  for (std::size_t i = 0; i < devices; ++i) {
    const WorkerStats &stats = workers[i]->stats();
    call.report.promoted += stats.promoted;
    call.used.insert(stats.used.begin(), stats.used.end());
    pending.insert(pending.end(), stats.pending.begin(), stats.pending.end());
    obtaining = std::max(obtaining, stats.obtaining);
    account(call, stats);
    if (ended[i] || call.ended()) continue;  // a kernel that was being made when the sink had enough is no failure
    if (set.alone || ended[i].error().exit_code == 130) call.fail(ended[i].error());
    call.report.warnings.push_back(ended[i].error().message + "; the run goes on without it");
  }
  call.obtaining_seconds += obtaining;
  if (call.stopped()) return call.outcome();

  // What is left where no device worked on, and what no kernel of a device holds.
  if (pending.empty() && queue.empty()) return Ok{};
  if (set.no_cpu) return *set.no_cpu;
  CpuWorker rest(call, sequences, targets, queue, 0);
  queue.give_back(std::move(pending));
  const Status done = rest.run();
  account(call, rest.stats());
  return done;
}

}  // namespace alnsmith::rt::schedule
