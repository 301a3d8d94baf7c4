// What CUDA's driver and HIP's runtime have alike: a table of calls with the same meaning and, on 64-bit systems, the
// same ABI. cuda.cpp and hip.cpp fill it in and add what differs; driver_executor.cpp runs kernels with it.
#pragma once

#include <string>

#include "device/driver/executor.h"

namespace alnsmith::rt::driver {

using DeviceAddress = std::uint64_t;  // CUdeviceptr, hipDeviceptr_t

// Each returns 0 or an error code. Streams, events, modules and functions are opaque pointers.
struct DriverCalls {
  int (*memory_info)(std::size_t *free, std::size_t *total) = nullptr;
  int (*allocate)(DeviceAddress *address, std::size_t bytes) = nullptr;
  int (*free)(DeviceAddress address) = nullptr;
  int (*host_allocate)(void **address, std::size_t bytes, unsigned flags) = nullptr;
  int (*host_free)(void *address) = nullptr;
  int (*copy_in)(DeviceAddress to, const void *from, std::size_t bytes, void *stream) = nullptr;
  int (*copy_out)(void *to, DeviceAddress from, std::size_t bytes, void *stream) = nullptr;
  int (*stream_create)(void **stream, unsigned flags) = nullptr;
  int (*stream_destroy)(void *stream) = nullptr;
  int (*event_create)(void **event, unsigned flags) = nullptr;
  int (*event_record)(void *event, void *stream) = nullptr;
  int (*event_synchronize)(void *event) = nullptr;
  int (*event_destroy)(void *event) = nullptr;
  int (*module_unload)(void *module) = nullptr;
  int (*module_function)(void **function, void *module, const char *name) = nullptr;
  int (*occupancy)(int *blocks, void *function, int threads, std::size_t shared_bytes) = nullptr;
  int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra) = nullptr;
};

// Numbers that both interfaces share.
enum DriverNumber : unsigned {
  kDriverNoDevice = 100,
  kDriverScheduleBlocking = 4,  // of contexts: CU_CTX_SCHED_BLOCKING_SYNC, hipDeviceScheduleBlockingSync
  kDriverStreamNonBlocking = 1,
  kDriverEventBlockingNoTiming = 1 | 2,
};

// One opened device of a driver.
class DriverDevice {
 public:
  virtual ~DriverDevice() = default;
  virtual const DriverCalls &calls() const = 0;
  virtual const DeviceInfo &info() const = 0;
  virtual int enter() = 0;                        // makes the device the calling thread's
  virtual std::string words(int code) const = 0;  // "CUDA_ERROR_X (text)"
  // `log`: what the driver's compiler said, if anything.
  virtual int load(void **module, const std::string &image, std::string &log) = 0;
  // Lets a kernel have as much dynamic shared memory as the device gives.
  virtual int allow_shared_memory(void *function) = 0;
};

// What an error code means; the numbers are the same in both interfaces. `usual` is for those not clear by themselves.
Failure driver_failure(int code, Failure usual);

std::unique_ptr<Executor> make_driver_executor(std::unique_ptr<DriverDevice> device);

}  // namespace alnsmith::rt::driver
