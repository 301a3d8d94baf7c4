// Seeded numbers that are the same everywhere (SplitMix64), and orders drawn from them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace simt {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(((next() >> 32) * bound) >> 32); }
  void shuffle(std::span<unsigned> values) {
    for (std::size_t n = values.size(); n > 1; --n) std::swap(values[n - 1], values[below(static_cast<unsigned>(n))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace simt
