// The executor on one OpenCL device: context, memory, kernels.  In: a device of opencl_devices(). The queue is in
// opencl_queue.cpp, programs in opencl_programs.cpp.
#include "device/driver/opencl.h"

#include <algorithm>
#include <type_traits>

#include "device/driver/driver_error.h"
#include "device/driver/host.h"
#include "device/driver/platforms.h"

namespace alnsmith::rt::driver {
Result<std::unique_ptr<Executor>> open_opencl(int index, std::shared_ptr<const Cache> cache) {
  const auto cl = open_opencl_calls();
  if (!cl) return Error{"opencl:" + std::to_string(index) + ": " + cl.error().message};
  std::string problem;
  auto devices = opencl_devices(*cl, problem);
  if (devices.empty()) return Error{"opencl:" + std::to_string(index) + ": " + problem};
  if (static_cast<std::size_t>(index) >= devices.size())
    return no_such_device(DeviceKind::opencl, index, devices.size());
  return OpenClExecutor::open(*cl, std::move(devices[static_cast<std::size_t>(index)]), std::move(cache));
}

Result<std::unique_ptr<Executor>> OpenClExecutor::open(const OpenClCalls &cl, OpenClDevice device,
                                                       std::shared_ptr<const Cache> cache) {
  std::unique_ptr<OpenClExecutor> executor(new OpenClExecutor(cl, std::move(device), std::move(cache)));
  cl_int code = CL_SUCCESS;
  executor->context_ = cl.clCreateContext(nullptr, 1, &executor->device_.device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) return executor->fail("opening the device", code, Failure::other);
  auto queue = executor->make_queue();
  if (!queue) return queue.error();
  executor->own_queue_ = *std::move(queue);
  return std::unique_ptr<Executor>(std::move(executor));
}

OpenClExecutor::~OpenClExecutor() {
  own_queue_.reset();
  for (const auto &[text, program] : programs_) cl_.clReleaseProgram(program);
  if (context_) cl_.clReleaseContext(context_);
}

Error OpenClExecutor::fail(const std::string &step, cl_int code, Failure usual, const std::string &more) {
  failure_ = opencl_failure(code, usual);
  const std::string words = opencl_error_name(code) + (more.empty() ? "" : ": " + on_one_line(more));
  Error error = device_error(info().id, step, words, failure_);
  if (failure_ == Failure::lost) lost_ = error;
  return error;
}

Error OpenClExecutor::refuse(const std::string &why) {
  failure_ = Failure::other;
  return Error{info().id + ": " + why};
}

// OpenCL does not tell; other programs' memory is only seen where the device shares the host's.
std::size_t OpenClExecutor::free_memory() {
  const std::size_t left = info().memory - std::min(info().memory, allocated_);
  return info().unified ? std::min(left, host_memory().free) : left;
}

Result<cl_mem> OpenClExecutor::buffer(std::size_t bytes, cl_mem_flags flags, const std::string &step) {
  if (lost_) return *lost_;
  cl_int code = CL_SUCCESS;
  cl_mem made = cl_.clCreateBuffer(context_, flags, std::max<std::size_t>(bytes, 16), nullptr, &code);
  if (code != CL_SUCCESS) return fail(step, code, Failure::memory);
  return made;
}

Result<std::unique_ptr<Memory>> OpenClExecutor::allocate(std::size_t bytes) {
  const std::string step = "allocating " + std::to_string(bytes) + " bytes on the device";
  auto made = buffer(bytes, CL_MEM_READ_WRITE, step);
  if (!made) return made.error();
  auto memory = std::make_unique<OpenClMemory>(*this, *made, bytes, nullptr);
  allocated_ += bytes;
  // Drivers put the allocation off to the first use; moving the buffer to the device makes them find out now.
  cl_event moved = nullptr;
  const cl_int code = cl_.clEnqueueMigrateMemObjects(own_queue_->queue(), 1, &*made,
                                                     CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr, &moved);
  if (code != CL_SUCCESS) return fail(step, code, Failure::memory);
  if (const cl_int status = own_queue_->wait(moved); status < 0) return fail(step, status, Failure::memory);
  return std::unique_ptr<Memory>(std::move(memory));
}

Result<std::unique_ptr<Memory>> OpenClExecutor::allocate_pinned(std::size_t bytes) {
  const std::string step = "allocating " + std::to_string(bytes) + " bytes of pinned host memory";
  auto made = buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, step);
  if (!made) return made.error();
  cl_int code = CL_SUCCESS;
  void *host = cl_.clEnqueueMapBuffer(own_queue_->queue(), *made, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      std::max<std::size_t>(bytes, 16), 0, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) {
    cl_.clReleaseMemObject(*made);
    return fail(step, code, Failure::memory);
  }
  return std::unique_ptr<Memory>(std::make_unique<OpenClMemory>(*this, *made, bytes, host));
}

OpenClMemory::~OpenClMemory() {
  const OpenClCalls &cl = executor_.calls();
  if (host_) {
    cl_event unmapped = nullptr;
    if (cl.clEnqueueUnmapMemObject(executor_.own_queue().queue(), buffer_, host_, 0, nullptr, &unmapped) == CL_SUCCESS)
      executor_.own_queue().wait(unmapped);
  } else {
    executor_.forget(bytes_);
  }
  cl.clReleaseMemObject(buffer_);
}

Result<std::unique_ptr<OpenClQueue>> OpenClExecutor::make_queue() {
  if (lost_) return *lost_;
  cl_int code = CL_SUCCESS;
  cl_command_queue made = cl_.clCreateCommandQueue(context_, device_.device, 0, &code);
  if (code != CL_SUCCESS) return fail("making a queue", code, Failure::other);
  return std::make_unique<OpenClQueue>(*this, made);
}

Result<std::unique_ptr<DeviceQueue>> OpenClExecutor::queue() {
  auto made = make_queue();
  if (!made) return made.error();
  return std::unique_ptr<DeviceQueue>(*std::move(made));
}

Result<std::unique_ptr<DeviceKernel>> OpenClExecutor::load(const std::string &binary, const std::string &entry) {
  if (lost_) return *lost_;
  const auto built = program(binary);
  if (!built) return built.error();
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = cl_.clCreateKernel(*built, entry.c_str(), &code);
  if (code != CL_SUCCESS) {
    std::string names(4096, '\0');
    if (cl_.clGetProgramInfo(*built, CL_PROGRAM_KERNEL_NAMES, names.size(), names.data(), nullptr) != CL_SUCCESS)
      names.clear();
    return fail("finding the kernel " + entry, code, Failure::other, "the text has '" + on_one_line(names) + "'");
  }
  return std::unique_ptr<DeviceKernel>(std::make_unique<OpenClKernel>(*this, kernel, device_.device, entry));
}

// A launch without alignments: some drivers compile a kernel when it is first started (PoCL).
Status OpenClExecutor::make_ready(const DeviceKernel &kernel, int threads, std::size_t shared_bytes) {
  auto memory = allocate(std::size_t{4} * 32 * ALN_MATRIX_STRIDE);  // some read the matrix first
  if (!memory) return memory.error();
  constexpr bool kPointer[] = {
#define ALN_FIELD(type, name) std::is_pointer_v<type>,
      ALN_DEVICE_ARGS_V1(ALN_FIELD)
#undef ALN_FIELD
  };
  std::vector<Argument> arguments;
  for (const bool pointer : kPointer)
    arguments.push_back(pointer ? Argument{memory->get(), 0, 0, false} : Argument{nullptr, 0, 0, true});
  auto launched = own_queue_->launch(kernel, 1, threads, shared_bytes, arguments);
  auto ended = own_queue_->finish();
  return launched ? ended : launched;
}

// OpenCL has no such query: local memory and 1,024 threads per unit are the usual bounds. A CPU runs one block per
// core.
int OpenClKernel::blocks_per_processor(int threads, std::size_t shared_bytes) const {
  const OpenClCalls &cl = executor_.calls();
  cl_device_type type = 0;
  cl.clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type & CL_DEVICE_TYPE_CPU) return 1;
  cl_ulong fixed = 0;
  cl.clGetKernelWorkGroupInfo(kernel_, device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof fixed, &fixed, nullptr);
  const std::size_t used = std::max<std::size_t>(fixed + shared_bytes, 1);
  const std::size_t by_memory = executor_.info().shared_memory / used;
  const auto by_threads = static_cast<std::size_t>(1024 / std::max(threads, 1));
  return static_cast<int>(std::max<std::size_t>(1, std::min(by_memory, by_threads)));
}

}  // namespace alnsmith::rt::driver
