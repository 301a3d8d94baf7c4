// See work_queue.h.
#include "device/schedule/work_queue.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace alnsmith::rt::schedule {

WorkQueue::WorkQueue(const align::Sequences &sequences, const Targets *targets, std::size_t workers,
                     std::function<bool()> stopped)
    : sequences_(sequences), targets_(targets), stopped_(std::move(stopped)), speed_(workers), holding_(workers) {
  if (targets_) {
    std::uint64_t queries = 0;
    for (std::string_view query : sequences_.queries) queries += query.size();
    for (const Portion &portion : targets_->portions())
      cells_left_ += static_cast<double>(queries) * static_cast<double>(portion.letters);
  } else {
    for (std::uint64_t id = 0; id < sequences_.pairs(); ++id)
      cells_left_ +=
          static_cast<double>(sequences_.query(id).size()) * static_cast<double>(sequences_.target(id).size());
  }
}

double WorkQueue::cells(const Share &share) const {
  const auto pair = [&](std::uint64_t id) {
    return static_cast<double>(sequences_.query(id).size()) * static_cast<double>(sequences_.target(id).size());
  };
  double sum = 0;
  if (share.kind == Share::Kind::rows) {
    for (std::uint64_t q = share.begin; q < share.end; ++q) sum += static_cast<double>(sequences_.queries[q].size());
    return sum * static_cast<double>(targets_->portions()[share.portion].letters);
  }
  for (std::uint64_t id = share.begin; id < share.end; ++id) sum += pair(id);
  for (const align::Pending &p : share.list) sum += pair(p.id);
  return sum;
}

bool WorkQueue::left() const {
  return !returned_.empty() || (targets_ ? portion_ < targets_->portions().size() : next_ < sequences_.pairs());
}

bool WorkQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return !left();
}

// Of what is left a third of the worker's part; before speeds are known all count alike.
double WorkQueue::wanted(std::size_t worker, Size size) const {
  const bool known = std::all_of(speed_.begin(), speed_.end(), [](double s) { return s > 0; });
  const double sum = std::accumulate(speed_.begin(), speed_.end(), 0.0);
  const double part = known ? speed_[worker] / sum : 0.25 / static_cast<double>(speed_.size());
  const double wanted = speed_.size() == 1 ? size.most : cells_left_ * part / 3;
  return std::min(std::max(wanted, size.least), size.most);
}

Share WorkQueue::cut(double wanted) {
  Share share;
  if (!returned_.empty()) {
    share.kind = Share::Kind::list;
    share.list = std::move(returned_.back());
    returned_.pop_back();
    return share;
  }
  share.kind = targets_ ? Share::Kind::rows : Share::Kind::pairs;
  share.begin = next_;
  share.portion = portion_;
  const std::uint64_t most = targets_ ? sequences_.queries.size() : sequences_.pairs();
  double taken = 0;
  do {
    const std::string_view query = targets_ ? sequences_.queries[next_] : sequences_.query(next_);
    const std::size_t letters = targets_ ? targets_->portions()[portion_].letters : sequences_.target(next_).size();
    taken += static_cast<double>(query.size()) * static_cast<double>(letters);
    ++next_;
  } while (next_ < most && taken < wanted);
  share.end = next_;
  cells_left_ -= taken;
  if (targets_ && next_ == most) {
    next_ = 0;
    ++portion_;
  }
  return share;
}

Share WorkQueue::take(std::size_t worker, Size size, bool wait) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopped_()) return {};
    if (left()) {
      holding_[worker] = true;
      return cut(wanted(worker, size));
    }
    const bool others = std::any_of(holding_.begin(), holding_.end(), [](bool holds) { return holds; });
    if (!wait || !others) return {};
    changed_.wait_for(lock, std::chrono::milliseconds(50));  // to see a cancellation too
  }
}

void WorkQueue::measure(std::size_t worker, double cells, double seconds) {
  const std::lock_guard lock(mutex_);
  if (seconds > 0 && cells > 0) speed_[worker] = cells / seconds;
}

void WorkQueue::settle(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  holding_[worker] = false;
  changed_.notify_all();
}

void WorkQueue::give_back(std::vector<align::Pending> pairs) {
  const std::lock_guard lock(mutex_);
  if (!pairs.empty()) returned_.push_back(std::move(pairs));
  changed_.notify_all();
}

}  // namespace alnsmith::rt::schedule
