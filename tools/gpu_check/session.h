// What the steps of a run share: the folder, the device, the report, the clock.
//
// In:  a prepared folder and an opened device. Out: kernels that fit the device, sets of sequences made once.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "index.h"
#include "internal.h"
#include "job.h"
#include "report.h"

namespace alnsmith::check {

using Clock = std::chrono::steady_clock;

// The kernels of a spec that run on the device.
struct SpecKernels {
  const KernelEntry *entry = nullptr;
  internal::Manifest manifest;
  internal::CallScoring scoring;
  std::string binary;
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> open(const std::string &folder, const std::string &device,
                                               const std::string &out, double limit);

  const Index &index() const { return index_; }
  const std::string &folder() const { return folder_; }
  internal::Executor &executor() { return *executor_; }
  internal::DeviceQueue &queue() { return *queue_; }
  RunReport &report() { return report_; }

  // Empty binary and an error where the folder has none for this device.
  Result<const SpecKernels *> kernels(const std::string &spec);
  // The last set asked for stays; its letters are those that `prepare` saw.
  Result<const SequenceSet *> set(const std::string &name);
  // The kernel fits the device: lock step, shared memory.
  bool possible(const internal::KernelInfo &kernel) const;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count() + earlier_; }
  double limit() const { return limit_; }
  void set_earlier(double seconds) { earlier_ = seconds; }

  // The step that is under way, for the watchdog; an empty name: none.
  void step(const std::string &name, double most_seconds);

  struct Step {
    std::string name;
    Clock::time_point end;
  };
  std::optional<Step> current_step() const;

 private:
  explicit Session(std::string out) : report_(std::move(out)) {}

  std::string folder_;
  Index index_;
  Stored stored_;
  std::unique_ptr<internal::Executor> executor_;
  std::unique_ptr<internal::DeviceQueue> queue_;
  RunReport report_;
  std::map<std::string, Result<SpecKernels>> kernels_;
  std::string set_name_;
  SequenceSet set_;
  Clock::time_point begin_ = Clock::now();
  double earlier_ = 0, limit_ = 480;
  mutable std::mutex mutex_;
  std::optional<Step> step_;
};

// The steps. Each goes on where an earlier process of the run ended, and skips what the time does not allow, by name.
// An error: the device is lost.
Status run_pipes(Session &session);
Status run_tests(Session &session);
Status run_benches(Session &session);

}  // namespace alnsmith::check
