// Sixty-four lanes at a time. With AVX-512 VBMI and GFNI, of as many letters each: a bit of a lane's letters is a word,
// and 64 x 64 bits are turned. Else letters are encoded and transposed to bytes, then each row's bits are taken
// together.
#include "align/pack_planes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "align/pack.h"
#include "kernels/encode_simd.h"

namespace alnsmith::rt::align {
namespace {

constexpr std::size_t kPlaneLanes = 64;  // that are packed together

// Bit `bit` of 64 bytes.
std::uint64_t bits_of_bytes(const std::uint8_t *bytes, int bit) {
  std::uint64_t bits = 0;
  for (int part = 0; part < 8; ++part) {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<std::uint8_t>(bytes[8 * part + i] >> bit & 1)} << i;
    bits |= word << 8 * part;
  }
  return bits;
}

void planes_plain(const std::uint8_t *bytes, std::size_t rows, std::span<const int> bits, std::size_t step,
                  std::uint8_t *out) {
  for (std::size_t row = 0; row < rows; ++row, bytes += kPlaneLanes)
    for (const int bit : bits) {
      const std::uint64_t word = bits_of_bytes(bytes, bit);
      for (int i = 0; i < 8; ++i) out[i] = static_cast<std::uint8_t>(word >> 8 * i);
      out += step;
    }
}

#ifdef ALN_X86
__attribute__((target("avx2"))) void planes_avx2(const std::uint8_t *bytes, std::size_t rows, std::span<const int> bits,
                                                 std::size_t step, std::uint8_t *out) {
  for (std::size_t row = 0; row < rows; ++row, bytes += kPlaneLanes) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(bytes)),
                  high = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(bytes + 32));
    for (const int bit : bits) {
      // A byte's uppermost bit counts; what comes over from the byte below stays under it.
      const __m128i left = _mm_cvtsi32_si128(7 - bit);
      const std::uint32_t word[] = {static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_sll_epi16(low, left))),
                                    static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_sll_epi16(high, left)))};
      std::memcpy(out, word, sizeof word);
      out += step;
    }
  }
}

__attribute__((target("avx512f,avx512bw"))) void planes_avx512(const std::uint8_t *bytes, std::size_t rows,
                                                               std::span<const int> bits, std::size_t step,
                                                               std::uint8_t *out) {
  for (std::size_t row = 0; row < rows; ++row, bytes += kPlaneLanes) {
    const __m512i letters = _mm512_loadu_si512(bytes);
    for (const int bit : bits) {
      const std::uint64_t word = _mm512_test_epi8_mask(letters, _mm512_set1_epi8(static_cast<char>(1 << bit)));
      std::memcpy(out, &word, sizeof word);
      out += step;
    }
  }
}

// GCC 12 takes what its own header leaves undefined on purpose for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#define ALN_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni,bmi2")))
#define ALN_VBMI_INLINE __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni,bmi2"), always_inline)) inline

constexpr std::size_t kBlock = 64;  // letters of a lane that are turned together

struct CodeLookup {
  bool identity;
  __m512i low, high;  // of bytes below 64, and below 128
  ALN_VBMI_INLINE explicit CodeLookup(const kernels::CodeTable &table)
      : identity(table.identity()),
        low(_mm512_loadu_si512(table.data())),
        high(_mm512_loadu_si512(table.data() + 64)) {}
  // Bytes from 127 on have one code.
  ALN_VBMI_INLINE __m512i operator()(__m512i letters) const {
    if (identity) return letters;
    return _mm512_permutex2var_epi8(low, _mm512_min_epu8(letters, _mm512_set1_epi8(127)), high);
  }
  // Of the letters at `from` that `keep` says, 0 for the others, which are not read.
  ALN_VBMI_INLINE __m512i operator()(__mmask64 keep, const char *from) const {
    const __m512i letters = _mm512_maskz_loadu_epi8(keep, from);
    if (identity) return letters;
    return _mm512_maskz_permutex2var_epi8(keep, low, _mm512_min_epu8(letters, _mm512_set1_epi8(127)), high);
  }
};

// Codes of letters [at, at + 64) of 64 lanes, a row of `codes` each. Returns the bits that any of them has.
ALN_VBMI_INLINE std::uint8_t encode_block(const CodeLookup &encode, const std::string_view *sequences, std::size_t at,
                                          std::uint8_t pad, std::uint8_t *codes) {
  const __m512i pads = _mm512_set1_epi8(static_cast<char>(pad));
  __m512i seen = _mm512_setzero_si512();
  for (std::size_t lane = 0; lane < kPlaneLanes; ++lane) {
    const std::string_view letters = sequences[lane];
    __m512i code = pads;
    if (letters.size() >= at + kBlock) {
      code = encode(_mm512_loadu_si512(letters.data() + at));
    } else if (letters.size() > at) {
      const __mmask64 keep = ~std::uint64_t{0} >> (kBlock - (letters.size() - at));
      code = _mm512_mask_mov_epi8(pads, keep, encode(keep, letters.data() + at));
    }
    _mm512_store_si512(codes + lane * kBlock, code);
    seen = _mm512_or_si512(seen, code);
  }
  alignas(64) std::uint64_t words[8];
  _mm512_store_si512(words, seen);
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  all |= all >> 32;
  all |= all >> 16;
  return static_cast<std::uint8_t>(all | all >> 8);
}

template <int bits>
ALN_VBMI_INLINE __m512i low(__m512i a, __m512i b) {
  if constexpr (bits == 8) return _mm512_unpacklo_epi8(a, b);
  if constexpr (bits == 16) return _mm512_unpacklo_epi16(a, b);
  if constexpr (bits == 32) return _mm512_unpacklo_epi32(a, b);
  return _mm512_unpacklo_epi64(a, b);
}
template <int bits>
ALN_VBMI_INLINE __m512i high(__m512i a, __m512i b) {
  if constexpr (bits == 8) return _mm512_unpackhi_epi8(a, b);
  if constexpr (bits == 16) return _mm512_unpackhi_epi16(a, b);
  if constexpr (bits == 32) return _mm512_unpackhi_epi32(a, b);
  return _mm512_unpackhi_epi64(a, b);
}
// Neighbours of N registers joined by elements of so many bits, as unpacking does: what lies in from[2i * n + c] and
// from[(2i + 1) * n + c], n = bits / 8 registers that belong together, goes to to[2 (i * n + c)] and the next one.
template <int bits, int N>
ALN_VBMI_INLINE void join(const __m512i (&from)[N], __m512i (&to)[N]) {
  constexpr int n = bits / 8;
#pragma GCC unroll 8
  for (int i = 0; i < N / 2; ++i) {
    const int one = i / n * 2 * n + i % n;
    to[2 * i] = low<bits>(from[one], from[one + n]);
    to[2 * i + 1] = high<bits>(from[one], from[one + n]);
  }
}

// Bit r of words[l] becomes bit l of turned[turned_at(r)].
//
// Eight lanes lie in a register: a permutation puts their bytes of the same eight letters together, last lane first, as
// GF2P8AFFINEQB takes the rows of a matrix, which turns 8 x 8 bits. Three unpackings then join a letter's eight bytes.
ALN_VBMI_INLINE void turn_bits(const std::uint64_t *words, std::uint64_t *turned) {
  alignas(64) static constexpr auto together = [] {
    std::array<std::uint8_t, 64> from{};
    for (std::size_t i = 0; i < 64; ++i) from[i] = static_cast<std::uint8_t>((7 - i % 8) * 8 + i / 8);
    return from;
  }();
  const __m512i index = _mm512_load_si512(together.data()),
                unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201u));
  __m512i x[8], y[8];
#pragma GCC unroll 8
  for (int g = 0; g < 8; ++g)
    x[g] = _mm512_gf2p8affine_epi64_epi8(unit, _mm512_permutexvar_epi8(index, _mm512_load_si512(words + 8 * g)), 0);
  join<8>(x, y);
  join<16>(y, x);
  join<32>(x, y);
#pragma GCC unroll 8
  for (int r = 0; r < 8; ++r) _mm512_store_si512(turned + 8 * r, y[r]);
}
// Unpacking goes by quarters of a register, of 16 letters each.
constexpr std::size_t turned_at(std::size_t letter) { return letter % 16 / 2 * 8 + letter / 16 * 2 + letter % 2; }

ALN_VBMI_INLINE void store_words(const std::uint64_t *turned, std::size_t count, std::size_t stride,
                                 std::uint8_t *out) {
  if (count < kBlock) {
    for (std::size_t r = 0; r < count; ++r) std::memcpy(out + r * stride, &turned[turned_at(r)], sizeof turned[0]);
    return;
  }
  for (std::size_t first = 0; first < kBlock; first += 16)
#pragma GCC unroll 16
    for (std::size_t r = 0; r < 16; ++r, out += stride)
      std::memcpy(out, &turned[turned_at(r) + first / 8], sizeof turned[0]);
}

// The two planes of letters [at, at + 64) of 64 lanes, each one of the codes 0 to 3; the words of letter r are
// word[r % 16][r / 16]. Of letters that a lane does not have, the bit in absent[turned_at(r)].
struct TwoPlanes {
  alignas(64) std::uint64_t word[16][4][2];
  alignas(64) std::uint64_t absent[kBlock];
};

// False where there are other codes. `whole`: all lanes have `count` letters there, else what is absent is noted, and
// has the lowest bits of `pad`.
//
// Four lanes' codes go into a byte, sixteen such bytes of a letter are joined, and their 8 x 8 bits turned as above.
template <bool whole>
ALN_VBMI_INLINE bool two_planes(const CodeLookup &encode, const std::string_view *sequences, std::size_t at,
                                std::size_t count, std::uint8_t pad, TwoPlanes &turned) {
  alignas(64) std::uint64_t absent[kPlaneLanes];
  const __m512i pads = _mm512_set1_epi8(static_cast<char>(pad & 3));
  __m512i x[16], y[16], seen = _mm512_setzero_si512();
  const auto code = [&](std::size_t lane) ALN_VBMI {
    const std::string_view letters = sequences[lane];
    std::size_t first = at, here = count;
    if constexpr (!whole) {
      first = std::min(at, letters.size());
      here = std::min(letters.size() - first, kBlock);
    }
    const __mmask64 keep = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(here));
    const __m512i own = encode(keep, letters.data() + first);
    seen = _mm512_or_si512(seen, own);
    if constexpr (whole) return own;
    absent[lane] = ~keep;
    return _mm512_mask_mov_epi8(pads, keep, own);
  };
  for (std::size_t v = 0; v < 16; ++v) {
    const std::size_t first = v / 8 * 32 + 7 - v % 8;
    const __m512i low = _mm512_or_si512(code(first), _mm512_slli_epi16(code(first + 8), 2)),
                  high =
                      _mm512_or_si512(_mm512_slli_epi16(code(first + 16), 4), _mm512_slli_epi16(code(first + 24), 6));
    x[v] = _mm512_or_si512(low, high);
  }
  if (_mm512_test_epi8_mask(seen, _mm512_set1_epi8(~3)) != 0) return false;
  join<8>(x, y);
  join<16>(y, x);
  join<32>(x, y);
  join<64>(y, x);
  const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201u)),
                apart = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
#pragma GCC unroll 16
  for (int r = 0; r < 16; ++r)
    _mm512_store_si512(turned.word[r], _mm512_shuffle_epi8(_mm512_gf2p8affine_epi64_epi8(unit, x[r], 0), apart));
  if constexpr (!whole) turn_bits(absent, turned.absent);
  return true;
}

// Of the other planes those in which a pad has a bit have that of absent letters, the others none.
template <bool whole>
ALN_VBMI_INLINE void store_two_planes(const TwoPlanes &turned, std::size_t count, std::span<const int> bits,
                                      std::uint8_t pad, std::size_t step, std::uint8_t *out) {
  for (std::size_t first = 0; first < count; first += 16)
    for (std::size_t r = 0; r < std::min<std::size_t>(16, count - first); ++r, out += bits.size() * step) {
      std::memcpy(out, &turned.word[r][first / 16][0], sizeof(std::uint64_t));
      std::memcpy(out + step, &turned.word[r][first / 16][1], sizeof(std::uint64_t));
      for (std::size_t p = 2; p < bits.size(); ++p) {
        std::uint64_t word = 0;
        if constexpr (!whole) word = pad >> bits[p] & 1 ? turned.absent[turned_at(first + r)] : 0;
        std::memcpy(out + p * step, &word, sizeof word);
      }
    }
}

// Letters [at, at + count) of 64 lanes, of codes 0 to 3; false, and nothing is written, where there are others.
template <bool whole>
ALN_VBMI_INLINE bool pack_two_planes(const CodeLookup &encode, const std::string_view *sequences, std::size_t at,
                                     std::size_t count, std::uint8_t pad, std::span<const int> bits, std::size_t step,
                                     std::uint8_t *out) {
  TwoPlanes turned;
  if (!two_planes<whole>(encode, sequences, at, count, pad, turned)) return false;
  store_two_planes<whole>(turned, count, bits, pad, step, out);
  return true;
}

// The same of which each plane goes by itself, whatever the codes. Returns the bits that any code has.
ALN_VBMI_INLINE std::uint8_t any_planes(const CodeLookup &encode, const std::string_view *sequences, std::size_t at,
                                        std::size_t count, std::uint8_t pad, std::span<const int> bits,
                                        std::size_t step, std::uint8_t *out) {
  alignas(64) std::uint8_t codes[kPlaneLanes * kBlock];
  alignas(64) std::uint64_t words[kPlaneLanes], turned[kBlock];
  const std::uint8_t found = encode_block(encode, sequences, at, pad, codes);
  for (std::size_t p = 0; p < bits.size(); ++p, out += step) {
    if (found >> bits[p] & 1) {
      const __m512i bit = _mm512_set1_epi8(static_cast<char>(1 << bits[p]));
#pragma GCC unroll 8
      for (std::size_t lane = 0; lane < kPlaneLanes; ++lane)
        words[lane] = _mm512_test_epi8_mask(_mm512_load_si512(codes + lane * kBlock), bit);
      turn_bits(words, turned);
    } else {
      std::memset(turned, 0, sizeof turned);
    }
    store_words(turned, count, bits.size() * step, out);
  }
  return found;
}

// All lanes' letters of a block after another, so that what is written stays near.
ALN_VBMI bool planes_vbmi(const kernels::CodeTable &table, std::span<const std::string_view> sequences,
                          std::size_t rows, std::uint8_t pad, std::span<const int> bits, std::uint8_t *out) {
  const CodeLookup encode(table);
  const bool two_first = bits.size() >= 2 && bits[0] == 0 && bits[1] == 1;
  const std::size_t step = sequences.size() / 8;
  std::vector<std::size_t> shortest;  // of each 64 lanes
  for (std::size_t first = 0; first < sequences.size(); first += kPlaneLanes) {
    std::size_t least = rows;
    for (const std::string_view letters : sequences.subspan(first, kPlaneLanes))
      least = std::min(least, letters.size());
    shortest.push_back(least);
  }
  std::uint8_t seen = 0;
  for (std::size_t at = 0; at < rows; at += kBlock)
    for (std::size_t first = 0; first < sequences.size(); first += kPlaneLanes) {
      const std::string_view *own = &sequences[first];
      const std::size_t count = std::min(kBlock, rows - at);
      std::uint8_t *to = out + at * bits.size() * step + first / 8;
      const bool whole = at + count <= shortest[first / kPlaneLanes];
      const bool done = two_first && (whole ? pack_two_planes<true>(encode, own, at, count, pad, bits, step, to)
                                            : pack_two_planes<false>(encode, own, at, count, pad, bits, step, to));
      if (!done) seen |= any_planes(encode, own, at, count, pad, bits, step, to);
    }
  return !(seen & 0x80);
}
#endif

}  // namespace

std::size_t plane_room(std::size_t rows) { return packed_rows(rows) * kPlaneLanes; }

bool pack_planes_with(kernels::Simd simd, const kernels::CodeTable &table, std::span<const std::string_view> sequences,
                      std::size_t rows, std::uint8_t pad, std::span<const int> bits, std::uint8_t *room,
                      std::uint8_t *out) {
  auto planes = planes_plain;
#ifdef ALN_X86
  if (simd >= kernels::Simd::avx2) planes = simd == kernels::Simd::avx2 ? planes_avx2 : planes_avx512;
  if (simd >= kernels::Simd::avx512vbmi && (table.seven_bits() || table.identity()))
    return planes_vbmi(table, sequences, rows, pad, bits, out);
#endif
  bool valid = true;
  for (std::size_t first = 0; first < sequences.size(); first += kPlaneLanes) {
    valid &= pack_lanes_with(simd, table, sequences.data() + first, kPlaneLanes, rows, pad, room);
    planes(room, rows, bits, sequences.size() / 8, out + first / 8);
  }
  return valid;
}

bool pack_planes(const kernels::CodeTable &table, std::span<const std::string_view> sequences, std::size_t rows,
                 std::uint8_t pad, std::span<const int> bits, std::uint8_t *room, std::uint8_t *out) {
  return pack_planes_with(kernels::best_simd(), table, sequences, rows, pad, bits, room, out);
}

}  // namespace alnsmith::rt::align
