// The driver behind the calls of libcuda and libamdhip64: devices with memory, streams and programs, and failures on
// order.  All calls return 0 or a code; the numbers are the same in both interfaces.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "config.h"
#include "program.h"
#include "stream.h"

namespace fake {

enum Code : int {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  LAUNCH_OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719,
};
const char *code_name(int code);  // without the platform's prefix: "OUT_OF_MEMORY"; null if unknown
const char *code_text(int code);

// Limits of an architecture.
struct Traits {
  int major = 0, minor = 0;  // CUDA
  int warp = 32;
  std::size_t shared_block = 0;  // bytes a block has without asking
  std::size_t shared_optin = 0;  // bytes a block can have
  std::size_t shared_total = 0;  // bytes of a processor
  int threads_processor = 2048;
};

class Device {
 public:
  Device(int number, const Config &config, simt::Dialect dialect);
  ~Device();

  // Counts a call; LAUNCH_FAILED if the device is lost.
  int call();
  int allocate(std::uint64_t *address, std::size_t bytes);
  int release(std::uint64_t address);
  std::size_t free_memory();
  std::size_t memory() const { return config_.memory; }
  int processors() const { return config_.processors; }
  int copy(Stream *stream, void *to, const void *from, std::size_t bytes, std::uint64_t device_address);
  int launch(Stream *stream, Function *function, unsigned grid, unsigned block, std::size_t shared_bytes,
             void *const *arguments);
  int occupancy(int *blocks, int threads, std::size_t shared_bytes) const;
  Stream *make_stream();
  int drop_stream(Stream *stream);
  void wait();  // for all streams

  const int number;
  const std::string architecture;
  const Traits traits;

 private:
  void log(const std::string &line);
  std::size_t used() const;

  const Config &config_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::size_t> memory_;  // address to bytes
  std::map<Stream *, std::unique_ptr<Stream>> streams_;
  std::atomic<long> calls_{0};
  long allocations_ = 0, launches_ = 0;
  std::atomic<bool> lost_{false};
};

// All devices of a platform. Made anew when the environment has changed since the last init().
class Driver {
 public:
  Driver(std::string platform, simt::Dialect dialect, std::string architecture, int version);
  int init();
  int version();
  int count(int *devices);
  Device *device(int number);  // null: there is none
  // The calling thread's; null with the code to return.
  Device *current(int &code);
  int set_current(int number);  // -1: none

  int load(void **program, const std::string &image, std::string &problem);
  int unload(void *program);
  int host_allocate(void **address, std::size_t bytes);
  int host_release(void *address);
  simt::Dialect dialect() const { return dialect_; }

 private:
  const std::string platform_;
  const simt::Dialect dialect_;
  const std::string architecture_;
  const int version_;
  std::mutex mutex_;
  bool initialized_ = false;
  // Kept when the environment changes: handles of the past may still be used.
  std::vector<std::unique_ptr<Config>> configs_;
  std::vector<std::vector<std::unique_ptr<Device>>> devices_;
  std::map<void *, std::unique_ptr<Program>> programs_;
  std::set<void *> host_;
};

}  // namespace fake
