// A template that runs as it stands: the dialect's types as arrays of lanes, and its operations as functions that do
// what their rows in ops.def and group_ops.def mean.
//
// Used with ALN_DIRECT. `direct::machine` says how many lanes there are and how they keep scores; warps of a block run
// as threads, each with a machine of its own.
#pragma once
#include <cstring>
#include <type_traits>

#include "meaning.h"

namespace direct {

inline thread_local Machine machine;

// The largest group: 64 threads with two alignments each.
constexpr Machine largest_machine{.lanes = 128, .packing = 2};

// A result of f(m, l, part) for each lane and part; for void only the calls.
template <class R, class F>
R each(F f) {
  const Machine m = machine;
  if constexpr (std::is_void_v<R>) {
    for (int l = 0; l < m.lanes; ++l) f(m, l, 0);
  } else {
    R r;
    over_lanes(m, [&](const Machine &known) __attribute__((always_inline)) {
      for (int part = 0; part < R::parts(m); ++part)
        for (int l = 0; l < R::lanes(m); ++l) r.v[part][l] = f(known, l, part);
    });
    return r;
  }
}

}  // namespace direct

struct sat64 {
  sat64() = default;
  sat64(int a) : value(a) {}
  sat64(long long a) : value(a) {}
  long long value;
};
#define ALN_NUMBER(result, name, order, printed, ...) \
  inline result name(sat64 x, sat64 y) {              \
    const long long a = x.value, b = y.value;         \
    return __VA_ARGS__;                               \
  }
#include "number_ops.def"

// Only the machine's lanes are copied, since most have few; by blocks of a known length, which takes no call.
namespace direct {
template <bool each>
constexpr int block_of = each ? 16 : 1;
}
#define ALN_TYPE(name, ir, how_many, each_lane, note)                                               \
  namespace direct {                                                                                \
  constexpr int name##_parts([[maybe_unused]] const Machine &m) { return how_many; }                \
  }                                                                                                 \
  struct name {                                                                                     \
    static constexpr bool each = each_lane;                                                         \
    static int parts(const direct::Machine &m) { return direct::name##_parts(m); }                  \
    static int lanes(const direct::Machine &m) { return each ? m.lanes : 1; }                       \
    name() {}                                                                                       \
    name(const name &other) { *this = other; }                                                      \
    name &operator=(const name &other) {                                                            \
      const direct::Machine &m = direct::machine;                                                   \
      for (int part = 0; part < parts(m); ++part)                                                   \
        for (int l = 0; l < lanes(m); l += direct::block_of<each>)                                  \
          std::memcpy(v[part] + l, other.v[part] + l, direct::block_of<each> * sizeof(int));        \
      return *this;                                                                                 \
    }                                                                                               \
    int operator[](int l) const { return v[0][l]; }                                                 \
    int operator()(int part, int l) const { return v[part][each ? l : 0]; }                         \
    int v[direct::name##_parts(direct::largest_machine)][each ? direct::largest_machine.lanes : 1]; \
  };
#include "types.def"

#define ALN_UNIFORM(result, name, operands, order, printed, ...)
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...)                      \
  inline result name operands {                                                                        \
    return direct::each<result>([&]([[maybe_unused]] const direct::Machine &m, [[maybe_unused]] int l, \
                                    [[maybe_unused]] int part) { return __VA_ARGS__; });               \
  }
#define ALN_ONCE(result, name, operands, effect, order, printed, cost, note, ...) \
  inline result name operands {                                                   \
    [[maybe_unused]] const direct::Machine &m = direct::machine;                  \
    return __VA_ARGS__;                                                           \
  }
#include "ops.def"
// and of devices
#include "group_ops.def"
// and of bit-sliced kernels
#include "sliced_ops.def"
