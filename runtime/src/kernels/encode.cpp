// Building the code table and encoding plain sequences with it.  See encode.h.
#include "kernels/encode.h"

#include <algorithm>

#include "kernels/encode_simd.h"

namespace alnsmith::rt::kernels {
namespace {

bool encode_plain(const CodeTable &table, const char *in, std::size_t n, std::uint8_t *out) {
  std::uint8_t seen = 0;  // codes are below 64, so bit 7 is set only by an invalid byte
  for (std::size_t i = 0; i < n; ++i) seen |= out[i] = table[in[i]];
  return !(seen & 0x80);
}

#ifdef ALN_X86
__attribute__((target("ssse3"))) bool encode_ssse3(const CodeTable &table, const char *in, std::size_t n,
                                                   std::uint8_t *out) {
  __m128i seen = _mm_setzero_si128();
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i codes = encode_16(table, _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i)));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i), codes);
    seen = _mm_or_si128(seen, codes);
  }
  return encode_plain(table, in + i, n - i, out + i) && !_mm_movemask_epi8(seen);
}

template <int N>
__attribute__((target("avx2"))) bool encode_avx2(const CodeTable &table, const char *in, std::size_t n,
                                                 std::uint8_t *out) {
  Encoder32<N> encoder;
  encoder.load(table);
  __m256i seen = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i codes = encoder(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i)));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), codes);
    seen = _mm256_or_si256(seen, codes);
  }
  if (i < n && n >= 32) {  // the last 32 once more, instead of letters one by one
    const __m256i codes = encoder(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + n - 32)));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + n - 32), codes);
    seen = _mm256_or_si256(seen, codes);
    i = n;
  }
  return encode_plain(table, in + i, n - i, out + i) && !_mm256_movemask_epi8(seen);
}
#endif

}  // namespace

CodeTable::CodeTable(const std::array<std::uint8_t, 256> &codes) : codes_(codes) {
  std::array<bool, 16> done{};
  identity_ = true;
  for (std::size_t byte = 0; byte < codes_.size(); ++byte) identity_ = identity_ && codes_[byte] == byte;
  seven_bits_ = std::all_of(codes_.begin() + 127, codes_.end(), [&](auto code) { return code == codes_.back(); });
  rest_ = codes_[0];  // no alphabet holds NUL, so its code is that of all other bytes
  const auto used = [&](int high) {
    return std::any_of(&codes_[high * 16], &codes_[high * 16] + 16, [&](auto c) { return c != rest_; });
  };
  for (int high = 0; high < 16; ++high) {
    if (done[high] || !used(high)) continue;
    if (rows_ == kMaxRows) {
      rows_ = 0;
      return;
    }
    EncodeRow &row = row_[rows_++];
    row.base = static_cast<std::uint8_t>(high * 16);
    for (int low = 0; low < 16; ++low) row.change[low] = codes_[high * 16 + low] ^ rest_;
    const int lower = high | 2;  // the row 32 bytes further on: lower case
    if (lower != high && std::equal(&codes_[high * 16], &codes_[high * 16] + 16, &codes_[lower * 16])) {
      row.mask = 0xDF;
      done[lower] = true;
    }
  }
}

const CodeTable &codes_as_they_are() {
  static const CodeTable table = [] {
    std::array<std::uint8_t, 256> same{};
    for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<std::uint8_t>(i);
    return CodeTable(same);
  }();
  return table;
}

std::optional<std::size_t> CodeTable::first_invalid(std::string_view letters) const {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if ((*this)[letters[i]] == kInvalid) return i;
  return std::nullopt;
}

Simd best_simd() {
#ifdef ALN_X86
  static const bool turns_bits =
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni") && __builtin_cpu_supports("bmi2");
  static const Simd best = turns_bits                           ? Simd::avx512vbmi
                           : __builtin_cpu_supports("avx512bw") ? Simd::avx512bw
                           : __builtin_cpu_supports("avx2")     ? Simd::avx2
                           : __builtin_cpu_supports("ssse3")    ? Simd::ssse3
                                                                : Simd::none;
  return best;
#else
  return Simd::none;
#endif
}

bool encode_with(Simd simd, const CodeTable &table, std::string_view letters, std::uint8_t *out) {
  const char *in = letters.data();
  const std::size_t n = letters.size();
  if (simd == Simd::none || table.rows() == 0) return encode_plain(table, in, n, out);
#ifdef ALN_X86
  if (simd == Simd::ssse3) return encode_ssse3(table, in, n, out);
  switch (table.rows()) {
    case 1:
      return encode_avx2<1>(table, in, n, out);
    case 2:
      return encode_avx2<2>(table, in, n, out);
    case 3:
      return encode_avx2<3>(table, in, n, out);
    case 4:
      return encode_avx2<4>(table, in, n, out);
    case 5:
      return encode_avx2<5>(table, in, n, out);
    default:
      return encode_avx2<6>(table, in, n, out);
  }
#else
  return encode_plain(table, in, n, out);
#endif
}

bool encode(const CodeTable &table, std::string_view letters, std::uint8_t *out) {
  return encode_with(best_simd(), table, letters, out);
}

}  // namespace alnsmith::rt::kernels
