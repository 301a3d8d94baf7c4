// Sequences on a device, and one kernel over pairs of them: prepared once, run as often as wanted.
//
// In:  an executor, letters as text, which query meets which target. Out: times, and results by alignment. Everything
//      but the results stays on the device between runs: that is what "device-resident" means in a result.
#pragma once

#include <memory>
#include <vector>

#include "index.h"
#include "internal.h"
#include "sequences.h"

namespace alnsmith::check {

// One side of a set on the device.
class Side {
 public:
  // All sequences of the list. `codes`: the manifest's own, of queries or of targets. `seconds` gets what encoding and
  // copying took.
  static Result<Side> upload(internal::Executor &executor, internal::DeviceQueue &queue, const SequenceList &list,
                             const internal::Manifest &manifest, const internal::CodeTable &codes, double &seconds);
  const std::vector<int> &lengths() const { return lengths_; }

 private:
  friend class Job;
  std::vector<int> lengths_;
  std::unique_ptr<internal::Memory> letters_, offset_, length_;
};

// By alignment.
struct JobResults {
  Scores scores;
  std::vector<std::uint8_t> status;
};

class Job {
 public:
  // `query` and `target` index the sides, one entry per alignment. The kernel is loaded from `binary`. `kept`: of
  // kernels that store begins; with some query internal::keeps() it.
  static Result<std::unique_ptr<Job>> make(internal::Executor &executor, internal::DeviceQueue &queue,
                                           const std::string &binary, const internal::Manifest &manifest,
                                           const internal::KernelInfo &kernel, const internal::CallScoring &scoring,
                                           const Side &queries, const Side &targets, std::vector<int> query,
                                           std::vector<int> target, internal::WayKept kept = internal::WayKept::codes);
  // Starts the kernel and waits for it; the seconds that took.
  Result<double> run();
  // Copies the results back; seconds in `seconds`.
  Result<JobResults> fetch(double &seconds);

  double cells() const { return cells_; }
  int blocks() const { return blocks_; }

 private:
  Job(internal::Executor &executor, internal::DeviceQueue &queue) : executor_(executor), queue_(queue) {}
  Status prepare(const internal::Manifest &manifest, const internal::CallScoring &scoring, const Side &queries,
                 const Side &targets, std::vector<int> query, std::vector<int> target);
  Result<std::unique_ptr<internal::Memory>> copied(const void *from, std::size_t bytes);
  // Of kernels that store begins, what they work in and where their CIGARs go.
  Status prepare_trace(std::uint64_t words, std::size_t runs);
  Status fetch_cigars(JobResults &results);

  internal::Executor &executor_;
  internal::DeviceQueue &queue_;
  const internal::KernelInfo *kernel_ = nullptr;
  internal::WayKept kept_ = internal::WayKept::codes;
  std::unique_ptr<internal::DeviceKernel> loaded_;
  std::vector<std::unique_ptr<internal::Memory>> memory_;
  std::vector<internal::Argument> arguments_;
  std::array<internal::Memory *, kOutputCount> stored_{};  // by output; null where the kernel does not store it
  internal::Memory *status_ = nullptr;
  internal::Memory *trace_ = nullptr, *cigar_ = nullptr, *claimed_ = nullptr, *first_ = nullptr, *runs_ = nullptr;
  std::size_t alignments_ = 0, shared_bytes_ = 0;
  int blocks_ = 1;
  double cells_ = 0;
};

// The values that predicates of a kernel ask for.
internal::Values values_of(const internal::CallScoring &scoring, std::size_t query, std::size_t target);

}  // namespace alnsmith::check
