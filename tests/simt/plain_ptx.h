// What each PTX instruction of the table gives, in plain integer code that shares nothing with device/: the oracle of
// test_ptx.cpp.  Halves are exact multiples of 2^-24, their products of 2^-48, and are rounded once, in integers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

// By the row's name; arguments and result as 32-bit patterns, the fourth argument for lop3.
using PlainPtx = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t)>;
const std::map<std::string, PlainPtx> &plain_ptx();

// The half nearest to sign * magnitude * 2^-48, ties to even; zero takes the sign, too.
std::uint16_t round_to_half(bool negative, unsigned __int128 magnitude);
