// libcuda.so.1: the calls that runtime/src/device/driver/cuda.cpp uses, under their names.  Signatures are those of the
// CUDA driver API with handles as plain pointers.
#include <cstdio>
#include <cstring>

#include "calls.h"

namespace fake {

Driver &driver() {
  static Driver instance("CUDA", simt::Dialect::cuda, "sm_90", 13000);
  return instance;
}

namespace {

// CUdevice_attribute.
int attribute_of(const Device &device, int which, int &value) {
  switch (which) {
    case 1:  // threads of a block
      value = 1024;
      return OK;
    case 8:
      value = static_cast<int>(device.traits.shared_block);
      return OK;
    case 10:
      value = device.traits.warp;
      return OK;
    case 16:
      value = device.processors();
      return OK;
    case 18:  // integrated
      value = 0;
      return OK;
    case 39:
      value = device.traits.threads_processor;
      return OK;
    case 75:
      value = device.traits.major;
      return OK;
    case 76:
      value = device.traits.minor;
      return OK;
    case 81:
      value = static_cast<int>(device.traits.shared_total);
      return OK;
    case 97:
      value = static_cast<int>(device.traits.shared_optin);
      return OK;
    default:
      return INVALID_VALUE;
  }
}

// Contexts are the devices' own, by number.
void *context_of(int device) { return reinterpret_cast<void *>(static_cast<std::intptr_t>(device) + 1); }

int copy_text(const char *text, const char **to) {
  *to = text;
  return text ? OK : INVALID_VALUE;
}

}  // namespace
}  // namespace fake

using namespace fake;

FAKE_EXPORT int cuInit(unsigned) { return driver().init(); }
FAKE_EXPORT int cuDriverGetVersion(int *version) {
  *version = driver().version();
  return OK;
}
FAKE_EXPORT int cuGetErrorName(int code, const char **text) {
  static thread_local std::string name;
  if (!code_name(code)) return copy_text(nullptr, text);
  name = (code == OK ? "CUDA_" : "CUDA_ERROR_") + std::string(code_name(code));
  return copy_text(name.c_str(), text);
}
FAKE_EXPORT int cuGetErrorString(int code, const char **text) { return copy_text(code_text(code), text); }

FAKE_EXPORT int cuDeviceGetCount(int *count) {
  const int code = driver().count(count);
  return code == NO_DEVICE ? int{OK} : code;
}
FAKE_EXPORT int cuDeviceGet(int *device, int index) {
  *device = index;
  return driver().device(index) ? OK : INVALID_DEVICE;
}
FAKE_EXPORT int cuDeviceGetName(char *name, int size, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(size), "Fake CUDA device (%s)", found->architecture.c_str());
  return OK;
}
FAKE_EXPORT int cuDeviceGetAttribute(int *value, int which, int device) {
  const Device *const found = driver().device(device);
  return found ? attribute_of(*found, which, *value) : INVALID_DEVICE;
}
FAKE_EXPORT int cuDeviceTotalMem_v2(std::size_t *bytes, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  *bytes = found->memory();
  return OK;
}
FAKE_EXPORT int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned) {
  return driver().device(device) ? OK : INVALID_DEVICE;
}
FAKE_EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  *context = context_of(device);
  return found->call();
}
FAKE_EXPORT int cuDevicePrimaryCtxRelease_v2(int device) { return driver().device(device) ? OK : INVALID_DEVICE; }
FAKE_EXPORT int cuCtxSetCurrent(void *context) {
  return driver().set_current(static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1);
}

FAKE_EXPORT int cuMemGetInfo_v2(std::size_t *free, std::size_t *total) { return memory_info(free, total); }
FAKE_EXPORT int cuMemAlloc_v2(std::uint64_t *address, std::size_t bytes) { return allocate(address, bytes); }
FAKE_EXPORT int cuMemFree_v2(std::uint64_t address) { return release(address); }
FAKE_EXPORT int cuMemHostAlloc(void **address, std::size_t bytes, unsigned) { return host_allocate(address, bytes); }
FAKE_EXPORT int cuMemFreeHost(void *address) { return host_release(address); }
FAKE_EXPORT int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void *from, std::size_t bytes, void *stream) {
  return copy_in(to, from, bytes, stream);
}
FAKE_EXPORT int cuMemcpyDtoHAsync_v2(void *to, std::uint64_t from, std::size_t bytes, void *stream) {
  return copy_out(to, from, bytes, stream);
}

FAKE_EXPORT int cuStreamCreate(void **stream, unsigned) { return stream_create(stream); }
FAKE_EXPORT int cuStreamDestroy_v2(void *stream) { return stream_destroy(stream); }
FAKE_EXPORT int cuStreamSynchronize(void *stream) { return stream_synchronize(stream); }
FAKE_EXPORT int cuEventCreate(void **event, unsigned) { return event_create(event); }
FAKE_EXPORT int cuEventRecord(void *event, void *stream) { return event_record(event, stream); }
FAKE_EXPORT int cuEventSynchronize(void *event) { return event_synchronize(event); }
FAKE_EXPORT int cuEventDestroy_v2(void *event) { return event_destroy(event); }

// Of the options only the error log is known: CU_JIT_ERROR_LOG_BUFFER and its size.
FAKE_EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options,
                                   void *const *values) {
  std::string problem;
  const int code = module_load(module, image, 0, problem);
  char *log = nullptr;
  std::size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5) log = static_cast<char *>(values[i]);
    if (options[i] == 6) size = reinterpret_cast<std::size_t>(values[i]);
  }
  if (log && size) std::snprintf(log, size, "%s", problem.c_str());
  return code;
}
FAKE_EXPORT int cuModuleLoadData(void **module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
FAKE_EXPORT int cuModuleUnload(void *module) { return module_unload(module); }
FAKE_EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
  return module_function(function, module, name);
}
// CUfunction_attribute: threads, static shared memory, constant and local memory, registers, most dynamic memory.
FAKE_EXPORT int cuFuncGetAttribute(int *value, int which, void *function) {
  const auto *const found = static_cast<const Function *>(function);
  const int threads = found->kernel.threads ? found->kernel.threads : 1024;
  *value = which == 0 ? threads : which == 4 ? 64 : which == 8 ? static_cast<int>(found->dynamic_shared) : 0;
  return OK;
}
FAKE_EXPORT int cuFuncSetAttribute(void *function, int which, int value) {
  int code = OK;
  const Device *const device = driver().current(code);
  if (!device) return code;
  if (which != 8 || value < 0 || static_cast<std::size_t>(value) > device->traits.shared_optin) return INVALID_VALUE;
  static_cast<Function *>(function)->dynamic_shared = static_cast<std::size_t>(value);
  return OK;
}
FAKE_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                            std::size_t shared_bytes) {
  return occupancy(blocks, function, threads, shared_bytes);
}
FAKE_EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                               void **parameters, void **extra) {
  return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters, extra);
}
