// One line on stderr that updates itself, on a terminal only.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace alnsmith::tool {

class Progress {
 public:
  explicit Progress(bool wanted);  // shows nothing unless stderr is a terminal
  ~Progress();                     // wipes the line

  void update(std::uint64_t pairs_done);  // from any thread; at most ten times a second reaches the terminal
  void wipe();

 private:
  bool shown_ = false, active_ = false;
  std::mutex mutex_;
  std::uint64_t highest_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace alnsmith::tool
