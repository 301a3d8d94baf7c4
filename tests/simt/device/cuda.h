// CUDA's words for a kernel text that runs on the CPU. Only what the generator's prelude uses, and its close kin.
#pragma once

#include "kernel_side.h"
#include "ptx.h"

#define __global__
#define __device__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

namespace simt {
struct Index {
  unsigned x, y, z;
};
// Sources of the shuffles, after the PTX ISA (shfl.sync); negative: the lane's own value. A segment is `width` lanes.
SIMT_INLINE void check_width(const char *name, int width) {
  if (width < 1 || width > 32 || (width & (width - 1))) fail(name);
}
SIMT_INLINE int index_source(int lane, int from, int width) { return (lane & -width) + (from & (width - 1)); }
SIMT_INLINE int up_source(int lane, unsigned delta, int width) {
  return (unsigned)(lane & (width - 1)) >= delta ? lane - (int)delta : -1;
}
SIMT_INLINE int down_source(int lane, unsigned delta, int width) {
  return delta < (unsigned)width && (lane & (width - 1)) + (int)delta < width ? lane + (int)delta : -1;
}
// Earlier segments can be read, later ones cannot.
SIMT_INLINE int xor_source(int lane, int bits, int width) {
  const int source = lane ^ (bits & 31);
  return source <= (lane | (width - 1)) ? source : -1;
}
SIMT_INLINE Word mask_of(unsigned mask) {
  if (mask == 0) fail("a warp collective with an empty mask");
  return mask;
}
}  // namespace simt

#define threadIdx (::simt::Index{::simt::thread_index(), 0, 0})
#define blockIdx (::simt::Index{::simt::block_index(), 0, 0})
#define blockDim (::simt::Index{::simt::threads(), 1, 1})
#define gridDim (::simt::Index{::simt::blocks(), 1, 1})
#define warpSize 32

#define __syncthreads() ::simt::barrier("__syncthreads")

SIMT_INLINE void __syncwarp(unsigned mask = ~0u) { ::simt::ballot("__syncwarp", ::simt::mask_of(mask), true); }
SIMT_INLINE unsigned __ballot_sync(unsigned mask, int vote) {
  return (unsigned)::simt::ballot("__ballot_sync", ::simt::mask_of(mask), vote != 0);
}
SIMT_INLINE int __any_sync(unsigned mask, int vote) {
  return ::simt::ballot("__any_sync", ::simt::mask_of(mask), vote != 0) != 0;
}
SIMT_INLINE int __all_sync(unsigned mask, int vote) {
  return ::simt::ballot("__all_sync", ::simt::mask_of(mask), vote != 0) == mask;
}

template <class T>
SIMT_INLINE T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
  ::simt::check_width("__shfl_sync: the width is not a power of two up to 32", width);
  return ::simt::exchange_value("__shfl_sync", ::simt::mask_of(mask), value,
                                ::simt::index_source(::simt::lane(), from, width));
}
template <class T>
SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  ::simt::check_width("__shfl_up_sync: the width is not a power of two up to 32", width);
  return ::simt::exchange_value("__shfl_up_sync", ::simt::mask_of(mask), value,
                                ::simt::up_source(::simt::lane(), delta, width));
}
template <class T>
SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  ::simt::check_width("__shfl_down_sync: the width is not a power of two up to 32", width);
  return ::simt::exchange_value("__shfl_down_sync", ::simt::mask_of(mask), value,
                                ::simt::down_source(::simt::lane(), delta, width));
}
template <class T>
SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  ::simt::check_width("__shfl_xor_sync: the width is not a power of two up to 32", width);
  return ::simt::exchange_value("__shfl_xor_sync", ::simt::mask_of(mask), value,
                                ::simt::xor_source(::simt::lane(), bits, width));
}

SIMT_INLINE int atomicAdd(int *p, int value) { return __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }
SIMT_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  if (selector & 0x8888u) ::simt::fail("__byte_perm: bit 3 of a selector means nothing here; use prmt.b32");
  return ::simt::ptx::permute(a, b, selector);
}
SIMT_INLINE unsigned __float_as_uint(float value) { return ::simt::bits_as<unsigned>(value); }
SIMT_INLINE int __float_as_int(float value) { return ::simt::bits_as<int>(value); }
SIMT_INLINE float __uint_as_float(unsigned value) { return ::simt::bits_as<float>(value); }
SIMT_INLINE float __int_as_float(int value) { return ::simt::bits_as<float>(value); }
SIMT_INLINE int __popc(unsigned value) { return __builtin_popcount(value); }
SIMT_INLINE int __clz(int value) { return value ? __builtin_clz((unsigned)value) : 32; }
SIMT_INLINE int __ffs(int value) { return __builtin_ffs(value); }
