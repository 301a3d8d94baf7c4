// One device that runs kernels: memory, modules, launches. Four implementations: CUDA, HIP, OpenCL, and the CPU's own.
//
// All calls return errors as values, in one line that names the device. An executor is used by one thread at a time,
// its queues too; different executors are independent. Waiting never spins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alnsmith/device_abi.h"
#include "alnsmith/devices.hpp"
#include "alnsmith/result.hpp"
#include "base/cache.h"

namespace alnsmith::rt::driver {

using alnsmith::DeviceInfo;
using alnsmith::DeviceKind;
using alnsmith::list_devices;
using alnsmith::PlatformReport;

// What went wrong, so that the caller can go on elsewhere: `lost` ends the executor (every later call returns the same
// error), `memory` may be tried smaller, `launch` means that the device does not start this kernel so.
enum class Failure { none, memory, launch, lost, other };

// Memory of the device, or pinned memory of the host; freed with the object, before its executor and after finish() of
// the queues that use it.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::size_t size() const = 0;
  virtual void *host() const = 0;  // address for the CPU; null for device memory
};

// A kernel of a loaded module.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
  virtual int blocks_per_processor(int threads, std::size_t shared_bytes) const = 0;  // that fit at once, >= 1
};

// One argument of a launch: a number, or device memory with an offset in bytes. Null memory: a null pointer.
struct Argument {
  const Memory *memory = nullptr;
  std::size_t offset = 0;
  int number = 0;
  bool is_number = false;
};

// How many arguments a kernel takes.
#define ALN_FIELD(type, name) #name,
inline constexpr std::size_t kKernelArguments =
    std::initializer_list<const char *>{ALN_DEVICE_ARGS_V1(ALN_FIELD)}.size();
#undef ALN_FIELD

// Commands that run in order, asynchronously to the host and to other queues.
class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;
  // `host` is pinned memory of this executor, which must stay unchanged until finish().
  virtual Status copy_in(Memory &to, std::size_t to_offset, const Memory &host, std::size_t host_offset,
                         std::size_t bytes) = 0;
  virtual Status copy_out(Memory &host, std::size_t host_offset, const Memory &from, std::size_t from_offset,
                          std::size_t bytes) = 0;
  virtual Status launch(const DeviceKernel &kernel, int blocks, int threads, std::size_t shared_bytes,
                        std::span<const Argument> arguments) = 0;
  virtual Status finish() = 0;  // waits for all, asleep
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual const DeviceInfo &info() const = 0;
  virtual std::size_t free_memory() = 0;
  virtual Result<std::unique_ptr<Memory>> allocate(std::size_t bytes) = 0;         // on the device
  virtual Result<std::unique_ptr<Memory>> allocate_pinned(std::size_t bytes) = 0;  // on the host
  virtual Result<std::unique_ptr<DeviceQueue>> queue() = 0;
  // `binary`: cubin or PTX, AMD code object, OpenCL C or SPIR-V; the kernel named `entry` in it.
  virtual Result<std::unique_ptr<DeviceKernel>> load(const std::string &binary, const std::string &entry) = 0;
  // What a driver would do when `kernel` is first started so; it has the parameters of device_abi.h.
  virtual Status make_ready(const DeviceKernel &, int /*threads*/, std::size_t /*shared_bytes*/) { return Ok{}; }
  // Of the last call on this executor that failed.
  virtual Failure failure() const = 0;
};

// `id`: "cpu", "cuda:0", "hip:1", "opencl:0". An id of another form is an error with exit code 2. `cache`: for what a
// driver compiles; null: it is compiled anew each time.
Result<std::unique_ptr<Executor>> open_device(const std::string &id, std::shared_ptr<const Cache> cache = nullptr);

}  // namespace alnsmith::rt::driver
