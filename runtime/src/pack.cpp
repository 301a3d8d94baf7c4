// Encoding and transposing in one pass: blocks of 16 letters x 16 lanes (32 with AVX2) go through registers.
//
// The transposition is four perfect shuffles: unpacking rows r and r + 8 rotates the 8-bit address
// (row, column) of every byte by one, and four rotations exchange row and column.
#include "pack.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "encode_simd.hpp"

namespace alnsmith::rt {
namespace {

bool pack_plain(const CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
                std::uint8_t pad, std::uint8_t *out) {
  std::uint8_t seen = 0;
  const std::size_t stride = static_cast<std::size_t>(lanes), all = packed_rows(rows);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::string_view letters = sequences[lane];
    std::uint8_t *to = out + lane;
    for (char letter : letters) {
      seen |= *to = table[letter];
      to += stride;
    }
    for (std::size_t i = letters.size(); i < all; ++i, to += stride) *to = pad;
  }
  return !(seen & 0x80);
}

// 16 bytes of -1, 16 of 0: loading at 16 - n keeps the first n bytes of a vector.
alignas(16) constexpr std::int8_t kKeep[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
// 0..15, then indices that shuffle in zeros: loading at s moves a vector down by s bytes.
alignas(16) constexpr std::int8_t kDown[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

ALN_SSSE3 __m128i load16(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }

// Letters [at, at + 16) of a sequence that may end within or before them; zeros behind the end.
// `keep` becomes the mask of those that exist. Never reads outside the sequence.
ALN_SSSE3 __m128i load_tail(std::string_view letters, std::size_t at, __m128i &keep) {
  const std::size_t left = letters.size() > at ? std::min<std::size_t>(letters.size() - at, 16) : 0;
  keep = load16(kKeep + 16 - left);
  if (left == 16) return load16(letters.data() + at);
  if (left == 0) return _mm_setzero_si128();
  if (letters.size() >= 16)
    return _mm_shuffle_epi8(load16(letters.data() + letters.size() - 16), load16(kDown + 16 - left));
  char bytes[16] = {};
  std::memcpy(bytes, letters.data() + at, left);
  return load16(bytes);
}

ALN_SSSE3 __m128i blend(__m128i keep, __m128i yes, __m128i no) {
  return _mm_or_si128(_mm_and_si128(keep, yes), _mm_andnot_si128(keep, no));
}

ALN_SSSE3 void transpose(__m128i (&x)[16]) {
  __m128i y[16];
  for (int stage = 0; stage < 4; ++stage) {
#pragma GCC unroll 8
    for (int r = 0; r < 8; ++r) {
      y[2 * r] = _mm_unpacklo_epi8(x[r], x[r + 8]);
      y[2 * r + 1] = _mm_unpackhi_epi8(x[r], x[r + 8]);
    }
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) x[r] = y[r];
  }
}

ALN_AVX2 void transpose(__m256i (&x)[16]) {
  __m256i y[16];
#pragma GCC unroll 4
  for (int stage = 0; stage < 4; ++stage) {
#pragma GCC unroll 8
    for (int r = 0; r < 8; ++r) {
      y[2 * r] = _mm256_unpacklo_epi8(x[r], x[r + 8]);
      y[2 * r + 1] = _mm256_unpackhi_epi8(x[r], x[r + 8]);
    }
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) x[r] = y[r];
  }
}

// Groups of `group` = min(lanes, 16) lanes; lanes is 4, 8 or a multiple of 16.
__attribute__((target("ssse3"))) bool pack_ssse3(const CodeTable &table, const std::string_view *sequences, int lanes,
                                                 std::size_t rows, std::uint8_t pad, std::uint8_t *out) {
  const int group = std::min(lanes, 16);
  const std::size_t stride = static_cast<std::size_t>(lanes), all = packed_rows(rows);
  const __m128i pads = _mm_set1_epi8(static_cast<char>(pad));
  __m128i seen = _mm_setzero_si128();
  for (std::size_t at = 0; at < all; at += 16) {
    for (int first = 0; first < lanes; first += group) {
      __m128i x[16];
      for (int r = 0; r < 16; ++r) {
        if (r >= group) {
          x[r] = pads;
          continue;
        }
        __m128i keep;
        const __m128i letters = load_tail(sequences[first + r], at, keep);
        x[r] = blend(keep, encode_16(table, letters), pads);
        seen = _mm_or_si128(seen, x[r]);
      }
      transpose(x);
      std::uint8_t *to = out + at * stride + static_cast<std::size_t>(first);
      for (int r = 0; r < 16; ++r, to += stride) {
        if (group == 16) {
          _mm_storeu_si128(reinterpret_cast<__m128i *>(to), x[r]);
        } else {
          std::uint64_t low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(x[r]));
          std::memcpy(to, &low, static_cast<std::size_t>(group));
        }
      }
    }
  }
  return !_mm_movemask_epi8(seen);
}

// Groups of 32 lanes: lane r in the low half of a register, lane r + 16 in the high half.
template <int N>
__attribute__((target("avx2"))) bool pack_avx2(const CodeTable &table, const std::string_view *sequences, int lanes,
                                               std::size_t rows, std::uint8_t pad, std::uint8_t *out) {
  Encoder32<N> encoder;
  encoder.load(table);
  const std::size_t stride = static_cast<std::size_t>(lanes), all = packed_rows(rows);
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  for (int lane = 0; lane < lanes; ++lane) shortest = std::min(shortest, sequences[lane].size());
  const __m256i pads = _mm256_set1_epi8(static_cast<char>(pad));
  __m256i seen = _mm256_setzero_si256();
  for (std::size_t at = 0; at < all; at += 16) {
    for (int first = 0; first < lanes; first += 32) {
      const std::string_view *low = sequences + first, *high = low + 16;
      __m256i x[16];
      if (at + 16 <= shortest) {
        for (int r = 0; r < 16; ++r)
          x[r] = encoder(_mm256_set_m128i(load16(high[r].data() + at), load16(low[r].data() + at)));
      } else {
        for (int r = 0; r < 16; ++r) {
          __m128i keep_low, keep_high;
          const __m128i letters_low = load_tail(low[r], at, keep_low), letters_high = load_tail(high[r], at, keep_high);
          x[r] = _mm256_blendv_epi8(pads, encoder(_mm256_set_m128i(letters_high, letters_low)),
                                    _mm256_set_m128i(keep_high, keep_low));
        }
      }
      for (int r = 0; r < 16; ++r) seen = _mm256_or_si256(seen, x[r]);
      transpose(x);
      std::uint8_t *to = out + at * stride + static_cast<std::size_t>(first);
      for (int r = 0; r < 16; ++r, to += stride) _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), x[r]);
    }
  }
  return !_mm256_movemask_epi8(seen);
}

}  // namespace

bool pack_lanes_with(Simd simd, const CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
                     std::uint8_t pad, std::uint8_t *out) {
  const bool blocks = lanes == 4 || lanes == 8 || lanes % 16 == 0;
  if (simd == Simd::none || table.rows() == 0 || !blocks) return pack_plain(table, sequences, lanes, rows, pad, out);
  if (simd == Simd::ssse3 || lanes % 32 != 0) return pack_ssse3(table, sequences, lanes, rows, pad, out);
  switch (table.rows()) {
    case 1:
      return pack_avx2<1>(table, sequences, lanes, rows, pad, out);
    case 2:
      return pack_avx2<2>(table, sequences, lanes, rows, pad, out);
    case 3:
      return pack_avx2<3>(table, sequences, lanes, rows, pad, out);
    case 4:
      return pack_avx2<4>(table, sequences, lanes, rows, pad, out);
    case 5:
      return pack_avx2<5>(table, sequences, lanes, rows, pad, out);
    default:
      return pack_avx2<6>(table, sequences, lanes, rows, pad, out);
  }
}

bool pack_lanes(const CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
                std::uint8_t pad, std::uint8_t *out) {
  return pack_lanes_with(best_simd(), table, sequences, lanes, rows, pad, out);
}

}  // namespace alnsmith::rt
