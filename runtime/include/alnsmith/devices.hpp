// The devices of this machine: what there is, and why a platform has none.
//
// Thread-safe; nothing exits, aborts or prints. docs/devices.md says how kernels come to run on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

enum class DeviceKind { cpu, cuda, hip, opencl };
std::string_view device_kind_name(DeviceKind kind);  // "cpu", "cuda", "hip", "opencl"

struct DeviceInfo {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;
  std::string id;                 // "cuda:0", "cpu"
  std::string name;               // as the driver gives it
  std::string target;             // "cuda:sm_90", "hip:gfx90a:sramecc+:xnack-", "opencl", "x86-64-v4"
  std::string driver;             // version text
  std::size_t memory = 0;         // bytes, all of it
  std::size_t free_memory = 0;    // bytes, when listed
  int processors = 0;             // SMs, CUs, compute units, hardware threads
  int warp = 0;                   // threads in lock step; 1 where unknown
  std::size_t shared_memory = 0;  // bytes a block can have at most
  bool unified = false;           // shares the host's memory
  bool gpu = false;               // of OpenCL's devices some are; all of CUDA and HIP
};

// A platform that could have devices, and what is wrong with it.
struct PlatformReport {
  DeviceKind kind = DeviceKind::cuda;
  std::string library;  // what was opened: "libcuda.so.1"
  std::string problem;  // why it has no device, or not all: "libcuda.so.1 is not installed: ..."; else empty
  std::vector<DeviceInfo> devices;
};

// Asks libcuda, libamdhip64 and the OpenCL loader, in this order; never fails.
std::vector<PlatformReport> list_devices();

// The CPU under the name "cpu"; an error only where ALNSMITH_ISA holds an unknown word.
Result<DeviceInfo> cpu_device();

}  // namespace alnsmith
#pragma GCC visibility pop
