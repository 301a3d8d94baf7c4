// Aligns random pairs on any executor with a kernel that takes the parameters of device_abi.h, and compares the scores
// with the textbook DP.  In: the loaded kernel and its grid. Out: GoogleTest failures.
#pragma once

#include <string>
#include <vector>

#include "device/driver/executor.h"

namespace device_run {

struct Grid {
  int blocks = 1, threads = 1;
  std::size_t shared_bytes = 0;
};

// Pairs of random DNA with costs match 2, mismatch -3, open 4, extend 1.
struct Batch {
  std::vector<std::string> queries, targets;
  static Batch random(unsigned seed, std::size_t pairs, std::size_t longest);
  std::vector<long> expected() const;
};

// One array on the device with its pinned twin.
struct Array {
  std::unique_ptr<alnsmith::rt::driver::Memory> pinned, device;
};

// A batch's arrays on a device and the launch over them; what it copies and starts is in `queue`'s order.
class Job {
 public:
  // Allocates and queues copies in, launch and copies out; `problem` says what went wrong.
  Job(alnsmith::rt::driver::Executor &executor, alnsmith::rt::driver::DeviceQueue &queue,
      const alnsmith::rt::driver::DeviceKernel &kernel, const Batch &batch, Grid grid);
  const std::string &problem() const { return problem_; }
  std::vector<int> scores() const;  // after finish()
  std::vector<unsigned char> status() const;

 private:
  bool add(alnsmith::rt::driver::Executor &executor, std::size_t bytes, const void *content);
  std::size_t pairs_;
  std::vector<Array> arrays_;
  std::string problem_;
};

}  // namespace device_run
