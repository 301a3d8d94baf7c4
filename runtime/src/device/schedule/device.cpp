// See device.h.
#include "device/schedule/device.h"

#include <algorithm>

namespace alnsmith::rt::schedule {

Result<std::unique_ptr<Device>> Device::open(const std::string &id, const SpecRef &spec, const Sources &sources,
                                             std::size_t most_memory, const Cancelled &cancelled) {
  // Drivers of OpenCL alone compile here, and what they make is kept.
  const bool keeps = id.starts_with("opencl:") && !sources.only_kernel_dirs;
  auto executor = driver::open_device(id, keeps ? std::make_shared<Cache>(sources.cache_dir) : nullptr);
  if (!executor) return executor.error();
  auto source = sources::find_device_kernels(spec, sources, (*executor)->info().target, cancelled);
  if (!source) return Error{id + ": " + source.error().message, source.error().exit_code};
  return std::unique_ptr<Device>(new Device(*std::move(executor), *std::move(source), most_memory));
}

namespace {

std::vector<std::string> of_device(const std::string &id, std::vector<std::string> lines) {
  for (std::string &line : lines) line = id + ": " + line;
  return lines;
}

}  // namespace

std::vector<std::string> Device::provenance() const { return of_device(id(), source_->provenance()); }
std::vector<std::string> Device::warnings() const { return of_device(id(), source_->warnings()); }

bool Device::possible(const kernels::KernelInfo &kernel) const {
  const kernels::DeviceShape &shape = kernel.device;
  const bool steps = info().kind == DeviceKind::opencl || info().warp <= 1 || shape.warp == info().warp;
  return steps && shape.shared_bytes <= info().shared_memory;
}

Result<const driver::DeviceKernel *> Device::kernel(int index, const Cancelled &cancelled) {
  auto &kernel = kernels_[index];
  if (!kernel) {
    if (auto ok = source_->obtain({&index, 1}, cancelled); !ok)
      return Error{id() + ": " + ok.error().message, ok.error().exit_code};
    const kernels::KernelInfo &info = manifest().kernels[static_cast<std::size_t>(index)];
    auto loaded = executor_->load(*source_->kernel(index), info.entry);
    if (!loaded) return loaded.error();
    if (auto ok = executor_->make_ready(**loaded, info.device.threads, info.device.shared_bytes); !ok)
      return ok.error();
    kernel = *std::move(loaded);
  }
  return kernel.get();
}

int Device::blocks(int index, std::size_t shared_bytes) {
  int &blocks = blocks_[{index, shared_bytes}];
  if (blocks == 0) {
    const kernels::DeviceShape &shape = manifest().kernels[static_cast<std::size_t>(index)].device;
    const int fitting = kernels_.at(index)->blocks_per_processor(shape.threads, shared_bytes);
    blocks = std::max(info().processors, 1) * (shape.grid > 0 ? std::min(shape.grid, fitting) : fitting);
  }
  return blocks;
}

Result<Slot *> Device::slot(std::size_t index) {
  auto &slot = slots_[index];
  if (!slot) {
    auto queue = executor_->queue();
    if (!queue) return queue.error();
    slot = std::make_unique<Slot>(*executor_, *std::move(queue));
  }
  return slot.get();
}

// A tenth of what is free is left to drivers and others; of memory shared with the host three quarters are.
std::size_t Device::memory() {
  std::size_t held = resident_bytes;
  for (const auto &slot : slots_)
    if (slot) held += slot->bytes();
  const std::size_t free = executor_->free_memory();
  const std::size_t own = held + (info().unified ? free / 4 : free / 10 * 9);
  return most_ > 0 ? std::min(most_, own) : own;
}

}  // namespace alnsmith::rt::schedule
