// The byte-shuffle encoders shared by encode.cpp and pack.cpp; each function only runs where its CPU feature is.
//
// Per row: ((x & mask) ^ base) is < 16 exactly for the row's bytes; a saturating + 0x70 leaves those below
// 0x80 and lifts all others to it, and a shuffle yields 0 for an index >= 0x80.  Rows hold code ^ rest, so
// that a byte of no row ends as rest: 255 for invalid, or the wildcard's code.
// Without x86-64 there are none, and ALN_X86 is not defined.
#pragma once

#include "kernels/encode.h"

#if defined(__x86_64__)
#define ALN_X86
#include <immintrin.h>

namespace alnsmith::rt::kernels {

#define ALN_SSSE3 __attribute__((target("ssse3"), always_inline)) inline
#define ALN_AVX2 __attribute__((target("avx2"), always_inline)) inline

ALN_SSSE3 __m128i encode_16(const CodeTable &table, __m128i x) {
  if (table.identity()) return x;
  __m128i sum = _mm_set1_epi8(static_cast<char>(table.rest()));
  for (int i = 0; i < table.rows(); ++i) {
    const EncodeRow &row = table.row(i);
    const __m128i masked = _mm_and_si128(x, _mm_set1_epi8(static_cast<char>(row.mask)));
    const __m128i index =
        _mm_adds_epu8(_mm_xor_si128(masked, _mm_set1_epi8(static_cast<char>(row.base))), _mm_set1_epi8(0x70));
    const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(row.change.data()));
    sum = _mm_xor_si128(sum, _mm_shuffle_epi8(codes, index));
  }
  return sum;
}

// The rows of a table in registers, for loops: N is the number of rows.
template <int N>
struct Encoder32 {
  __m256i mask[N], base[N], codes[N], rest;
  ALN_AVX2 void load(const CodeTable &table) {
    rest = _mm256_set1_epi8(static_cast<char>(table.rest()));
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i) {
      const EncodeRow &row = table.row(i);
      mask[i] = _mm256_set1_epi8(static_cast<char>(row.mask));
      base[i] = _mm256_set1_epi8(static_cast<char>(row.base));
      codes[i] = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i *>(row.change.data())));
    }
  }
  ALN_AVX2 __m256i operator()(__m256i x) const {
    __m256i sum = rest;
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i) {
      const __m256i index =
          _mm256_adds_epu8(_mm256_xor_si256(_mm256_and_si256(x, mask[i]), base[i]), _mm256_set1_epi8(0x70));
      sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(codes[i], index));
    }
    return sum;
  }
};

// Bytes that are codes already.
template <>
struct Encoder32<0> {
  ALN_AVX2 void load(const CodeTable &) {}
  ALN_AVX2 __m256i operator()(__m256i x) const { return x; }
};

}  // namespace alnsmith::rt::kernels
#endif
