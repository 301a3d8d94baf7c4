// Which of many like tests run by default. ALNSMITH_FULL=1 runs every one, ALNSMITH_EVERY=1 too, at their usual sizes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "full_run.h"

namespace sample {

// FNV-1a: the same on every machine and with every library.
inline std::uint32_t seed_of(const std::string &name) {
  std::uint32_t seed = 2166136261u;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 16777619u;
  return seed;
}

inline bool everything() { return full() || std::getenv("ALNSMITH_EVERY"); }

// Half of a list, drawn, in its order.
template <class T, std::size_t n>
std::vector<T> half(const T (&all)[n], std::mt19937 &random) {
  std::vector<T> some;
  std::sample(std::begin(all), std::end(all), std::back_inserter(some), everything() ? n : (n + 1) / 2, random);
  return some;
}

// Drawn by the name of the test that runs, so that the same ones run each time.
inline bool takes(std::uint32_t one_in) {
  if (everything()) return true;
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  return (seed_of(std::string(test->test_suite_name()) + "." + test->name()) >> 7) % one_in == 0;
}

}  // namespace sample

// First in a test or in its SetUp.
#define ONE_IN(n) \
  if (!sample::takes(n)) GTEST_SKIP() << "one in " #n " of these by default; ALNSMITH_FULL=1 runs every one"
