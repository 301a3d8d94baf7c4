// Sixty-four lanes at a time: their letters are encoded and transposed to bytes, then each row's bits are taken
// together.
#include "align/pack_planes.h"

#include <cstring>

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
#endif

}  // namespace

std::size_t plane_room(std::size_t rows) { return packed_rows(rows) * kPlaneLanes; }

bool pack_planes_with(kernels::Simd simd, const kernels::CodeTable &table, std::span<const std::string_view> sequences,
                      std::size_t rows, std::uint8_t pad, std::span<const int> bits, std::uint8_t *room,
                      std::uint8_t *out) {
  auto planes = planes_plain;
#ifdef ALN_X86
  if (simd >= kernels::Simd::avx2) planes = simd == kernels::Simd::avx2 ? planes_avx2 : planes_avx512;
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
