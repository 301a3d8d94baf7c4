// Copies, launches and waiting on an OpenCL device.
//
// Waiting: some drivers' clFinish spins, so the thread sleeps on a condition variable that the last command's event
// wakes. In OpenCL a command that failed does not fail the ones behind it, so each one's status is
// looked at.
#include <algorithm>

#include "device/driver/driver_error.h"
#include "device/driver/opencl.h"

namespace alnsmith::rt::driver {
namespace {

cl_mem buffer_of(const Memory &memory) { return static_cast<const OpenClMemory &>(memory).buffer(); }

char *host_address(const Memory &memory, std::size_t offset) { return static_cast<char *>(memory.host()) + offset; }

}  // namespace

OpenClQueue::~OpenClQueue() {
  (void)finish();  // memory may be freed behind us
  executor_.calls().clReleaseCommandQueue(queue_);
}

Status OpenClQueue::copy_in(Memory &to, std::size_t to_offset, const Memory &host, std::size_t host_offset,
                            std::size_t bytes) {
  if (executor_.lost()) return *executor_.lost();
  const std::string &id = executor_.info().id;
  if (auto ok = check_range(id, "device memory", to, to_offset, bytes); !ok) return ok;
  if (auto ok = check_range(id, "pinned memory", host, host_offset, bytes); !ok) return ok;
  if (bytes == 0) return Ok{};
  cl_event event = nullptr;
  const cl_int code = executor_.calls().clEnqueueWriteBuffer(queue_, buffer_of(to), CL_FALSE, to_offset, bytes,
                                                             host_address(host, host_offset), 0, nullptr, &event);
  if (code != CL_SUCCESS)
    return executor_.fail("copying " + std::to_string(bytes) + " bytes to the device", code, Failure::memory);
  commands_.push_back(event);
  return Ok{};
}

Status OpenClQueue::copy_out(Memory &host, std::size_t host_offset, const Memory &from, std::size_t from_offset,
                             std::size_t bytes) {
  if (executor_.lost()) return *executor_.lost();
  const std::string &id = executor_.info().id;
  if (auto ok = check_range(id, "device memory", from, from_offset, bytes); !ok) return ok;
  if (auto ok = check_range(id, "pinned memory", host, host_offset, bytes); !ok) return ok;
  if (bytes == 0) return Ok{};
  cl_event event = nullptr;
  const cl_int code = executor_.calls().clEnqueueReadBuffer(queue_, buffer_of(from), CL_FALSE, from_offset, bytes,
                                                            host_address(host, host_offset), 0, nullptr, &event);
  if (code != CL_SUCCESS)
    return executor_.fail("copying " + std::to_string(bytes) + " bytes from the device", code, Failure::memory);
  commands_.push_back(event);
  return Ok{};
}

Status OpenClQueue::set_arguments(const OpenClKernel &kernel, std::size_t shared_bytes,
                                  std::span<const Argument> arguments) {
  const OpenClCalls &cl = executor_.calls();
  cl_uint taken = 0;
  cl.clGetKernelInfo(kernel.kernel(), CL_KERNEL_NUM_ARGS, sizeof taken, &taken, nullptr);
  if (taken != arguments.size() + 1)
    return executor_.refuse("the kernel " + kernel.name() + " takes " + std::to_string(taken) +
                            " parameters, the launch has " + std::to_string(arguments.size()) +
                            " and the local memory behind them: generate it anew");
  cl_uint index = 0;
  for (const Argument &argument : arguments) {
    if (argument.offset != 0)
      return executor_.refuse("parameter " + std::to_string(index) + " of " + kernel.name() +
                              " begins inside its memory, which OpenCL does not do: give each array its own");
    const cl_int number = argument.number;
    const cl_mem buffer = argument.memory ? buffer_of(*argument.memory) : nullptr;
    const cl_int code = argument.is_number ? cl.clSetKernelArg(kernel.kernel(), index, sizeof number, &number)
                                           : cl.clSetKernelArg(kernel.kernel(), index, sizeof(cl_mem),
                                                               static_cast<const void *>(&buffer));
    if (code != CL_SUCCESS)
      return executor_.fail("setting parameter " + std::to_string(index) + " of " + kernel.name(), code,
                            Failure::launch);
    ++index;
  }
  const cl_int code = cl.clSetKernelArg(kernel.kernel(), index, std::max<std::size_t>(shared_bytes, 16), nullptr);
  if (code != CL_SUCCESS) return executor_.fail("setting the local memory of " + kernel.name(), code, Failure::launch);
  return Ok{};
}

Status OpenClQueue::launch(const DeviceKernel &kernel, int blocks, int threads, std::size_t shared_bytes,
                           std::span<const Argument> arguments) {
  if (executor_.lost()) return *executor_.lost();
  const auto &mine = static_cast<const OpenClKernel &>(kernel);
  if (auto ok = set_arguments(mine, shared_bytes, arguments); !ok) return ok;
  const auto local = static_cast<std::size_t>(threads);
  const std::size_t global = static_cast<std::size_t>(blocks) * local;
  cl_event event = nullptr;
  const cl_int code =
      executor_.calls().clEnqueueNDRangeKernel(queue_, mine.kernel(), 1, nullptr, &global, &local, 0, nullptr, &event);
  if (code != CL_SUCCESS)
    return executor_.fail("starting " + mine.name() + " with " + std::to_string(blocks) + " blocks of " +
                              std::to_string(threads) + " threads and " + std::to_string(shared_bytes) +
                              " bytes of local memory",
                          code, Failure::launch);
  commands_.push_back(event);
  executor_.calls().clFlush(queue_);  // it starts now, not when somebody waits
  return Ok{};
}

void CL_CALLBACK OpenClQueue::wake(cl_event, cl_int status, void *queue) {
  auto &self = *static_cast<OpenClQueue *>(queue);
  const std::lock_guard lock(self.mutex_);
  self.done_ = true;
  self.status_ = status;
  self.changed_.notify_one();  // under the lock: once it is released, the queue may be gone
}

// Returns the event's status, or what kept us from waiting.
cl_int OpenClQueue::sleep(cl_event event) {
  const OpenClCalls &cl = executor_.calls();
  done_ = false;
  if (cl.clSetEventCallback(event, CL_COMPLETE, wake, this) != CL_SUCCESS) return cl.clWaitForEvents(1, &event);
  cl.clFlush(queue_);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  return status_;
}

cl_int OpenClQueue::wait(cl_event command) {
  const cl_int status = sleep(command);
  executor_.calls().clReleaseEvent(command);
  return status;
}

Status OpenClQueue::finish() {
  // Commands end in order: behind the last one, all have. Waited for even if the device is lost, since what still runs
  // may write into memory that is freed next.
  cl_int code = commands_.empty() ? CL_COMPLETE : sleep(commands_.back());
  for (cl_event event : commands_) {
    cl_int status = CL_COMPLETE;
    executor_.calls().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status < 0 && code >= 0) code = status;
    executor_.calls().clReleaseEvent(event);
  }
  commands_.clear();
  if (executor_.lost()) return *executor_.lost();
  if (code < 0) return executor_.fail("waiting for the device", code, Failure::lost);
  return Ok{};
}

}  // namespace alnsmith::rt::driver
