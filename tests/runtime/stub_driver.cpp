// A stand-in for libcuda.so.1 (or, with STUB_HIP, libamdhip64.so.6) under the executors: memory is the host's, commands
// run at once, and a test can make any call fail.
//
// Addresses of device memory are pointers here, which the ABI passes as it passes CUdeviceptr. Two devices. A module is
// any text that begins with "stub"; its kernels are `add`, which adds a number to each of a block's threads' ints, and
// `none`. What is allocated is counted, so that a test sees what was not given back. STUB_WITHOUT leaves out a call, as
// an older library would.
#include "stub_driver.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

#ifdef STUB_HIP
Stub stub{.version = 60300000};
#else
Stub stub{.version = 12040};
#endif
std::string failing;
int successes = 0, failure_code = 0;
void *current = nullptr;

// The code that this call is to give.
int step(const char *call) {
  ++stub.calls;
  if (failing != call) return 0;
  if (successes > 0) return --successes, 0;
  return failure_code;
}

int take(void **made, int &count, std::size_t bytes = 1) {
  if (bytes > stub.memory) return 2;
  *made = std::calloc(bytes, 1);
  ++count;
  return 0;
}

int give(void *made, int &count) {
  std::free(made);
  --count;
  return 0;
}

// No call that needs the device may come while another, or none, is the thread's.
int on_device() { return current ? 0 : 201; }

int add(void **parameters, unsigned blocks, unsigned threads) {
  int *values = *static_cast<int **>(parameters[1]);
  const int number = *static_cast<int *>(parameters[0]);
  if (*static_cast<void **>(parameters[2])) return 1;  // the tests give a null pointer here
  for (unsigned i = 0; i < blocks * threads; ++i) values[i] += number;
  return 0;
}

int launch(void *function, unsigned blocks, unsigned threads, unsigned shared, void **parameters) {
  if (threads > 1024) return 1;
  if (shared > 100 * 1024) return 701;
  stub.launches += 1;
  return std::strcmp(static_cast<const char *>(function), "add") == 0 ? add(parameters, blocks, threads) : 0;
}

int find(void **function, const char *name) {
  static char known[2][8] = {"add", "none"};
  for (auto &kernel : known)
    if (std::strcmp(name, kernel) == 0) {
      *function = kernel;
      return 0;
    }
  return 500;
}

int load(void **module, const void *image) {
  if (std::strncmp(static_cast<const char *>(image), "stub", 4) != 0) return 218;
  return take(module, stub.modules);
}

const char *name_of(int code) { return code == 2 ? "STUB_OUT_OF_MEMORY" : code == 77 ? nullptr : "STUB_ERROR"; }
const char *text_of(int code) { return code == 2 ? "out of memory" : code == 78 ? nullptr : "it failed"; }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Stub *stub_state() { return &stub; }
void stub_fail(const char *call, int code, int after) {
  failing = call;
  failure_code = code;
  successes = after;
}

#define CALL(name, ...) int name(__VA_ARGS__)
#define STEP \
  if (const int code = step(__func__); code != 0) return code
#define DEVICE_STEP \
  STEP;             \
  if (const int code = on_device(); code != 0) return code

#ifndef STUB_HIP

CALL(cuInit, unsigned) {
  STEP;
  return 0;
}
CALL(cuDriverGetVersion, int *version) {
  STEP;
  *version = stub.version;
  return 0;
}
CALL(cuGetErrorName, int code, const char **text) { return (*text = name_of(code)) ? 0 : 1; }
CALL(cuGetErrorString, int code, const char **text) { return (*text = text_of(code)) ? 0 : 1; }
CALL(cuDeviceGetCount, int *count) {
  STEP;
  *count = stub.devices;
  return 0;
}
CALL(cuDeviceGet, int *device, int index) {
  STEP;
  *device = index + 40;
  return 0;
}
CALL(cuDeviceGetName, char *name, int size, int device) {
  STEP;
  std::strncpy(name, device == 40 ? "Stub GPU A" : "Stub GPU B", static_cast<std::size_t>(size));
  return 0;
}
CALL(cuDeviceGetAttribute, int *value, int attribute, int) {
  STEP;
  static const std::map<int, int> values = {{8, 49152}, {10, 32}, {16, 132}, {18, 0}, {75, 9}, {76, 0}, {97, 232448}};
  const auto found = values.find(attribute);
  if (found == values.end()) return 1;
  *value = found->second;
  return 0;
}
CALL(cuDeviceTotalMem_v2, std::size_t *bytes, int) {
  STEP;
  *bytes = stub.memory;
  return 0;
}
CALL(cuDevicePrimaryCtxSetFlags_v2, int, unsigned flags) {
  STEP;
  return flags == 4 ? 0 : 1;
}
CALL(cuDevicePrimaryCtxRetain, void **context, int) {
  STEP;
  ++stub.contexts;
  *context = &stub.contexts;  // any address: the device keeps it
  return 0;
}
CALL(cuDevicePrimaryCtxRelease_v2, int) {
  STEP;
  --stub.contexts;
  return 0;
}
CALL(cuCtxSetCurrent, void *context) {
  STEP;
  current = context;
  return 0;
}
CALL(cuMemGetInfo_v2, std::size_t *free, std::size_t *total) {
  DEVICE_STEP;
  *free = stub.memory / 2;
  *total = stub.memory;
  return 0;
}
CALL(cuMemAlloc_v2, void **address, std::size_t bytes) {
  DEVICE_STEP;
  return take(address, stub.memories, bytes);
}
CALL(cuMemFree_v2, void *address) {
  STEP;
  return give(address, stub.memories);
}
CALL(cuMemHostAlloc, void **address, std::size_t bytes, unsigned) {
  DEVICE_STEP;
  return take(address, stub.memories, bytes);
}
CALL(cuMemFreeHost, void *address) {
  STEP;
  return give(address, stub.memories);
}
CALL(cuMemcpyHtoDAsync_v2, void *to, const void *from, std::size_t bytes, void *) {
  DEVICE_STEP;
  std::memcpy(to, from, bytes);
  return 0;
}
CALL(cuMemcpyDtoHAsync_v2, void *to, void *from, std::size_t bytes, void *) {
  DEVICE_STEP;
  std::memcpy(to, from, bytes);
  return 0;
}
CALL(cuStreamCreate, void **stream, unsigned flags) {
  DEVICE_STEP;
  return flags == 1 ? take(stream, stub.streams) : 1;
}
CALL(cuStreamDestroy_v2, void *stream) {
  STEP;
  return give(stream, stub.streams);
}
// Only events that sleep are given: a test of waiting would not see the difference here.
CALL(cuEventCreate, void **event, unsigned flags) {
  DEVICE_STEP;
  return flags == 3 ? take(event, stub.streams) : 1;
}
CALL(cuEventRecord, void *, void *) {
  DEVICE_STEP;
  return 0;
}
CALL(cuEventSynchronize, void *) {
  DEVICE_STEP;
  ++stub.waits;
  return 0;
}
CALL(cuEventDestroy_v2, void *event) {
  STEP;
  return give(event, stub.streams);
}
CALL(cuModuleLoadDataEx, void **module, const void *image, unsigned count, int *options, void **values) {
  DEVICE_STEP;
  const int code = load(module, image);
  if (code != 0 && count == 2 && options[0] == 5 && options[1] == 6 && reinterpret_cast<std::size_t>(values[1]) > 32)
    std::strcpy(static_cast<char *>(values[0]), "ptxas: line 1;\n  not a stub\n");
  return code;
}
CALL(cuModuleUnload, void *module) {
  STEP;
  return give(module, stub.modules);
}
CALL(cuModuleGetFunction, void **function, void *, const char *name) {
  DEVICE_STEP;
  return find(function, name);
}
CALL(cuFuncGetAttribute, int *value, int attribute, void *) {
  STEP;
  *value = 100;
  return attribute == 1 ? 0 : 1;
}
CALL(cuFuncSetAttribute, void *, int attribute, int value) {
  STEP;
  return attribute == 8 && value == 232448 - 100 ? 0 : 1;
}
#ifndef STUB_WITHOUT
CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, void *, int threads, std::size_t) {
  DEVICE_STEP;
  *blocks = 2048 / threads;
  return 0;
}
#endif
CALL(cuLaunchKernel, void *function, unsigned x, unsigned, unsigned, unsigned threads, unsigned, unsigned,
     unsigned shared, void *, void **parameters, void **) {
  DEVICE_STEP;
  return launch(function, x, threads, shared, parameters);
}

#else

CALL(hipInit, unsigned) {
  STEP;
  return 0;
}
CALL(hipRuntimeGetVersion, int *version) {
  STEP;
  *version = stub.version;
  return 0;
}
const char *hipGetErrorName(int code) { return name_of(code); }
const char *hipGetErrorString(int code) { return text_of(code); }
CALL(hipGetDeviceCount, int *count) {
  STEP;
  *count = stub.devices;
  return 0;
}
CALL(hipDeviceGetName, char *name, int size, int device) {
  STEP;
  std::strncpy(name, device == 0 ? "Stub GPU A" : "Stub GPU B", static_cast<std::size_t>(size));
  return 0;
}
CALL(hipDeviceGetAttribute, int *value, int attribute, int) {
  STEP;
  static const std::map<int, int> values = {{16, 0}, {63, 104}, {74, 65536}, {87, 64}};
  const auto found = values.find(attribute);
  if (found == values.end()) return 1;
  *value = found->second;
  return 0;
}
CALL(hipDeviceTotalMem, std::size_t *bytes, int) {
  STEP;
  *bytes = stub.memory;
  return 0;
}
// The size of hipDeviceProp_t and where its gcnArchName is, in versions 6 and 5.
#ifndef STUB_HIP5
CALL(hipGetDevicePropertiesR0600, void *properties, int) {
  STEP;
  std::memset(properties, 'x', 1472);
  std::strcpy(static_cast<char *>(properties) + 1160, "gfx90a:sramecc+:xnack-");
  return 0;
}
#endif
CALL(hipGetDeviceProperties, void *properties, int) {
  STEP;
  std::memset(properties, 'y', 792);
  std::strcpy(static_cast<char *>(properties) + 396, "gfx906:sramecc-:xnack-");
  return 0;
}
CALL(hipSetDevice, int device) {
  STEP;
  current = &stub.contexts + device;
  return 0;
}
CALL(hipSetDeviceFlags, unsigned flags) {
  STEP;
  return flags == 4 ? 0 : 1;
}
CALL(hipMemGetInfo, std::size_t *free, std::size_t *total) {
  DEVICE_STEP;
  *free = stub.memory / 2;
  *total = stub.memory;
  return 0;
}
CALL(hipMalloc, void **address, std::size_t bytes) {
  DEVICE_STEP;
  return take(address, stub.memories, bytes);
}
CALL(hipFree, void *address) {
  STEP;
  return give(address, stub.memories);
}
CALL(hipHostMalloc, void **address, std::size_t bytes, unsigned) {
  DEVICE_STEP;
  return take(address, stub.memories, bytes);
}
CALL(hipHostFree, void *address) {
  STEP;
  return give(address, stub.memories);
}
CALL(hipMemcpyHtoDAsync, void *to, void *from, std::size_t bytes, void *) {
  DEVICE_STEP;
  std::memcpy(to, from, bytes);
  return 0;
}
CALL(hipMemcpyDtoHAsync, void *to, void *from, std::size_t bytes, void *) {
  DEVICE_STEP;
  std::memcpy(to, from, bytes);
  return 0;
}
CALL(hipStreamCreateWithFlags, void **stream, unsigned flags) {
  DEVICE_STEP;
  return flags == 1 ? take(stream, stub.streams) : 1;
}
CALL(hipStreamDestroy, void *stream) {
  STEP;
  return give(stream, stub.streams);
}
CALL(hipEventCreateWithFlags, void **event, unsigned flags) {
  DEVICE_STEP;
  return flags == 3 ? take(event, stub.streams) : 1;
}
CALL(hipEventRecord, void *, void *) {
  DEVICE_STEP;
  return 0;
}
CALL(hipEventSynchronize, void *) {
  DEVICE_STEP;
  ++stub.waits;
  return 0;
}
CALL(hipEventDestroy, void *event) {
  STEP;
  return give(event, stub.streams);
}
CALL(hipModuleLoadData, void **module, const void *image) {
  DEVICE_STEP;
  return load(module, image);
}
CALL(hipModuleUnload, void *module) {
  STEP;
  return give(module, stub.modules);
}
CALL(hipModuleGetFunction, void **function, void *, const char *name) {
  DEVICE_STEP;
  return find(function, name);
}
#ifndef STUB_WITHOUT
CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, void *, int threads, std::size_t) {
  DEVICE_STEP;
  *blocks = 2048 / threads;
  return 0;
}
#endif
CALL(hipModuleLaunchKernel, void *function, unsigned x, unsigned, unsigned, unsigned threads, unsigned, unsigned,
     unsigned shared, void *, void **parameters, void **) {
  DEVICE_STEP;
  return launch(function, x, threads, shared, parameters);
}

#endif
}
#pragma GCC visibility pop
