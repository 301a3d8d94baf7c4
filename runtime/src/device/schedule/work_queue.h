// The work of one call, which devices and the CPU take in shares: large ones for the fast, small ones for the slow, and
// smaller ones towards the end, so that all end together.
//
// In:  how much there is (pairs, or queries against portions of targets), and how fast each worker turns out to be.
// Out: shares. What a worker could not finish comes back and goes to the others. Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "align/align.h"
#include "device/schedule/targets.h"

namespace alnsmith::rt::schedule {

struct Share {
  enum class Kind { none, pairs, rows, list };
  Kind kind = Kind::none;
  std::uint64_t begin = 0, end = 0;  // pairs: ids; rows: queries
  std::size_t portion = 0;           // rows: which targets
  std::vector<align::Pending> list;  // what came back
};

class WorkQueue {
 public:
  // Without `targets`: all pairs. With: each query with each portion, portion by portion.
  WorkQueue(const align::Sequences &sequences, const Targets *targets, std::size_t workers,
            std::function<bool()> stopped);

  // How much a worker takes at a time, in cells: at least `least`, if there is as much; at most `most`.
  struct Size {
    double least = 0, most = 0;
  };
  // A share, or none where nothing is left. With `wait` it waits while others may still bring work back; a worker that
  // waits must have settled.
  Share take(std::size_t worker, Size size, bool wait);
  // What `worker` has done since it began: the measure of its next shares.
  void measure(std::size_t worker, double cells, double seconds);
  // The worker has finished or given back all that it took.
  void settle(std::size_t worker);
  void give_back(std::vector<align::Pending> pairs);
  bool empty() const;  // nothing to take

  double cells(const Share &share) const;

 private:
  bool left() const;
  double wanted(std::size_t worker, Size size) const;
  Share cut(double cells);

  const align::Sequences &sequences_;
  const Targets *targets_;
  std::function<bool()> stopped_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t portion_ = 0;
  std::uint64_t next_ = 0;  // pair, or query within the portion
  double cells_left_ = 0;
  std::vector<std::vector<align::Pending>> returned_;
  std::vector<double> speed_;  // cells a second; 0: not known yet
  std::vector<bool> holding_;  // by worker
};

}  // namespace alnsmith::rt::schedule
