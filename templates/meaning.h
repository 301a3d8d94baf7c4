// What the meanings in ops.def and group_ops.def are written in: the machine that runs an operation, and how it keeps
// scores. For templates that run as they stand (direct.h) and for the IR's interpreter.
#pragma once

namespace direct {

// How a score is kept: as a signed or unsigned integer of `bits` that wraps, or as floating point with a mantissa of
// `bits`, which rounds to nearest, ties to even.
enum class Kept { signed_, unsigned_, floating };

// What the warps of a block share. `meet` waits for all of them.
struct Block {
  int index = 0, count = 1;
  int *scores = nullptr;  // shared memory read as scores: [word * packing + half]
  int *totals = nullptr;  // and as totals: [word]
  void (*meet)(Block *) = nullptr;
  void *rendezvous = nullptr;
};

inline int rounded(long long x, int bits) {
  const unsigned long long magnitude = x < 0 ? -x : x;
  if (magnitude >> bits == 0) return static_cast<int>(x);
  unsigned long long unit = 2;
  while (magnitude / unit >= 1ull << bits) unit *= 2;
  const unsigned long long rest = magnitude % unit, down = magnitude - rest;
  const bool up = rest * 2 > unit || (rest * 2 == unit && (down / unit) % 2 == 1);
  const long long r = static_cast<long long>(up ? down + unit : down);
  return static_cast<int>(x < 0 ? -r : r);
}
constexpr long long largest_number = 0x7fffffffffffffff;
inline long long saturated(bool overflows, bool negative, long long exact) {
  return !overflows ? exact : negative ? -largest_number - 1 : largest_number;
}
inline long long saturated_sum(long long a, long long b) {
  long long r = 0;
  const bool overflows = __builtin_add_overflow(a, b, &r);
  return saturated(overflows, a < 0, r);
}
inline long long saturated_difference(long long a, long long b) {
  long long r = 0;
  const bool overflows = __builtin_sub_overflow(a, b, &r);
  return saturated(overflows, a < 0, r);
}
inline long long saturated_product(long long a, long long b) {
  long long r = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &r);
  return saturated(overflows, (a < 0) != (b < 0), r);
}
inline int wrap32(long long x) { return static_cast<int>(static_cast<unsigned>(x)); }

// Both values at hand, so that lanes choose side by side.
inline int either_of(int where, int a, int b) { return where ? a : b; }

template <class T>
void put(bool where, T *p, int i, int value) {
  if (where) p[i] = static_cast<T>(value);
}

// A share of a number that other warps take from at the same time.
inline int claim(bool where, int *p, int count) { return where ? __atomic_fetch_add(p, count, __ATOMIC_RELAXED) : -1; }

// Of each bit of three words the one that the table has for it.
inline int gate(int table, int a, int b, int c) {
  int result = 0;
  for (int i = 0; i < 8; ++i)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
// Bits in memory: a byte for each lane, or a lane's word.
template <class Machine>
int load_bits(const Machine &m, const void *p, int i) {
  return m.word == 1 ? static_cast<const unsigned char *>(p)[i] : static_cast<const int *>(p)[i];
}
template <class Machine>
void store_bits(const Machine &m, void *p, int i, int bits) {
  if (m.word == 1)
    static_cast<unsigned char *>(p)[i] = static_cast<unsigned char>(bits);
  else
    static_cast<int *>(p)[i] = bits;
}
inline void store_byte_of_word(void *p, int i, int byte, int bits) {
  unsigned &word = static_cast<unsigned *>(p)[i];
  word = (word & ~(255u << 8 * byte)) | static_cast<unsigned>(bits) << 8 * byte;
}
// The number of one alignment of a lane, whose bits are elements `step` apart.
inline int number_at(const void *p, int i, int step, int bits, int place) {
  unsigned number = 0;
  for (int b = 0; b < bits; ++b) number |= (static_cast<const unsigned *>(p)[i + b * step] >> place & 1) << b;
  return static_cast<int>(number);
}

// The number whose bits are elements of memory (sliced_ops.def).
template <class Machine>
int number_of(const Machine &m, int l, const void *p, int i, int bits) {
  unsigned number = 0;
  for (int b = 0; b < bits; ++b)
    number |= static_cast<unsigned>(static_cast<const unsigned char *>(p)[(i + b) * m.lanes + l]) << b;
  return static_cast<int>(number);
}

// Tables of each lane's own (ops.def). Here their elements stay where they are.
inline void turn_table(int *, int) {}
template <class Machine>
void turn_letters(const Machine &m, int l, int *p, int i, int entries, const unsigned char *letters, int row, int end) {
  for (int r = 0; r < 16; ++r) {
    const int from = row + r < end ? row + r : end - 1, code = letters[from * m.lanes + l];
    p[(i + r) * m.lanes + l] = code < entries ? code : entries - 1;
  }
}
template <class Machine>
void look_up(const Machine &m, int l, int *p, int to, int step, int table, int letters, int entries, int least,
             int most) {
  for (int r = 0; r < 16; ++r) {
    const int entry = p[(table + (p[(letters + r) * m.lanes + l] & (entries - 1))) * m.lanes + l];
    // A template that promised too much must not pass here where printed it would fail.
    p[(to + r * step) * m.lanes + l] = least <= entry && entry <= most ? entry : m.wrap(~entry);
  }
}

// One group of lanes. On devices a lane is an alignment, `packing` of them a thread, and the group is a warp.
struct Machine {
  int lanes = 1;
  int bits = 32;
  Kept kept = Kept::signed_;
  const int *matrix = nullptr;  // what folded_matrix() yields
  int packing = 1, warp = 0;    // alignments per thread; index in the block
  int word = 1;                 // alignments that a lane's bits stand for: 1, or 32 of a word
  Block *block = nullptr;

  // A score as this machine keeps it.
  int wrap(long long x) const {
    if (kept == Kept::floating) return rounded(x, bits);
    const unsigned shifted = static_cast<unsigned>(x) << (32 - bits);
    if (kept == Kept::unsigned_) return static_cast<int>(shifted >> (32 - bits));
    return static_cast<int>(shifted) >> (32 - bits);
  }
  int floor0(int x) const { return x > 0 ? x : 0; }
  // A bit for all alignments of a lane.
  int ones() const { return word == 1 ? 1 : -1; }
  int bits_of(int bit) const { return bit ? ones() : 0; }

  // Packings and p are powers of two, and so taken as bits: divisions by numbers that are not known are slow.
  int thread(int l) const { return l >> __builtin_ctz(static_cast<unsigned>(packing)); }
  int half(int l) const { return l & (packing - 1); }
  int lane(int l, int p) const { return thread(l) & (p - 1); }
  int segment(int l, int p) const { return thread(l) >> __builtin_ctz(static_cast<unsigned>(p)); }
  // The same half of another thread of the segment of p.
  int in_segment(int l, int p, int other) const { return ((thread(l) & -p) + other) * packing + half(l); }

  template <class Mask>
  bool any(const Mask &a) const {
    int found = 0;
    for (int l = 0; l < lanes; ++l) found |= a[l];
    return found != 0;
  }
  template <class Pos>
  int largest(const Pos &a) const {
    int r = a[0];
    for (int l = 1; l < lanes; ++l) r = a[l] > r ? a[l] : r;
    return r;
  }
  template <class Pos>
  int smallest(const Pos &a) const {
    int r = a[0];
    for (int l = 1; l < lanes; ++l) r = a[l] < r ? a[l] : r;
    return r;
  }
  void warp_barrier() const {}  // its lanes run in lock step
};

// f(m). That scores are signed, where they are, the compiler knows: f's loops over lanes are vectors then.
template <class F>
void over_lanes(const Machine &m, F f) {
  if (m.kept != Kept::signed_) return f(m);
  Machine known = m;
  known.kept = Kept::signed_;
  f(known);
}

}  // namespace direct
