// The executor on one OpenCL device, and the objects that it gives out.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include "base/cache.h"
#include "device/driver/opencl_calls.h"

namespace alnsmith::rt::driver {

class OpenClQueue;

class OpenClExecutor : public Executor {
 public:
  // `cache`: for what the driver makes of texts; null: nothing is kept.
  static Result<std::unique_ptr<Executor>> open(const OpenClCalls &cl, OpenClDevice device,
                                                std::shared_ptr<const Cache> cache = nullptr);
  ~OpenClExecutor() override;
  OpenClExecutor(const OpenClExecutor &) = delete;
  OpenClExecutor &operator=(const OpenClExecutor &) = delete;

  const DeviceInfo &info() const override { return device_.info; }
  std::size_t free_memory() override;
  Result<std::unique_ptr<Memory>> allocate(std::size_t bytes) override;
  Result<std::unique_ptr<Memory>> allocate_pinned(std::size_t bytes) override;
  Result<std::unique_ptr<DeviceQueue>> queue() override;
  Result<std::unique_ptr<DeviceKernel>> load(const std::string &binary, const std::string &entry) override;
  Status make_ready(const DeviceKernel &kernel, int threads, std::size_t shared_bytes) override;
  Failure failure() const override { return failure_; }

  // For the objects given out.
  const OpenClCalls &calls() const { return cl_; }
  OpenClQueue &own_queue() { return *own_queue_; }
  void forget(std::size_t bytes) { allocated_ -= bytes; }  // of device memory, freed
  // The error of `step`, remembered; `usual` as in opencl_failure.
  Error fail(const std::string &step, cl_int code, Failure usual, const std::string &more = "");
  Error refuse(const std::string &why);  // the caller's mistake
  const std::optional<Error> &lost() const { return lost_; }

 private:
  OpenClExecutor(const OpenClCalls &cl, OpenClDevice device, std::shared_ptr<const Cache> cache)
      : cl_(cl), device_(std::move(device)), cache_(std::move(cache)) {}
  Result<cl_mem> buffer(std::size_t bytes, cl_mem_flags flags, const std::string &step);
  Result<cl_program> program(const std::string &binary);
  Result<cl_program> program_of_text(const std::string &binary, bool spirv, const std::string &options);
  cl_program kept_program(const std::string &name, const std::string &options);  // null: none that the driver takes
  void keep(cl_program program, const std::string &name);
  cl_int build(cl_program program, const std::string &options);
  Result<std::unique_ptr<OpenClQueue>> make_queue();

  OpenClCalls cl_;
  OpenClDevice device_;
  std::shared_ptr<const Cache> cache_;
  cl_context context_ = nullptr;
  std::unique_ptr<OpenClQueue> own_queue_;      // for allocations
  std::map<std::string, cl_program> programs_;  // by their text: building takes a second, and a text has many kernels
  std::size_t allocated_ = 0;                   // bytes of device memory given out
  Failure failure_ = Failure::none;
  std::optional<Error> lost_;
};

class OpenClMemory : public Memory {
 public:
  OpenClMemory(OpenClExecutor &executor, cl_mem buffer, std::size_t bytes, void *host)
      : executor_(executor), buffer_(buffer), bytes_(bytes), host_(host) {}
  ~OpenClMemory() override;
  OpenClMemory(const OpenClMemory &) = delete;
  OpenClMemory &operator=(const OpenClMemory &) = delete;
  std::size_t size() const override { return bytes_; }
  void *host() const override { return host_; }
  cl_mem buffer() const { return buffer_; }

 private:
  OpenClExecutor &executor_;
  cl_mem buffer_;
  std::size_t bytes_;
  void *host_;
};

class OpenClKernel : public DeviceKernel {
 public:
  OpenClKernel(OpenClExecutor &executor, cl_kernel kernel, cl_device_id device, std::string name)
      : executor_(executor), kernel_(kernel), device_(device), name_(std::move(name)) {}
  ~OpenClKernel() override { executor_.calls().clReleaseKernel(kernel_); }
  OpenClKernel(const OpenClKernel &) = delete;
  OpenClKernel &operator=(const OpenClKernel &) = delete;
  int blocks_per_processor(int threads, std::size_t shared_bytes) const override;
  cl_kernel kernel() const { return kernel_; }
  const std::string &name() const { return name_; }

 private:
  OpenClExecutor &executor_;
  cl_kernel kernel_;
  cl_device_id device_;
  std::string name_;
};

class OpenClQueue : public DeviceQueue {
 public:
  OpenClQueue(OpenClExecutor &executor, cl_command_queue queue) : executor_(executor), queue_(queue) {}
  ~OpenClQueue() override;
  OpenClQueue(const OpenClQueue &) = delete;
  OpenClQueue &operator=(const OpenClQueue &) = delete;
  Status copy_in(Memory &to, std::size_t to_offset, const Memory &host, std::size_t host_offset,
                 std::size_t bytes) override;
  Status copy_out(Memory &host, std::size_t host_offset, const Memory &from, std::size_t from_offset,
                  std::size_t bytes) override;
  Status launch(const DeviceKernel &kernel, int blocks, int threads, std::size_t shared_bytes,
                std::span<const Argument> arguments) override;
  Status finish() override;
  cl_command_queue queue() const { return queue_; }
  // Sleeps until the command has ended, releases the event and returns its status.
  cl_int wait(cl_event command);

 private:
  Status set_arguments(const OpenClKernel &kernel, std::size_t shared_bytes, std::span<const Argument> arguments);
  cl_int sleep(cl_event event);
  static void CL_CALLBACK wake(cl_event event, cl_int status, void *queue);

  OpenClExecutor &executor_;
  cl_command_queue queue_;
  std::vector<cl_event> commands_;  // since the last finish(): their status tells which failed
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  cl_int status_ = CL_COMPLETE;
};

}  // namespace alnsmith::rt::driver
