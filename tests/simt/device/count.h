// Counting builds: the compiler calls these before each load and store (-fsanitize-coverage=trace-loads,trace-stores).
//
// A struct of four words that a CUDA text declares is copied word by word on a CPU, where the device copies 16 bytes
// at once; SIMT_QUAD gives it copies that are reported as one access.
#pragma once

#include "kernel_side.h"

#define SIMT_ACCESS(kind, bytes, store)                                                                               \
  extern "C" __attribute__((visibility("hidden"))) SIMT_UNCOUNTED void __sanitizer_cov_##kind##bytes(void *address) { \
    if (simt::bound) simt::bound->access(__builtin_return_address(0), address, bytes, store);                         \
  }
SIMT_ACCESS(load, 1, false)
SIMT_ACCESS(load, 2, false)
SIMT_ACCESS(load, 4, false)
SIMT_ACCESS(load, 8, false)
SIMT_ACCESS(load, 16, false)
SIMT_ACCESS(store, 1, true)
SIMT_ACCESS(store, 2, true)
SIMT_ACCESS(store, 4, true)
SIMT_ACCESS(store, 8, true)
SIMT_ACCESS(store, 16, true)

namespace simt {
SIMT_UNCOUNTED static void copy_quad(void *to, const void *from) {
  bound->access(__builtin_return_address(0), from, 16, false);
  // Another site than the load's: the address behind it.
  bound->access(static_cast<const char *>(__builtin_return_address(0)) + 1, to, 16, true);
  __builtin_memcpy(to, from, 16);
}
}  // namespace simt

#define SIMT_QUAD(name)                                                                          \
  struct __attribute__((aligned(16))) name {                                                     \
    unsigned x, y, z, w;                                                                         \
    name() = default;                                                                            \
    SIMT_MEMBER name(unsigned a, unsigned b, unsigned c, unsigned d) : x(a), y(b), z(c), w(d) {} \
    SIMT_MEMBER name(const name &from) { ::simt::copy_quad(this, &from); }                       \
    SIMT_MEMBER name &operator=(const name &from) {                                              \
      ::simt::copy_quad(this, &from);                                                            \
      return *this;                                                                              \
    }                                                                                            \
  };
#define SIMT_MEMBER inline __attribute__((always_inline))
