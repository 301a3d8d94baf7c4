// Layout `lanes-u8-v1`: letter i of lane l at byte i * lanes + l, encoded, padded behind each end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/encode.h"

namespace alnsmith::rt::align {

// Rows that pack_lanes writes for `rows` rows: it fills whole blocks of 16.
constexpr std::size_t packed_rows(std::size_t rows) { return (rows + 15) / 16 * 16; }

// Encodes and transposes `lanes` sequences (none longer than `rows`) into out[packed_rows(rows) * lanes];
// `pad` is the code behind each end. False if a letter is invalid: then `out` holds 255 there.
bool pack_lanes(const kernels::CodeTable &table, const std::string_view *sequences, int lanes, std::size_t rows,
                std::uint8_t pad, std::uint8_t *out);
bool pack_lanes_with(kernels::Simd simd, const kernels::CodeTable &table, const std::string_view *sequences, int lanes,
                     std::size_t rows, std::uint8_t pad, std::uint8_t *out);

// Letters of several bytes (state_sets.h), the next one `stride` behind: pack_lanes of each, behind one another.
bool pack_bytes(const kernels::CodeTable &table, std::span<const std::string_view> sequences, std::size_t rows,
                std::uint8_t pad, int bytes, std::size_t stride, std::uint8_t *out);

}  // namespace alnsmith::rt::align
