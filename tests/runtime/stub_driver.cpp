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

#ifdef STUB_HIP
#include "stub_hip.inc"
#else
#include "stub_cuda.inc"
#endif
}
#pragma GCC visibility pop
