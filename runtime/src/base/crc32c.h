// CRC-32C (RFC 3720) of large pieces, at the speed of memory where the CPU has an instruction for it.
#pragma once

#include <cstdint>
#include <string_view>

namespace alnsmith::rt {

std::uint32_t crc32c(std::string_view bytes);

// Of bytes in four quarters, which a CPU works on side by side: CRC-32C of the CRC-32C of each, 4 bytes little-endian.
// The first three quarters are of size / 4 bytes, rounded down to a multiple of 8.
std::uint32_t crc32c_quarters(std::string_view bytes);

}  // namespace alnsmith::rt
