/// @file
/// The devices of this machine: what there is, and why a platform has none.
///
/// Thread-safe; nothing exits, aborts or prints. docs/devices.md says how kernels come to run on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

/// The platforms that devices belong to.
enum class DeviceKind {
  cpu,    ///< the host's processors
  cuda,   ///< NVIDIA's driver, libcuda.so.1
  hip,    ///< AMD's ROCm, libamdhip64.so
  opencl  ///< any OpenCL loader
};
/// A platform's name as it begins a device's. @param kind the platform
/// @return "cpu", "cuda", "hip" or "opencl"
std::string_view device_kind_name(DeviceKind kind);

/// One device, as its driver describes it.
struct DeviceInfo {
  DeviceKind kind = DeviceKind::cpu;  ///< its platform
  int index = 0;                      ///< among the platform's devices, from 0
  std::string id;                     ///< "cuda:0", "cpu": what Options::devices takes
  std::string name;                   ///< as the driver gives it
  std::string target;                 ///< of kernels: "cuda:sm_90", "hip:gfx90a:sramecc+:xnack-", "opencl", "x86-64-v4"
  std::string driver;                 ///< the driver's version, as text
  std::size_t memory = 0;             ///< bytes, all of it
  std::size_t free_memory = 0;        ///< bytes that were free when it was listed
  int processors = 0;                 ///< multiprocessors, compute units, or the CPU's hardware threads
  int warp = 0;                       ///< threads in lock step; 1 where that is unknown
  std::size_t shared_memory = 0;      ///< bytes that a block of threads can have at most
  bool unified = false;               ///< shares the host's memory
  bool gpu = false;                   ///< of OpenCL's devices some are; all of CUDA and HIP
};

/// A platform that could have devices, and what is wrong with it.
struct PlatformReport {
  DeviceKind kind = DeviceKind::cuda;  ///< the platform
  std::string library;                 ///< what was opened: "libcuda.so.1"
  std::string problem;  ///< why it has no device, or not all: "libcuda.so.1 is not installed: ..."; else empty
  std::vector<DeviceInfo> devices;  ///< those that can be used, by index
};

/// Asks libcuda, libamdhip64 and the OpenCL loader. Never fails: what is wrong stands in PlatformReport::problem.
/// @return one report a platform, in this order
std::vector<PlatformReport> list_devices();

/// The CPU under the name "cpu".
/// @return its description; an error only where ALNSMITH_ISA holds an unknown word (exit code 2)
Result<DeviceInfo> cpu_device();

}  // namespace alnsmith
#pragma GCC visibility pop
