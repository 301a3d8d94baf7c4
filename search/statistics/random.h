// Random numbers and letters that are the same on every machine: the standard library's distributions are not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::search {

// Mixes a number into a hash (Steele, Lea and Flood's SplitMix64 as the mixer).
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  std::uint64_t x = hash ^ (number + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// SplitMix64: 64 bits per step, any seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  // 0 .. bound - 1, for bounds up to 2^32; uneven by less than bound / 2^32.
  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

 private:
  std::uint64_t state_;
};

// Draws letters by their frequencies, in steps of 2^-16.
class LetterSource {
 public:
  // As many parts as letters; their sum is 1.
  LetterSource(std::string_view letters, std::span<const double> parts);
  // Fills `sequence`, which has its length.
  void fill(Random &random, std::span<char> sequence) const;

 private:
  std::vector<char> letter_of_;  // of 2^16 equally likely numbers
};

// The sequence's letters in a random order.
void shuffle(Random &random, std::span<char> sequence);

}  // namespace alnsmith::search
