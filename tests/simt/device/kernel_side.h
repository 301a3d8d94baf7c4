// In front of every kernel text: the bridge from the kernel to the scheduler.
//
// The functions that wait are marked convergent, so that the compiler copies no call into two branches, and optnone,
// because it would otherwise find that they call nothing convergent and drop the mark.  A rendezvous is known by the
// address that such a function returns to.
#pragma once

#include "abi.h"

#define SIMT_INLINE static inline __attribute__((always_inline, unused))
#define SIMT_WAITS __attribute__((noinline, convergent, optnone, no_sanitize("coverage", "address")))

namespace simt {

static const Services *bound;

SIMT_WAITS static Word exchange(const char *name, Word mask, Word value, int source) {
  return bound->exchange(name, __builtin_return_address(0), mask, value, source);
}
SIMT_WAITS static Word ballot(const char *name, Word mask, bool vote) {
  return bound->ballot(name, __builtin_return_address(0), mask, vote);
}
SIMT_WAITS static void barrier(const char *name) { bound->barrier(name, __builtin_return_address(0)); }

// What the bridge itself reads is no traffic of the kernel's.
#define SIMT_UNCOUNTED __attribute__((noinline, unused, no_sanitize("coverage")))
// The same for as long as a thread runs.
#define SIMT_FIXED __attribute__((const)) SIMT_UNCOUNTED
SIMT_FIXED static char *shared_memory() { return bound->shared(); }
SIMT_FIXED static unsigned thread_index() { return bound->place()->thread; }
SIMT_FIXED static unsigned threads() { return bound->place()->threads; }
SIMT_FIXED static unsigned block_index() { return bound->place()->block; }
SIMT_FIXED static unsigned blocks() { return bound->place()->blocks; }
SIMT_FIXED static unsigned warp_lanes() { return bound->place()->warp; }
SIMT_FIXED static int lane() { return (int)bound->place()->lane(); }
SIMT_UNCOUNTED static void fail(const char *message) { bound->fail(message); }

template <class To, class From>
SIMT_INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// A lane's value of up to 8 bytes on its way through exchange().
template <class T>
SIMT_INLINE T exchange_value(const char *name, Word mask, T value, int source) {
  static_assert(sizeof(T) <= sizeof(Word), "");
  Word word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  word = exchange(name, mask, word, source);
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

// From void (*)(A, B) and pointers to values to a call.
template <class... Parameters>
struct Caller {
  template <int... I>
  struct Indices {};
  template <int N, int... I>
  struct Count : Count<N - 1, N - 1, I...> {};
  template <int... I>
  struct Count<0, I...> {
    typedef Indices<I...> type;
  };
  template <class T>
  SIMT_UNCOUNTED static T argument(void *const *values, int index) {
    return *static_cast<T *>(values[index]);
  }
  template <int... I>
  static void call(void (*kernel)(Parameters...), void *const *values, Indices<I...>) {
    kernel(argument<Parameters>(values, I)...);
  }
};
template <class Kernel>
struct Signature;
template <class... Parameters>
struct Signature<void (*)(Parameters...)> {
  static constexpr int count = sizeof...(Parameters);
  static constexpr unsigned sizes[] = {sizeof(Parameters)..., 0};
  template <void (*kernel)(Parameters...)>
  static void call(void *const *values) {
    Caller<Parameters...>::call(kernel, values, typename Caller<Parameters...>::template Count<count>::type());
  }
};
#define SIMT_ENTRY(name, kernel, threads)                                                                   \
  {name, &::simt::Signature<decltype(&kernel)>::call<&kernel>, ::simt::Signature<decltype(&kernel)>::count, \
   ::simt::Signature<decltype(&kernel)>::sizes, threads}

}  // namespace simt

extern "C" __attribute__((visibility("default"))) void simt_bind(const simt::Services *services) {
  simt::bound = services;
}
