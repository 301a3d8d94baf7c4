// The processors that this test may use: as many as ctest holds it to (discover_tests in CMakeLists.txt), all by hand.
// std::thread::hardware_concurrency() counts the machine's.
#pragma once

#include <sched.h>

inline unsigned processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}
