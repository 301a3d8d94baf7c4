// Sequences on a device, and one kernel over pairs of them: prepared once, run as often as wanted.
//
// In:  an executor, letters as text, which query meets which target. Out: times, and results by alignment. Everything
//      but the results stays on the device between runs: that is what "device-resident" means in a result.
#pragma once

#include <memory>
#include <vector>

#include "align/scoring.hpp"
#include "device/driver/executor.hpp"
#include "index.h"
#include "kernels/manifest.hpp"
#include "sequences.h"

namespace alnsmith::check {

// One side of a set on the device.
class Side {
 public:
  // `seconds` gets what encoding and copying took.
  static Result<Side> upload(rt::Executor &executor, rt::DeviceQueue &queue, const SequenceList &list,
                             std::size_t first, std::size_t count, const rt::CodeTable &codes, double &seconds);
  const std::vector<int> &lengths() const { return lengths_; }
  std::size_t first() const { return first_; }

 private:
  friend class Job;
  std::size_t first_ = 0;
  std::vector<int> lengths_;
  std::unique_ptr<rt::Memory> letters_, offset_, length_;
};

// By alignment.
struct JobResults {
  Scores scores;
  std::vector<std::uint8_t> status;
};

class Job {
 public:
  // `query` and `target` index the sides, one entry an alignment. The kernel is loaded from `binary`.
  static Result<std::unique_ptr<Job>> make(rt::Executor &executor, rt::DeviceQueue &queue, const std::string &binary,
                                           const rt::KernelInfo &kernel, const rt::CallScoring &scoring,
                                           const Side &queries, const Side &targets, std::vector<int> query,
                                           std::vector<int> target);
  // Starts the kernel and waits for it; the seconds that took.
  Result<double> run();
  // Copies the results back; seconds in `seconds`.
  Result<JobResults> fetch(double &seconds);

  double cells() const { return cells_; }
  int blocks() const { return blocks_; }

 private:
  Job(rt::Executor &executor, rt::DeviceQueue &queue) : executor_(executor), queue_(queue) {}
  Status prepare(const rt::CallScoring &scoring, const Side &queries, const Side &targets, std::vector<int> query,
                 std::vector<int> target);
  Result<std::unique_ptr<rt::Memory>> copied(const void *from, std::size_t bytes);

  rt::Executor &executor_;
  rt::DeviceQueue &queue_;
  const rt::KernelInfo *kernel_ = nullptr;
  std::unique_ptr<rt::DeviceKernel> loaded_;
  std::vector<std::unique_ptr<rt::Memory>> memory_;
  std::vector<rt::Argument> arguments_;
  std::array<rt::Memory *, kOutputCount> stored_{};  // by output; null where the kernel does not store it
  rt::Memory *status_ = nullptr;
  std::size_t alignments_ = 0, shared_bytes_ = 0;
  int blocks_ = 1;
  double cells_ = 0;
};

// The values that predicates of a kernel ask for.
rt::Values values_of(const rt::CallScoring &scoring, std::size_t query, std::size_t target);

}  // namespace alnsmith::check
