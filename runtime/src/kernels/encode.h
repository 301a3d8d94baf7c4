// Letters to codes: a 256-entry table, and the same table as a few byte shuffles.
//
// A code is what kernels see (kernel_abi.h: 0..31 letters, 40 and 41 wildcards); 255 marks an invalid byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace alnsmith::rt::kernels {

constexpr std::uint8_t kInvalid = 255;

// One 16-entry shuffle: bytes x with (x & mask) ^ base < 16 take `change[...]`, their code ^ the table's rest().
// `mask` 0xDF serves an upper-case row and the equal lower-case row at once.
struct EncodeRow {
  std::uint8_t mask = 0xFF, base = 0;
  alignas(16) std::array<std::uint8_t, 16> change{};
};

class CodeTable {
 public:
  CodeTable() { codes_.fill(kInvalid); }
  explicit CodeTable(const std::array<std::uint8_t, 256> &codes);

  std::uint8_t operator[](char letter) const { return codes_[static_cast<unsigned char>(letter)]; }
  // Position of the first invalid byte, if any.
  std::optional<std::size_t> first_invalid(std::string_view letters) const;

  static constexpr int kMaxRows = 6;
  std::uint8_t rest() const { return rest_; }      // code of every byte in no row: 255 or the wildcard's
  int rows() const { return rows_; }               // 0: too scattered for shuffles, use the table
  bool identity() const { return identity_; }      // every byte is its own code
  bool seven_bits() const { return seven_bits_; }  // bytes from 127 on have one code
  const EncodeRow &row(int i) const { return row_[static_cast<std::size_t>(i)]; }
  const std::uint8_t *data() const { return codes_.data(); }

 private:
  std::array<std::uint8_t, 256> codes_;
  std::array<EncodeRow, kMaxRows> row_;
  std::uint8_t rest_ = kInvalid;
  int rows_ = 0;
  bool identity_ = false, seven_bits_ = false;
};

// Every byte is its own code.
const CodeTable &codes_as_they_are();

// Writes the code of every letter to `out`, 255 for invalid ones; false if there is one. The fastest way of this CPU.
bool encode(const CodeTable &table, std::string_view letters, std::uint8_t *out);

enum class Simd { none, ssse3, avx2, avx512bw, avx512vbmi };  // what one path lacks the path below serves
Simd best_simd();
bool encode_with(Simd simd, const CodeTable &table, std::string_view letters, std::uint8_t *out);

}  // namespace alnsmith::rt::kernels
