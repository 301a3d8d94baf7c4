// One device at work on one call: takes shares of the work, keeps two launches under way, writes scores, sends on what
// a kernel could not hold, and gives everything unfinished back where the device fails.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "device/schedule/launches.h"

namespace alnsmith::rt::schedule {

// What a worker did.
struct WorkerStats {
  std::string id;
  std::uint64_t pairs = 0, cells = 0, promoted = 0;
  std::set<std::string> used;           // entries
  std::vector<align::Pending> pending;  // what no kernel of the device holds
  double obtaining = 0;                 // seconds
  BlockThreshold threshold;
};

class DeviceWorker {
 public:
  // `scoring`: as the device's kernels take it.
  DeviceWorker(std::shared_ptr<Device> device, align::Call &call, const align::CallScoring &scoring,
               const align::Sequences &sequences, Targets *targets, WorkQueue &queue, std::size_t number);

  // Until nothing is left. The error is why the device gave up; what it had is in the queue again.
  Status run();
  const WorkerStats &stats() const { return stats_; }

 private:
  struct Lane {
    Slot *slot = nullptr;
    std::optional<PlannedLaunch> planned;
  };

  Status work();
  Status set_limits();
  Result<bool> more();
  Status start(Lane &lane);
  Status start_with(Lane &lane, PlannedLaunch &planned);
  Status finish(Lane &lane);
  void collect(const Slot &slot, const PlannedLaunch &planned);
  Status finish_oldest();
  Status retry(PlannedLaunch planned, const Error &error);
  void give_up();
  WorkQueue::Size size() const;

  std::shared_ptr<Device> device_;
  align::Call &call_;
  align::CallScoring scoring_;
  const align::Sequences &sequences_;
  Targets *targets_;
  WorkQueue &queue_;
  std::size_t number_;
  std::optional<Launches> launches_;  // while it runs: who obtains a kernel may change what the device says of it
  tbb::task_arena arena_;
  std::array<Lane, 2> lanes_;
  std::size_t oldest_ = 0;          // lane
  std::size_t portion_ = SIZE_MAX;  // of the shared launches under way
  int shrinks_ = 0;
  double mean_cells_ = 1;  // of a pair
  align::Found found_;
  Share taken_;  // the last share, until it is planned
  std::chrono::steady_clock::time_point begin_;
  WorkerStats stats_;
};

}  // namespace alnsmith::rt::schedule
