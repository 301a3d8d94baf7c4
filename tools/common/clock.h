// Time that passes.
#pragma once

#include <chrono>

namespace alnsmith::tool {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace alnsmith::tool
