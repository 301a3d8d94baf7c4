// Layout `planes-u1-v1`: bit `bits[p]` of letter i of lane l is bit l of element i * planes + p, an element being a bit
// for each lane, the first in the lowest bit of the first byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/encode.h"

namespace alnsmith::rt::align {

// Bytes of memory to work in.
std::size_t plane_room(std::size_t rows);

// Encodes the sequences, as many as there are lanes (a multiple of 64), none longer than `rows`, into out[rows * planes
// * lanes / 8]; `pad` is the code behind each end. False if a letter is invalid: then `out` holds anything.
bool pack_planes(const kernels::CodeTable &table, std::span<const std::string_view> sequences, std::size_t rows,
                 std::uint8_t pad, std::span<const int> bits, std::uint8_t *room, std::uint8_t *out);

// The same by one path, whatever the CPU's best is; for tests.
bool pack_planes_with(kernels::Simd simd, const kernels::CodeTable &table, std::span<const std::string_view> sequences,
                      std::size_t rows, std::uint8_t pad, std::span<const int> bits, std::uint8_t *room,
                      std::uint8_t *out);

}  // namespace alnsmith::rt::align
