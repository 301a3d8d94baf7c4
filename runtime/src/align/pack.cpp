// Encoding and transposing in one pass: blocks of 16 letters x 16 lanes (32 with AVX2) go through registers.
//
// The transposition is four perfect shuffles: unpacking rows r and r + 8 rotates the 8-bit address
// (row, column) of every byte by one, and four rotations exchange row and column.
#include "align/pack.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/encode_simd.h"

namespace alnsmith::rt::align {
namespace {

bool pack_plain(const kernels::CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
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

#ifdef ALN_X86
// 16 bytes of -1, 16 of 0: loading at 16 - n keeps the first n bytes of a vector.
alignas(16) constexpr std::int8_t kKeep[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
// 0..15, then indices that shuffle in zeros: loading at s moves a vector down by s bytes.
alignas(16) constexpr std::int8_t kDown[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

ALN_SSSE3 __m128i load16(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }

// Letters [at, at + 16) of a sequence that may end within or before them; what stands behind the end is arbitrary.
// `keep` becomes the mask of those that exist. Never reads outside the sequence; no branch where it has 16 letters.
ALN_SSSE3 __m128i load_tail(std::string_view letters, std::size_t at, __m128i &keep) {
  const std::size_t size = letters.size();
  if (size >= 16) {
    const std::size_t from = std::min(at, size - 16), missing = std::min<std::size_t>(at - from, 16);
    keep = load16(kKeep + missing);
    return _mm_shuffle_epi8(load16(letters.data() + from), load16(kDown + missing));
  }
  const std::size_t left = size > at ? size - at : 0;
  char bytes[16] = {};
  if (left > 0) std::memcpy(bytes, letters.data() + at, left);
  keep = load16(kKeep + 16 - left);
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
__attribute__((target("ssse3"))) bool pack_ssse3(const kernels::CodeTable &table, const std::string_view *sequences,
                                                 int lanes, std::size_t rows, std::uint8_t pad, std::uint8_t *out) {
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
        x[r] = blend(keep, kernels::encode_16(table, letters), pads);
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

// Where the 32 pieces of 16 letters that one step transposes come from: piece p is register p % 16, half p / 16.
// With 32 lanes each piece is a lane; with fewer, G = min(lanes, 16) lanes give 32 / G consecutive blocks each.
template <int G>
struct Step {
  static constexpr int kBlocks = G == 32 ? 1 : 32 / G;
  static constexpr int lane(int piece) { return piece % G; }
  static constexpr std::size_t row(int piece) { return static_cast<std::size_t>(piece / G) * 16; }
};

// Row i of every block: bytes of G lanes that lie together in y.
template <int G>
ALN_AVX2 void store_row(__m256i y, std::uint8_t *out, std::size_t stride, std::size_t row, std::size_t rows) {
  if constexpr (G == 32) {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + row * stride), y);
  } else {
    alignas(32) std::uint8_t bytes[32];
    _mm256_store_si256(reinterpret_cast<__m256i *>(bytes), y);
    for (int b = 0; b < Step<G>::kBlocks; ++b, row += 16)
      if (row < rows) std::memcpy(out + row * stride, bytes + b * G, G);
  }
}

template <int N, int G>
__attribute__((target("avx2"))) bool pack_avx2(const kernels::CodeTable &table, const std::string_view *sequences,
                                               int lanes, std::size_t rows, std::uint8_t pad, std::uint8_t *out) {
  kernels::Encoder32<N> encoder;
  encoder.load(table);
  const std::size_t stride = static_cast<std::size_t>(lanes), all = packed_rows(rows);
  constexpr std::size_t kRows = Step<G>::kBlocks * 16;
  // Of each G lanes, as a batch lies by length; what is beyond the last number counts there.
  std::array<std::size_t, 32> shortest;
  shortest.fill(std::numeric_limits<std::size_t>::max());
  const auto shortest_at = [&](int lane) -> std::size_t & {
    return shortest[std::min(static_cast<std::size_t>(lane / G), shortest.size() - 1)];
  };
  for (int lane = 0; lane < lanes; ++lane) shortest_at(lane) = std::min(shortest_at(lane), sequences[lane].size());
  const __m256i pads = _mm256_set1_epi8(static_cast<char>(pad));
  __m256i seen = _mm256_setzero_si256();
  for (std::size_t at = 0; at < all; at += kRows) {
    for (int first = 0; first < lanes; first += G) {
      const std::string_view *group = sequences + first;
      const auto letters = [&](int piece) { return group[Step<G>::lane(piece)]; };
      __m256i x[16];
      if (at + kRows <= shortest_at(first)) {
        for (int r = 0; r < 16; ++r)
          x[r] = encoder(_mm256_set_m128i(load16(letters(r + 16).data() + at + Step<G>::row(r + 16)),
                                          load16(letters(r).data() + at + Step<G>::row(r))));
      } else {
        for (int r = 0; r < 16; ++r) {
          __m128i keep_low, keep_high;
          const __m128i low = load_tail(letters(r), at + Step<G>::row(r), keep_low);
          const __m128i high = load_tail(letters(r + 16), at + Step<G>::row(r + 16), keep_high);
          x[r] = _mm256_blendv_epi8(pads, encoder(_mm256_set_m128i(high, low)), _mm256_set_m128i(keep_high, keep_low));
        }
      }
      for (const __m256i &y : x) seen = _mm256_or_si256(seen, y);
      transpose(x);
      for (int r = 0; r < 16; ++r) store_row<G>(x[r], out + first, stride, at + static_cast<std::size_t>(r), all);
    }
  }
  return !_mm256_movemask_epi8(seen);
}

#endif

using PackFunction = bool (*)(const kernels::CodeTable &, const std::string_view *, int, std::size_t, std::uint8_t,
                              std::uint8_t *);

#ifdef ALN_X86
template <int G>
PackFunction by_rows(int rows) {
  constexpr PackFunction functions[] = {pack_avx2<0, G>, pack_avx2<1, G>, pack_avx2<2, G>, pack_avx2<3, G>,
                                        pack_avx2<4, G>, pack_avx2<5, G>, pack_avx2<6, G>};
  return functions[rows];
}

PackFunction choose(kernels::Simd simd, const kernels::CodeTable &table, int lanes) {
  const int rows = table.rows();
  if (simd == kernels::Simd::none || (rows == 0 && !table.identity())) return pack_plain;
  if (lanes != 4 && lanes != 8 && lanes % 16 != 0) return pack_plain;
  if (simd == kernels::Simd::ssse3) return pack_ssse3;
  if (lanes % 32 == 0) return by_rows<32>(rows);
  return lanes == 4 ? by_rows<4>(rows) : lanes == 8 ? by_rows<8>(rows) : by_rows<16>(rows);
}
#else
PackFunction choose(kernels::Simd, const kernels::CodeTable &, int) { return pack_plain; }
#endif

}  // namespace

bool pack_lanes_with(kernels::Simd simd, const kernels::CodeTable &table, const std::string_view *sequences, int lanes,
                     std::size_t rows, std::uint8_t pad, std::uint8_t *out) {
  return choose(simd, table, lanes)(table, sequences, lanes, rows, pad, out);
}

bool pack_lanes(const kernels::CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
                std::uint8_t pad, std::uint8_t *out) {
  return pack_lanes_with(kernels::best_simd(), table, sequences, lanes, rows, pad, out);
}

bool pack_bytes(const kernels::CodeTable &table, std::span<const std::string_view> sequences, std::size_t rows,
                std::uint8_t pad, int bytes, std::size_t stride, std::uint8_t *out) {
  const int lanes = static_cast<int>(sequences.size());
  bool valid = pack_lanes(table, sequences.data(), lanes, rows, pad, out);
  if (bytes == 1) return valid;
  std::vector<std::string_view> views(sequences.begin(), sequences.end());
  for (int b = 1; b < bytes; ++b) {
    out += packed_rows(rows) * sequences.size();
    for (std::string_view &view : views) view = {view.data() + stride, view.size()};
    valid &= pack_lanes(table, views.data(), lanes, rows, pad, out);
  }
  return valid;
}

}  // namespace alnsmith::rt::align
