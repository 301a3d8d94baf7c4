// One opened device with the kernels of one spec: what a call needs to run on it.
//
// In:  a device's id, a spec and where its kernels may come from. Out: loaded kernels, launch slots, memory to plan
//      with. A call locks `use` while it works on the device, since an executor serves one thread at a time.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/process.h"
#include "device/driver/executor.h"
#include "device/schedule/slot.h"
#include "sources/device_kernels.h"

namespace alnsmith::rt::schedule {

class Device {
 public:
  // `most_memory`: bytes that may be taken of the device; 0: what is free.
  static Result<std::unique_ptr<Device>> open(const std::string &id, const SpecRef &spec, const Sources &sources,
                                              std::size_t most_memory, const Cancelled &cancelled);

  const DeviceInfo &info() const { return executor_->info(); }
  const std::string &id() const { return info().id; }
  driver::Executor &executor() { return *executor_; }
  const kernels::Manifest &manifest() const { return source_->manifest(); }
  std::vector<std::string> provenance() const;
  std::vector<std::string> warnings() const;  // of its kernels, one line each

  std::mutex use;
  std::optional<Error> unusable;  // why no call may use the device any more; under `use`

  // The rest under `use`.
  // The kernel fits this device: its threads, lock step and shared memory.
  bool possible(const kernels::KernelInfo &kernel) const;
  Result<const driver::DeviceKernel *> kernel(int index, const Cancelled &cancelled);
  // Blocks that run at once on the whole device; for a kernel that is loaded.
  int blocks(int index, std::size_t shared_bytes);
  // Two of them, so that one is packed and copied while the other runs.
  Result<Slot *> slot(std::size_t index);
  // Bytes of the device for slots and resident targets together, those that they hold already included.
  std::size_t memory();

  std::size_t resident_bytes = 0;  // of targets that stay, kept by resident.cpp
  // As many runs as CIGARs have asked for so far, for letters of both sequences.
  double runs_per_letter = 1.0 / 16;

 private:
  Device(std::unique_ptr<driver::Executor> executor, std::unique_ptr<sources::DeviceKernels> kernels, std::size_t most)
      : executor_(std::move(executor)), source_(std::move(kernels)), most_(most) {}

  std::unique_ptr<driver::Executor> executor_;
  std::unique_ptr<sources::DeviceKernels> source_;
  std::size_t most_;
  std::map<int, std::unique_ptr<driver::DeviceKernel>> kernels_;
  std::map<std::pair<int, std::size_t>, int> blocks_;
  std::array<std::unique_ptr<Slot>, 2> slots_;
};

}  // namespace alnsmith::rt::schedule
