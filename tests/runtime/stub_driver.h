// What tests set and see of the stand-in for libcuda and libamdhip64 in stub_driver.cpp.
#pragma once

#include <cstddef>

struct Stub {
  int version = 0;  // set by the test
  int devices = 2;
  std::size_t memory = std::size_t{1} << 32;  // of each device; a larger allocation fails with code 2
  // Seen: calls and launches so far, waits on events; what is not given back.
  int calls = 0, launches = 0, waits = 0;
  int contexts = 0, memories = 0, streams = 0, modules = 0;
};

// Exported by the library: its state, and the next failure. From the call of this name on that comes after `after`
// good ones, all fail with `code`; an empty name ends that.
extern "C" {
using StubState = Stub *();
using StubFail = void(const char *call, int code, int after);
}
