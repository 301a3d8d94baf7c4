// What PTX instructions do: one function per row of ptx_table.inc.
#pragma once

#include "half.h"
#include "kernel_side.h"

namespace simt {
namespace ptx {

typedef HalfBits Half;

SIMT_INLINE int relu(int x) { return x < 0 ? 0 : x; }
SIMT_INLINE unsigned saturate(long long x) {
  return (unsigned)(x > 0x7fffffffll ? 0x7fffffffll : x < -0x80000000ll ? -0x80000000ll : x);
}
SIMT_INLINE unsigned all_ones(bool holds) { return holds ? ~0u : 0u; }
SIMT_INLINE Half half_mask(bool holds) { return holds ? Half(0xffff) : Half(0); }
SIMT_INLINE unsigned join(unsigned low, unsigned high) { return (low & 0xffffu) | high << 16; }

template <class F>
SIMT_INLINE unsigned pairs(unsigned a, unsigned b, F f) {
  return join((unsigned)f((short)a, (short)b), (unsigned)f((short)(a >> 16), (short)(b >> 16)));
}
template <class F>
SIMT_INLINE unsigned pairs_unsigned(unsigned a, unsigned b, F f) {
  return join((unsigned)f(a & 0xffff, b & 0xffff), (unsigned)f(a >> 16, b >> 16));
}
// Not inlined: a kernel has thousands of these, and each is long on a CPU.
#define SIMT_APART __attribute__((noinline, const, no_sanitize("coverage")))
template <class F>
SIMT_APART static unsigned half_pairs(unsigned a, unsigned b, F f) {
  return join(f((Half)a, (Half)b), f((Half)(a >> 16), (Half)(b >> 16)));
}
template <class F>
SIMT_APART static unsigned half_triples(unsigned a, unsigned b, unsigned c, F f) {
  return join(f((Half)a, (Half)b, (Half)c), f((Half)(a >> 16), (Half)(b >> 16), (Half)(c >> 16)));
}

template <class Byte>
SIMT_INLINE unsigned dot4(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (unsigned)((int)(Byte)(a >> i) * (int)(Byte)(b >> i));
  return c;
}
// Bit by bit, `table` holds the result for each of the eight cases of (a, b, c).
SIMT_INLINE unsigned logic3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (int i = 0; i < 8; ++i) {
    if (table >> i & 1) result |= ((i & 4) ? a : ~a) & ((i & 2) ? b : ~b) & ((i & 1) ? c : ~c);
  }
  return result;
}
SIMT_INLINE unsigned extract(unsigned a, unsigned position, unsigned length) {
  position &= 255, length &= 255;
  if (position > 31) return 0;
  return length > 31 ? a >> position : (a >> position) & ((1u << length) - 1);
}
SIMT_INLINE unsigned byte_of(unsigned a, unsigned b, int i) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> (8 * i)) & 255;
}
template <class F>
SIMT_INLINE unsigned permute_by(unsigned a, unsigned b, F source) {
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= byte_of(a, b, source(i)) << (8 * i);
  return result;
}
// A selector's fourth bit asks for the byte's sign in all of its bits.
SIMT_INLINE unsigned permute(unsigned a, unsigned b, unsigned selector) {
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned which = selector >> (4 * i) & 15;
    unsigned byte = byte_of(a, b, which & 7);
    if (which & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
// To the nearest, ties to even; out of range saturates, NaN is 0.
SIMT_INLINE unsigned to_int(float a) {
  if (a != a) return 0;
  if (a >= 2147483648.0f) return 0x7fffffffu;
  if (a < -2147483648.0f) return 0x80000000u;
  return (unsigned)(int)__builtin_rintf(a);
}

#define PTX_TYPE_r unsigned
#define PTX_TYPE_f float
#define PTX_TYPE_h unsigned short
#define PTX_OPERANDS_h unsigned short a
#define PTX_OPERANDS_r unsigned a
#define PTX_OPERANDS_f float a
#define PTX_OPERANDS_rr unsigned a, unsigned b
#define PTX_OPERANDS_ff float a, float b
#define PTX_OPERANDS_rrr unsigned a, unsigned b, unsigned c
#define PTX_OPERANDS_fff float a, float b, float c
#define PTX_OPERANDS_rrrr unsigned a, unsigned b, unsigned c, unsigned d
#define PTX(name, instruction, result, operands, ...) \
  SIMT_INLINE PTX_TYPE_##result name(PTX_OPERANDS_##operands) { return __VA_ARGS__; }
#include "ptx_table.inc"
#undef PTX

}  // namespace ptx
}  // namespace simt
