// Random numbers that are the same on every machine: what `prepare` draws, `run` draws again.
#pragma once

#include <cstdint>

namespace alnsmith::check {

// SplitMix64 (Steele, Lea and Flood, 2014). One generator a sequence, seeded by set and index, so that threads can
// share the work.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0x9e3779b97f4a7c15u + stream * 0xd1342543de82ef95u) {
    next();
  }
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Of 0 .. n - 1; n below 2^32.
  std::uint64_t below(std::uint64_t n) { return ((next() >> 32) * n) >> 32; }

 private:
  std::uint64_t state_;
};

}  // namespace alnsmith::check
