// What each platform's file offers to devices.cpp: its devices, and an executor on one of them.
#pragma once

#include <memory>

#include "device/driver/executor.h"

namespace alnsmith::rt::driver {

PlatformReport list_cuda();
PlatformReport list_hip();
PlatformReport list_opencl();

Result<std::unique_ptr<Executor>> open_cpu();
Result<std::unique_ptr<Executor>> open_cuda(int index);
Result<std::unique_ptr<Executor>> open_hip(int index);
Result<std::unique_ptr<Executor>> open_opencl(int index, std::shared_ptr<const Cache> cache);

// "cuda:3: there is no such device: this machine has cuda:0 to cuda:1"
Error no_such_device(DeviceKind kind, int index, std::size_t count);

}  // namespace alnsmith::rt::driver
