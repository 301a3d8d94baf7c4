// All that significance computes, over many arguments, as one number.
#pragma once

#include <cstdint>

namespace alnsmith::test {

// Over every bit of E, bits, ratios, fits to samples and to counts, and parameters for seeded arguments; no kernels and
// no files.
std::uint64_t hash_of_figures();

// What it is, everywhere: another number after a change means that results change.
inline constexpr std::uint64_t kHashOfFigures = 0x76bd67d0706ee3bf;

}  // namespace alnsmith::test
