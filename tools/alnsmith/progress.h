// How far a run is, on stderr: on a terminal one line that updates itself, in a log a line every half minute.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace alnsmith::tool {

class Progress {
 public:
  using Duration = std::chrono::steady_clock::duration;
  // `wanted` false: says nothing. `every`: at least so long between two lines of a log. `what` was counted;
  // `rate`: how many of them a second are said too, in this unit.
  explicit Progress(bool wanted, Duration every = std::chrono::seconds(30), std::string what = "pairs aligned",
                    std::string rate = {});
  ~Progress();  // wipes the line of a terminal

  // What comes next: `pairs` pairs, with which the run's inputs are read up to the share `until` of 0 to 1; nothing
  // where that cannot be known, as for stdin. Not while update() may run.
  void begin_part(std::uint64_t pairs, std::optional<double> until);
  void update(std::uint64_t pairs_done);  // of the whole run; from any thread, and as often as it likes
  // The same, without begin_part, where the share of 0 to 1 that is done is known otherwise, as of a file that is read.
  void update(std::uint64_t done, std::optional<double> share);
  void wipe();

 private:
  std::optional<double> share_done() const;
  void say(std::uint64_t done, const std::optional<double> *share);

  std::string what_, rate_;
  bool shown_ = false, active_ = false, terminal_ = false;
  std::mutex mutex_;
  std::uint64_t highest_ = 0, part_begin_ = 0, part_pairs_ = 0;
  std::optional<double> from_ = 0.0, until_ = 0.0;
  std::chrono::steady_clock::time_point start_;
  Duration every_;
  std::atomic<Duration::rep> due_;  // since start_
};

}  // namespace alnsmith::tool
