// Half precision as NVIDIA's devices do it: one rounding an operation, denormals kept, NaN results canonical (0x7fff).
//
// A sum or product of two halves in float, rounded again, is correctly rounded (24 >= 2 * 11 + 2 bits).  A fused
// multiply-add rounds its sum in float to odd, so that the second rounding cannot err (24 >= 11 + 2 bits).
#pragma once

#include "kernel_side.h"

namespace simt {

typedef unsigned short HalfBits;

SIMT_INLINE float half_value(HalfBits bits) { return static_cast<float>(bits_as<_Float16>(bits)); }
SIMT_INLINE HalfBits half_bits(float value) {
  return value != value ? HalfBits(0x7fff) : bits_as<HalfBits>(static_cast<_Float16>(value));
}

SIMT_INLINE HalfBits half_fma(HalfBits a, HalfBits b, HalfBits c) {
  const float product = half_value(a) * half_value(b);  // exact
  const float addend = half_value(c), sum = product + addend;
  if (sum != sum) return 0x7fff;
  if (sum - sum != 0) return half_bits(sum);
  // What the rounding of the sum lost, after Knuth; no term is too small for a float.
  const float back = sum - product;
  const float lost = (product - (sum - back)) + (addend - back);
  unsigned bits = bits_as<unsigned>(sum);
  if (lost != 0 && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1u : ~0u;
  return half_bits(bits_as<float>(bits));
}

SIMT_INLINE bool half_nan(HalfBits a) { return (a & 0x7fff) > 0x7c00; }
// A NaN gives way to the other operand; -0 is less than +0.
SIMT_INLINE HalfBits half_max(HalfBits a, HalfBits b) {
  if (half_nan(a)) return half_nan(b) ? HalfBits(0x7fff) : b;
  if (half_nan(b)) return a;
  const float x = half_value(a), y = half_value(b);
  if (x == y) return a & b;  // only zeros differ in bits
  return x > y ? a : b;
}
SIMT_INLINE HalfBits half_min(HalfBits a, HalfBits b) {
  if (half_nan(a)) return half_nan(b) ? HalfBits(0x7fff) : b;
  if (half_nan(b)) return a;
  const float x = half_value(a), y = half_value(b);
  if (x == y) return a | b;
  return x < y ? a : b;
}
SIMT_INLINE HalfBits half_relu(HalfBits a) { return half_nan(a) ? a : (a & 0x8000) ? HalfBits(0) : a; }

SIMT_INLINE unsigned canonical(float a) { return a != a ? 0x7fffffffu : bits_as<unsigned>(a); }
SIMT_INLINE float float_max(float a, float b) {
  if (a != a) return b != b ? bits_as<float>(0x7fffffffu) : b;
  if (b != b) return a;
  if (a == b) return bits_as<float>(bits_as<unsigned>(a) & bits_as<unsigned>(b));
  return a > b ? a : b;
}
SIMT_INLINE float float_min(float a, float b) {
  if (a != a) return b != b ? bits_as<float>(0x7fffffffu) : b;
  if (b != b) return a;
  if (a == b) return bits_as<float>(bits_as<unsigned>(a) | bits_as<unsigned>(b));
  return a < b ? a : b;
}

}  // namespace simt
