// The executor over the calls that CUDA and HIP share.  In: an opened device. Out: memory, queues and kernels on it.
//
// Every call first makes the device the calling thread's, since drivers keep that per thread. Waiting is done on an
// event that was made to sleep. Once the device is lost, all calls return the error that said so.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "device/driver/driver.h"
#include "device/driver/driver_error.h"

namespace alnsmith::rt::driver {
namespace {

class DriverExecutor : public Executor {
 public:
  explicit DriverExecutor(std::unique_ptr<DriverDevice> device) : device_(std::move(device)) {}
  ~DriverExecutor() override {
    device_->enter();
    for (const auto &[image, module] : modules_) calls().module_unload(module);
  }
  DriverExecutor(const DriverExecutor &) = delete;
  DriverExecutor &operator=(const DriverExecutor &) = delete;

  const DeviceInfo &info() const override { return device_->info(); }
  std::size_t free_memory() override;
  Result<std::unique_ptr<Memory>> allocate(std::size_t bytes) override;
  Result<std::unique_ptr<Memory>> allocate_pinned(std::size_t bytes) override;
  Result<std::unique_ptr<DeviceQueue>> queue() override;
  Result<std::unique_ptr<DeviceKernel>> load(const std::string &binary, const std::string &entry) override;
  Failure failure() const override { return failure_; }

  const DriverCalls &calls() const { return device_->calls(); }
  DriverDevice &device() { return *device_; }
  // Before each step: an error if the device is lost or cannot be made current.
  Status enter();
  // Ok for code 0, else the error of `step`, remembered.
  Status check(int code, const std::string &step, Failure usual, const std::string &log = "");
  const std::optional<Error> &lost() const { return lost_; }

 private:
  Result<void *> module(const std::string &image);

  std::unique_ptr<DriverDevice> device_;
  std::map<std::string, void *> modules_;  // by image: one holds many kernels
  Failure failure_ = Failure::none;
  std::optional<Error> lost_;
};

class DriverMemory : public Memory {
 public:
  DriverMemory(DriverExecutor &executor, DeviceAddress address, void *host, std::size_t bytes)
      : executor_(executor), address_(address), host_(host), bytes_(bytes) {}
  ~DriverMemory() override {
    executor_.device().enter();
    if (host_)
      executor_.calls().host_free(host_);
    else
      executor_.calls().free(address_);
  }
  DriverMemory(const DriverMemory &) = delete;
  DriverMemory &operator=(const DriverMemory &) = delete;
  std::size_t size() const override { return bytes_; }
  void *host() const override { return host_; }
  DeviceAddress address() const { return address_; }

 private:
  DriverExecutor &executor_;
  DeviceAddress address_;
  void *host_;
  std::size_t bytes_;
};

class DriverKernel : public DeviceKernel {
 public:
  DriverKernel(DriverExecutor &executor, void *function, std::string name)
      : executor_(executor), function_(function), name_(std::move(name)) {}
  int blocks_per_processor(int threads, std::size_t shared_bytes) const override {
    int blocks = 0;
    if (executor_.device().enter() != 0 || executor_.calls().occupancy(&blocks, function_, threads, shared_bytes) != 0)
      return 1;
    return std::max(blocks, 1);
  }
  void *function() const { return function_; }
  const std::string &name() const { return name_; }

 private:
  DriverExecutor &executor_;
  void *function_;
  std::string name_;
};

class DriverQueue : public DeviceQueue {
 public:
  DriverQueue(DriverExecutor &executor, void *stream, void *event)
      : executor_(executor), stream_(stream), event_(event) {}
  ~DriverQueue() override {
    if (pending_ && !executor_.lost()) (void)finish();  // memory may be freed behind us
    executor_.device().enter();
    executor_.calls().event_destroy(event_);
    executor_.calls().stream_destroy(stream_);
  }
  DriverQueue(const DriverQueue &) = delete;
  DriverQueue &operator=(const DriverQueue &) = delete;
  Status copy_in(Memory &to, std::size_t to_offset, const Memory &host, std::size_t host_offset,
                 std::size_t bytes) override;
  Status copy_out(Memory &host, std::size_t host_offset, const Memory &from, std::size_t from_offset,
                  std::size_t bytes) override;
  Status launch(const DeviceKernel &kernel, int blocks, int threads, std::size_t shared_bytes,
                std::span<const Argument> arguments) override;
  Status finish() override;

 private:
  Status check_copy(const Memory &device, std::size_t device_offset, const Memory &host, std::size_t host_offset,
                    std::size_t bytes);

  DriverExecutor &executor_;
  void *stream_;
  void *event_;
  bool pending_ = false;  // commands since the last finish()
};

Status DriverExecutor::enter() {
  if (lost_) return *lost_;
  return check(device_->enter(), "using the device", Failure::lost);
}

Status DriverExecutor::check(int code, const std::string &step, Failure usual, const std::string &log) {
  if (code == 0) return Ok{};
  failure_ = driver_failure(code, usual);
  Error error =
      device_error(info().id, step, device_->words(code) + (log.empty() ? "" : ": " + on_one_line(log)), failure_);
  if (failure_ == Failure::lost) lost_ = error;
  return error;
}

std::size_t DriverExecutor::free_memory() {
  std::size_t free = 0, total = 0;
  if (!enter() || !check(calls().memory_info(&free, &total), "asking for free memory", Failure::other)) return 0;
  return free;
}

Result<std::unique_ptr<Memory>> DriverExecutor::allocate(std::size_t bytes) {
  if (auto ok = enter(); !ok) return ok.error();
  DeviceAddress address = 0;
  if (auto ok = check(calls().allocate(&address, std::max<std::size_t>(bytes, 16)),
                      "allocating " + std::to_string(bytes) + " bytes on the device", Failure::memory);
      !ok)
    return ok.error();
  return std::unique_ptr<Memory>(std::make_unique<DriverMemory>(*this, address, nullptr, bytes));
}

Result<std::unique_ptr<Memory>> DriverExecutor::allocate_pinned(std::size_t bytes) {
  if (auto ok = enter(); !ok) return ok.error();
  void *host = nullptr;
  if (auto ok = check(calls().host_allocate(&host, std::max<std::size_t>(bytes, 16), 0),
                      "allocating " + std::to_string(bytes) + " bytes of pinned host memory", Failure::memory);
      !ok)
    return ok.error();
  return std::unique_ptr<Memory>(std::make_unique<DriverMemory>(*this, 0, host, bytes));
}

Result<std::unique_ptr<DeviceQueue>> DriverExecutor::queue() {
  if (auto ok = enter(); !ok) return ok.error();
  void *stream = nullptr, *event = nullptr;
  if (auto ok = check(calls().stream_create(&stream, kDriverStreamNonBlocking), "making a queue", Failure::memory); !ok)
    return ok.error();
  if (auto ok = check(calls().event_create(&event, kDriverEventBlockingNoTiming), "making a queue", Failure::memory);
      !ok) {
    calls().stream_destroy(stream);
    return ok.error();
  }
  return std::unique_ptr<DeviceQueue>(std::make_unique<DriverQueue>(*this, stream, event));
}

Result<void *> DriverExecutor::module(const std::string &image) {
  if (const auto known = modules_.find(image); known != modules_.end()) return known->second;
  void *module = nullptr;
  std::string log;
  const int code = device_->load(&module, image, log);
  if (auto ok = check(code, "loading kernels for " + info().target, Failure::other, log); !ok) return ok.error();
  modules_.emplace(image, module);
  return module;
}

Result<std::unique_ptr<DeviceKernel>> DriverExecutor::load(const std::string &binary, const std::string &entry) {
  if (auto ok = enter(); !ok) return ok.error();
  const auto loaded = module(binary);
  if (!loaded) return loaded.error();
  void *function = nullptr;
  if (auto ok = check(calls().module_function(&function, *loaded, entry.c_str()), "finding the kernel " + entry,
                      Failure::other);
      !ok)
    return ok.error();
  if (auto ok = check(device_->allow_shared_memory(function), "giving shared memory to " + entry, Failure::other); !ok)
    return ok.error();
  return std::unique_ptr<DeviceKernel>(std::make_unique<DriverKernel>(*this, function, entry));
}

Status DriverQueue::check_copy(const Memory &device, std::size_t device_offset, const Memory &host,
                               std::size_t host_offset, std::size_t bytes) {
  const std::string &id = executor_.info().id;
  if (auto ok = check_range(id, "device memory", device, device_offset, bytes); !ok) return ok;
  if (auto ok = check_range(id, "pinned memory", host, host_offset, bytes); !ok) return ok;
  return executor_.enter();
}

Status DriverQueue::copy_in(Memory &to, std::size_t to_offset, const Memory &host, std::size_t host_offset,
                            std::size_t bytes) {
  if (auto ok = check_copy(to, to_offset, host, host_offset, bytes); !ok || bytes == 0) return ok;
  pending_ = true;
  return executor_.check(
      executor_.calls().copy_in(static_cast<DriverMemory &>(to).address() + to_offset,
                                static_cast<const char *>(host.host()) + host_offset, bytes, stream_),
      "copying " + std::to_string(bytes) + " bytes to the device", Failure::other);
}

Status DriverQueue::copy_out(Memory &host, std::size_t host_offset, const Memory &from, std::size_t from_offset,
                             std::size_t bytes) {
  if (auto ok = check_copy(from, from_offset, host, host_offset, bytes); !ok || bytes == 0) return ok;
  pending_ = true;
  return executor_.check(
      executor_.calls().copy_out(static_cast<char *>(host.host()) + host_offset,
                                 static_cast<const DriverMemory &>(from).address() + from_offset, bytes, stream_),
      "copying " + std::to_string(bytes) + " bytes from the device", Failure::other);
}

Status DriverQueue::launch(const DeviceKernel &kernel, int blocks, int threads, std::size_t shared_bytes,
                           std::span<const Argument> arguments) {
  if (auto ok = executor_.enter(); !ok) return ok;
  const auto &mine = static_cast<const DriverKernel &>(kernel);
  // The driver takes addresses of the values, and copies as many bytes as the parameter has before it returns.
  std::vector<DeviceAddress> values(arguments.size(), 0);
  std::vector<void *> parameters(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (argument.is_number)
      std::memcpy(&values[i], &argument.number, sizeof argument.number);
    else if (argument.memory)
      values[i] = static_cast<const DriverMemory *>(argument.memory)->address() + argument.offset;
    parameters[i] = &values[i];
  }
  pending_ = true;
  return executor_.check(
      executor_.calls().launch(mine.function(), static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads), 1,
                               1, static_cast<unsigned>(shared_bytes), stream_, parameters.data(), nullptr),
      "starting " + mine.name() + " with " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
          " threads and " + std::to_string(shared_bytes) + " bytes of shared memory",
      Failure::launch);
}

Status DriverQueue::finish() {
  if (auto ok = executor_.enter(); !ok) return ok;
  pending_ = false;
  const DriverCalls &calls = executor_.calls();
  if (auto ok = executor_.check(calls.event_record(event_, stream_), "waiting for the device", Failure::lost); !ok)
    return ok;
  return executor_.check(calls.event_synchronize(event_), "waiting for the device", Failure::lost);
}

}  // namespace

Failure driver_failure(int code, Failure usual) {
  switch (code) {
    case 2:     // out of memory
    case 1052:  // HIP: the runtime below ran out of memory
      return Failure::memory;
    case 4:    // the driver is shutting down
    case 46:   // device unavailable
    case 214:  // uncorrectable memory error
    case 220:  // link error
    case 700:  // illegal address
    case 702:  // the system's watchdog ended the kernel
    case 709:  // context destroyed
    case 710:  // assertion in a kernel
    case 714:  // hardware stack error
    case 715:  // illegal instruction
    case 716:  // misaligned address
    case 717:  // invalid address space
    case 718:  // invalid program counter
    case 719:  // launch failure
    case 999:  // unknown, which leaves nothing to rely on
      return Failure::lost;
    default:
      return usual;
  }
}

std::unique_ptr<Executor> make_driver_executor(std::unique_ptr<DriverDevice> device) {
  return std::make_unique<DriverExecutor>(std::move(device));
}

}  // namespace alnsmith::rt::driver
