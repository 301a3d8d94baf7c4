// See crc32c.h.
#include "base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "base/bytes.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace alnsmith::rt {
namespace {

constexpr std::uint32_t kCastagnoli = 0x82f63b78;  // reflected
constexpr std::uint32_t kCrcOnes = 0xffffffff;
constexpr std::size_t kWord = 8;

// Table t: what a byte does that t bytes follow in its word.
using CrcTables = std::array<std::array<std::uint32_t, 256>, kWord>;
constexpr CrcTables make_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kCastagnoli : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t t = 1; t < kWord; ++t)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[t][byte] = tables[t - 1][byte] >> 8 ^ tables[0][tables[t - 1][byte] & 0xff];
  return tables;
}
constexpr CrcTables kTables = make_tables();

std::uint32_t byte_step(std::uint32_t crc, char byte) {
  return crc >> 8 ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xff];
}

// As the instructions have them: a word goes into a state.
std::uint64_t step_by_table(std::uint64_t crc, std::uint64_t word) {
  word ^= crc;
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < kWord; ++i) out ^= kTables[kWord - 1 - i][word >> (8 * i) & 0xff];
  return out;
}

std::uint64_t word_at(const char *from) {
  std::uint64_t word;
  std::memcpy(&word, from, kWord);
  return word;
}

std::uint32_t rest_of(std::uint64_t crc, std::string_view bytes) {
  auto out = static_cast<std::uint32_t>(crc);
  for (const char byte : bytes.substr(bytes.size() / kWord * kWord)) out = byte_step(out, byte);
  return out ^ kCrcOnes;
}

using Crcs = std::array<std::uint32_t, 4>;
using Quarters = std::array<std::string_view, 4>;

// The first three are equally long, and the last is no shorter.
#define ALN_QUARTERS(Step)                                                                               \
  std::uint64_t a = kCrcOnes, b = kCrcOnes, c = kCrcOnes, d = kCrcOnes; /* in registers, side by side */ \
  std::size_t at = 0;                                                                                    \
  for (; at + kWord <= q[0].size(); at += kWord) {                                                       \
    a = Step(a, word_at(q[0].data() + at));                                                              \
    b = Step(b, word_at(q[1].data() + at));                                                              \
    c = Step(c, word_at(q[2].data() + at));                                                              \
    d = Step(d, word_at(q[3].data() + at));                                                              \
  }                                                                                                      \
  for (; at + kWord <= q[3].size(); at += kWord) d = Step(d, word_at(q[3].data() + at));                 \
  return {rest_of(a, q[0]), rest_of(b, q[1]), rest_of(c, q[2]), rest_of(d, q[3])};

Crcs quarters_by_table(const Quarters &q) { ALN_QUARTERS(step_by_table) }

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) Crcs quarters_by_instruction(const Quarters &q){ALN_QUARTERS(_mm_crc32_u64)} Crcs
    quarters(const Quarters &q) {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has ? quarters_by_instruction(q) : quarters_by_table(q);
}
#else
Crcs quarters(const Quarters &q) { return quarters_by_table(q); }
#endif
#undef ALN_QUARTERS

}  // namespace

std::uint32_t crc32c(std::string_view bytes) { return quarters({"", "", "", bytes})[3]; }

std::uint32_t crc32c_quarters(std::string_view bytes) {
  const std::size_t quarter = bytes.size() / 4 / kWord * kWord;
  std::string four;
  for (const std::uint32_t crc : quarters({bytes.substr(0, quarter), bytes.substr(quarter, quarter),
                                           bytes.substr(2 * quarter, quarter), bytes.substr(3 * quarter)}))
    put(four, crc, 4);
  return crc32c(four);
}

}  // namespace alnsmith::rt
