// Which of many like tests run by default. ALNSMITH_FULL=1 runs every one, ALNSMITH_EVERY=1 too, at their usual sizes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace sample {

// Drawn by the name of the test that runs, so that the same ones run each time.
inline bool takes(std::uint32_t one_in) {
  if (std::getenv("ALNSMITH_FULL") || std::getenv("ALNSMITH_EVERY")) return true;
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char letter : std::string(test->test_suite_name()) + "." + test->name())
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  return (hash >> 7) % one_in == 0;
}

}  // namespace sample

// First in a test or in its SetUp.
#define ONE_IN(n) \
  if (!sample::takes(n)) GTEST_SKIP() << "one in " #n " of these by default; ALNSMITH_FULL=1 runs every one"
