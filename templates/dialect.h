// The kernel dialect: what a template may say.
//
// Two readings.  The generator parses this file with the operations only declared, evaluates the template
// for one spec and prints the operations that remain.  With -DALN_DIRECT the operations do what their rows mean,
// lane by lane (direct.h), so that the template itself runs: it is the oracle of its own printed kernels.
// The operations are the rows of ops.def, group_ops.def and sliced_ops.def, the opaque types those of types.def;
// docs/dialect.md lists them.
//
// A lane holds one alignment.  Opaque types have one value per lane; `int` and `bool` are uniform.
#pragma once
#include "device_abi.h"
#include "kernel_abi.h"
#include "memory_abi.h"
#include "strip_abi.h"

namespace kernel_memory = alnsmith::kernel_memory;

constexpr int MAX_K = 64;            // longest register tile, letters
constexpr int MAX_ROWS = 8;          // most stream letters per turn
constexpr int MAX_SKEW = 4;          // rows from lane to lane
constexpr int MAX_LETTERS = 32;      // largest alphabet
constexpr int MAX_LETTER_BYTES = 5;  // of a set of 32 states and a flag
constexpr int LOOKED_UP = 16;        // rows that look_up() takes at a time, and entries of half a table

#ifdef ALN_DIRECT
#include "direct.h"
#define ALN_KERNEL(mapping) inline
#define ALN_FACTS(mapping) inline
#else
#define ALN_KERNEL(mapping) __attribute__((annotate("aln.kernel:" mapping)))
#define ALN_FACTS(mapping) __attribute__((annotate("aln.facts:" mapping)))
#define ALN_OP __attribute__((annotate("aln.op")))
#define ALN_OPAQUE __attribute__((annotate("aln.opaque")))

// A lane's values; opaque to the evaluator.
#define ALN_TYPE(name, ir, parts, each, note) \
  struct ALN_OPAQUE name {                    \
    int opaque;                               \
  };
#include "types.def"

// A uniform integer of 64 bits that saturates (number_ops.def), for what is told of a kernel, not for kernels.
struct ALN_OPAQUE sat64 {
  sat64() = default;
  ALN_OP sat64(int a);
  int opaque;
};
#define ALN_NUMBER(result, name, order, printed, ...) ALN_OP result name(sat64 a, sat64 b);
#include "number_ops.def"

#define ALN_UNIFORM(result, name, operands, order, printed, ...)
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...) ALN_OP result name operands;
#define ALN_ONCE ALN_EACH
#include "ops.def"
// Devices: where the lanes of a warp share alignments. A warp is the group of threads that run in lock step; `int` and
// `bool` are uniform over it. p neighbouring lanes, a segment, share one alignment, or `packing` of them side by side
// in a register; lengths, positions, letters and masks follow the packing. Several warps make a block; they meet at
// barriers and share memory of the block. Where a function takes p, it is a static power of two.
#include "group_ops.def"
#include "sliced_ops.def"
#endif

// The argument block where lanes share alignments: of a device's kernel (device_abi.h), or of mapping `strips`
// (strip_abi.h), whose fields have the same names where they mean the same.
struct GroupArgs {
#define ALN_FIELD(type, name) type name;
  ALN_DEVICE_ARGS_V1(ALN_FIELD)
  ALN_STRIP_OWN_V1(ALN_FIELD)
#undef ALN_FIELD
};

inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline sat64 operator+(sat64 a, sat64 b) { return add(a, b); }
inline sat64 operator-(sat64 a, sat64 b) { return sub(a, b); }
inline sat64 operator-(sat64 a) { return sub(0, a); }
inline sat64 operator*(sat64 a, sat64 b) { return mul(a, b); }
inline bool operator<=(sat64 a, sat64 b) { return at_most(a, b); }
inline vscore operator+(vscore a, vscore b) { return add(a, b); }
inline vscore operator-(vscore a, vscore b) { return sub(a, b); }
inline vwide operator+(vwide a, vwide b) { return add(a, b); }
inline vwide operator-(vwide a, vwide b) { return sub(a, b); }
inline vwide operator*(vwide a, vwide b) { return mul(a, b); }
inline vpos operator+(vpos a, vpos b) { return add(a, b); }
inline vpos operator-(vpos a, vpos b) { return sub(a, b); }
inline vpos operator*(vpos a, vpos b) { return mul(a, b); }
inline vmask operator&(vmask a, vmask b) { return both(a, b); }
inline vmask operator|(vmask a, vmask b) { return either(a, b); }

// Every maximum of a recurrence goes through here, so that a traceback can ask which side won.
inline vscore choose(vscore a, vscore b) { return max(a, b); }
