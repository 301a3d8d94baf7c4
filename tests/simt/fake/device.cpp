// One fake device: its memory is the host's, its commands run on the streams' threads.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "driver.h"

namespace fake {

Traits traits_of(const std::string &architecture, simt::Dialect dialect, int warp);

Device::Device(int index, const Config &config, simt::Dialect dialect)
    : number(index),
      architecture(config.architecture(index)),
      traits(traits_of(architecture, dialect, config.warp)),
      config_(config) {}

Device::~Device() {
  streams_.clear();
  for (const auto &[address, bytes] : memory_) std::free(reinterpret_cast<void *>(address));
}

void Device::log(const std::string &line) {
  if (!config_.log.empty()) std::ofstream(config_.log, std::ios::app) << std::to_string(number) + " " + line + "\n";
}

int Device::call() {
  if (config_.lost.hits(number, ++calls_)) lost_ = true;
  return lost_ ? LAUNCH_FAILED : OK;
}

std::size_t Device::used() const {
  std::size_t sum = 0;
  for (const auto &[address, bytes] : memory_) sum += bytes;
  return sum;
}

std::size_t Device::free_memory() {
  const std::lock_guard lock(mutex_);
  return config_.memory - used();
}

// Memory begins with a pattern, as a device's holds anything.
int Device::allocate(std::uint64_t *address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) return INVALID_VALUE;
  const long count = ++allocations_;
  if (config_.allocation.hits(number, count) || bytes > config_.memory - used()) {
    log("out of memory at allocation " + std::to_string(count) + ": " + std::to_string(bytes));
    return OUT_OF_MEMORY;
  }
  void *memory = nullptr;
  if (posix_memalign(&memory, 256, bytes) != 0) return OUT_OF_MEMORY;
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<std::uint64_t>(memory);
  memory_[*address] = bytes;
  log("allocate " + std::to_string(bytes));
  return OK;
}

int Device::release(std::uint64_t address) {
  wait();  // as the real call does
  const std::lock_guard lock(mutex_);
  if (!memory_.erase(address)) return INVALID_VALUE;
  std::free(reinterpret_cast<void *>(address));
  return OK;
}

void Device::wait() {
  std::vector<Stream *> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto &[stream, owner] : streams_) all.push_back(stream);
  }
  for (Stream *stream : all) stream->wait();
}

Stream *Device::make_stream() {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_unique<Stream>();
  Stream *const handle = stream.get();
  streams_[handle] = std::move(stream);
  return handle;
}

int Device::drop_stream(Stream *stream) {
  std::unique_ptr<Stream> last;  // ends its thread outside of the lock
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return INVALID_HANDLE;
  last = std::move(found->second);
  streams_.erase(found);
  return OK;
}

int Device::copy(Stream *stream, void *to, const void *from, std::size_t bytes, std::uint64_t device_address) {
  {
    const std::lock_guard lock(mutex_);
    if (!streams_.count(stream)) return INVALID_HANDLE;
    const auto above = memory_.upper_bound(device_address);
    if (above == memory_.begin()) return INVALID_VALUE;
    const auto &[begin, size] = *std::prev(above);
    if (device_address + bytes > begin + size) return INVALID_VALUE;
    log("copy " + std::string(reinterpret_cast<std::uint64_t>(to) == device_address ? "in " : "out ") +
        std::to_string(bytes));
  }
  stream->add([this, to, from, bytes] {
    if (lost_) return;
    if (config_.copy_ms_per_mb > 0) {
      const double milliseconds = config_.copy_ms_per_mb * static_cast<double>(bytes) / (1 << 20);
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    }
    std::memcpy(to, from, bytes);
  });
  return OK;
}

int Device::occupancy(int *blocks, int threads, std::size_t shared_bytes) const {
  if (threads < 1 || threads > 1024) return INVALID_VALUE;
  const std::size_t by_threads = static_cast<std::size_t>(traits.threads_processor / threads);
  const std::size_t by_shared = shared_bytes ? traits.shared_total / shared_bytes : 32;
  *blocks = static_cast<int>(std::min({by_threads, by_shared, std::size_t{32}}));
  return OK;
}

int Device::launch(Stream *stream, Function *function, unsigned grid, unsigned block, std::size_t shared_bytes,
                   void *const *arguments) {
  const simt::Module::Kernel &kernel = function->kernel;
  {
    const std::lock_guard lock(mutex_);
    if (!streams_.count(stream)) return INVALID_HANDLE;
    if (config_.launch.hits(number, ++launches_)) {
      log("launch error at launch " + std::to_string(launches_));
      return LAUNCH_OUT_OF_RESOURCES;
    }
    // CUDA gives more than 48 KiB only where it was asked to.
    const std::size_t limit = traits.major ? function->dynamic_shared : traits.shared_optin;
    if (shared_bytes > limit || grid < 1 || block < 1) return INVALID_VALUE;
    if (kernel.threads && block > static_cast<unsigned>(kernel.threads)) return LAUNCH_OUT_OF_RESOURCES;
    log("launch " + kernel.name + " grid " + std::to_string(grid) + " block " + std::to_string(block) + " shared " +
        std::to_string(shared_bytes));
  }
  // The values are the caller's until the call returns.
  std::vector<std::vector<char>> values;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const char *value = static_cast<const char *>(arguments[i]);
    values.emplace_back(value, value + kernel.parameters[i]);
  }
  stream->add([this, function, grid, block, shared_bytes, values]() mutable {
    if (lost_ || config_.idle) return;
    std::vector<void *> pointers;
    for (std::vector<char> &value : values) pointers.push_back(value.data());
    try {
      function->module->launch(function->kernel.name, static_cast<int>(grid), static_cast<int>(block), shared_bytes,
                               pointers, {config_.seed, traits.warp, config_.host_threads});
    } catch (const std::runtime_error &error) {
      std::fprintf(stderr, "fake driver: %s\n", error.what());
      lost_ = true;  // as after a fault on a device
    }
  });
  return OK;
}

}  // namespace fake
