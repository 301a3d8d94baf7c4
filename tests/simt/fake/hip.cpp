// libamdhip64.so.5: the calls that runtime/src/device/driver/hip.cpp uses, under their names.  Signatures are those of
// HIP 5 with handles as plain pointers.
#include <cstdio>
#include <cstring>

#include "calls.h"

namespace fake {

Driver &driver() {
  static Driver instance("HIP", simt::Dialect::hip, "gfx90a", 50700000);
  return instance;
}

}  // namespace fake

using namespace fake;

FAKE_EXPORT int hipInit(unsigned) { return driver().init(); }
FAKE_EXPORT int hipRuntimeGetVersion(int *version) {
  *version = driver().version();
  return OK;
}
// hipErrorOutOfMemory and so on: the words of the common names, capitalised.
FAKE_EXPORT const char *hipGetErrorName(int code) {
  static thread_local std::string name;
  if (!code_name(code)) return "hipErrorUnknown";
  name = code == OK ? "hip" : "hipError";
  bool begins = true;
  for (const char *c = code_name(code); *c; ++c) {
    if (*c != '_') name += begins ? *c : static_cast<char>(*c + ('a' - 'A'));
    begins = *c == '_';
  }
  return name.c_str();
}
FAKE_EXPORT const char *hipGetErrorString(int code) { return code_text(code) ? code_text(code) : "unknown error"; }

FAKE_EXPORT int hipGetDeviceCount(int *count) { return driver().count(count); }
FAKE_EXPORT int hipSetDevice(int device) {
  Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  return driver().set_current(device);
}
FAKE_EXPORT int hipSetDeviceFlags(unsigned) { return OK; }
FAKE_EXPORT int hipDeviceGetName(char *name, int size, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(size), "Fake HIP device (%s)", found->architecture.c_str());
  return OK;
}
// hipDeviceAttribute_t of HIP 5.
FAKE_EXPORT int hipDeviceGetAttribute(int *value, int which, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  switch (which) {
    case 16:  // integrated
      *value = 0;
      return OK;
    case 63:
      *value = found->processors();
      return OK;
    case 74:
      *value = static_cast<int>(found->traits.shared_block);
      return OK;
    case 87:
      *value = found->traits.warp;
      return OK;
    default:
      return INVALID_VALUE;
  }
}
FAKE_EXPORT int hipDeviceTotalMem(std::size_t *bytes, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  *bytes = found->memory();
  return OK;
}
// hipDeviceProp_t of HIP 5: 792 bytes, of which only gcnArchName, at 396, is set.
FAKE_EXPORT int hipGetDeviceProperties(void *properties, int device) {
  const Device *const found = driver().device(device);
  if (!found) return INVALID_DEVICE;
  std::memset(properties, 0, 792);
  std::snprintf(static_cast<char *>(properties) + 396, 256, "%s", found->architecture.c_str());
  return OK;
}

FAKE_EXPORT int hipMemGetInfo(std::size_t *free, std::size_t *total) { return memory_info(free, total); }
FAKE_EXPORT int hipMalloc(std::uint64_t *address, std::size_t bytes) { return allocate(address, bytes); }
FAKE_EXPORT int hipFree(std::uint64_t address) { return release(address); }
FAKE_EXPORT int hipHostMalloc(void **address, std::size_t bytes, unsigned) { return host_allocate(address, bytes); }
FAKE_EXPORT int hipHostFree(void *address) { return host_release(address); }
FAKE_EXPORT int hipMemcpyHtoDAsync(std::uint64_t to, const void *from, std::size_t bytes, void *stream) {
  return copy_in(to, from, bytes, stream);
}
FAKE_EXPORT int hipMemcpyDtoHAsync(void *to, std::uint64_t from, std::size_t bytes, void *stream) {
  return copy_out(to, from, bytes, stream);
}

FAKE_EXPORT int hipStreamCreateWithFlags(void **stream, unsigned) { return stream_create(stream); }
FAKE_EXPORT int hipStreamDestroy(void *stream) { return stream_destroy(stream); }
FAKE_EXPORT int hipStreamSynchronize(void *stream) { return stream_synchronize(stream); }
FAKE_EXPORT int hipEventCreateWithFlags(void **event, unsigned) { return event_create(event); }
FAKE_EXPORT int hipEventRecord(void *event, void *stream) { return event_record(event, stream); }
FAKE_EXPORT int hipEventSynchronize(void *event) { return event_synchronize(event); }
FAKE_EXPORT int hipEventDestroy(void *event) { return event_destroy(event); }

FAKE_EXPORT int hipModuleLoadData(void **module, const void *image) {
  std::string problem;
  const int code = module_load(module, image, 0, problem);
  if (!problem.empty()) std::fprintf(stderr, "fake driver: %s\n", problem.c_str());
  return code;
}
FAKE_EXPORT int hipModuleUnload(void *module) { return module_unload(module); }
FAKE_EXPORT int hipModuleGetFunction(void **function, void *module, const char *name) {
  return module_function(function, module, name);
}
FAKE_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                                   std::size_t shared_bytes) {
  return occupancy(blocks, function, threads, shared_bytes);
}
FAKE_EXPORT int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                      void *stream, void **parameters, void **extra) {
  return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters, extra);
}
