// The dice of the fuzzer: everything that is drawn comes from a seed, with arithmetic of our own, so that a case is the
// same on every machine and standard library.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace soak {

class Random {
 public:
  // `stream` tells draws of one seed apart.
  Random(std::uint64_t seed, std::uint64_t stream) : engine_(mixed(seed) ^ mixed(~stream)) {}

  std::uint64_t bits() { return engine_(); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  const T &pick(const std::vector<T> &list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
  // An index, each as likely as its weight says.
  int weighted(const std::vector<int> &weights) {
    int all = 0;
    for (const int weight : weights) all += weight;
    int dice = below(all), index = 0;
    while (dice >= weights[static_cast<std::size_t>(index)]) dice -= weights[static_cast<std::size_t>(index++)];
    return index;
  }

 private:
  // splitmix64's finaliser: neighbouring seeds give unlike engines.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::mt19937_64 engine_;
};

}  // namespace soak
