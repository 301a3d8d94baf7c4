// See worker.h.
#include "device/schedule/worker.h"

#include <algorithm>

#include "base/guard.h"

namespace alnsmith::rt::schedule {
namespace {

constexpr double kMostPairs = 1 << 20;                // of a share: what is kept of it takes 16 bytes per pair
constexpr std::size_t kBlock = std::size_t{1} << 12;  // results that a sink gets at once
constexpr int kShrinks = 6;
constexpr std::size_t kLeastMemory = std::size_t{1} << 20;

}  // namespace

DeviceWorker::DeviceWorker(std::shared_ptr<Device> device, align::Call &call, const align::CallScoring &scoring,
                           const align::Sequences &sequences, Targets *targets, WorkQueue &queue, std::size_t number)
    : device_(std::move(device)),
      call_(call),
      scoring_(scoring),
      sequences_(sequences),
      targets_(targets),
      queue_(queue),
      number_(number),
      arena_(call.threads()) {
  stats_.id = device_->id();
  if (sequences.pairs() > 0)
    mean_cells_ = std::max(1.0, static_cast<double>(call.report.cells) / static_cast<double>(sequences.pairs()));
}

Status DeviceWorker::run() {
  const std::lock_guard lock(device_->use);
  launches_.emplace(*device_, call_, scoring_, sequences_, targets_);
  begin_ = std::chrono::steady_clock::now();
  Status done = Ok{};
  const Status ran =
      guarded([&]() -> Status { return done = device_->unusable ? Status(*device_->unusable) : work(), Ok{}; });
  if (!ran) call_.fail(ran.error());  // thrown: nobody knows which pairs are left
  if (!done) {
    if (device_->executor().failure() == driver::Failure::lost && !device_->unusable) device_->unusable = done.error();
    give_up();
  }
  for (Lane &lane : lanes_)  // a cancelled call leaves launches under way
    if (lane.slot && !device_->unusable) (void)lane.slot->finish();
  stats_.promoted = launches_->promoted;
  stats_.pending = std::move(launches_->pending);
  stats_.obtaining = launches_->obtaining;
  stats_.threshold = launches_->threshold;
  queue_.settle(number_);
  return done;
}

// A resident portion may have a half of the device's memory; each of the two slots has a half of the rest.
Status DeviceWorker::set_limits() {
  const std::size_t memory = device_->memory() >> shrinks_;
  if (memory < kLeastMemory)
    return Error{device_->id() + ": " + std::to_string(memory) +
                 " bytes of its memory can be had: too few to align on it; free some, or raise --device-memory"};
  launches_->limit(targets_ && launches_->takes_portions() ? memory / 4 : memory / 2);
  return Ok{};
}

Status DeviceWorker::work() {
  if (auto ok = set_limits(); !ok) return ok;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto slot = device_->slot(i);
    if (!slot) return slot.error();
    lanes_[i].slot = *slot;
  }
  while (!call_.stopped()) {
    const auto some = more();
    if (!some) return some.error();
    if (!*some) return Ok{};
    if (launches_->ready.empty()) continue;
    Lane &lane = lanes_[oldest_];  // free, or the one that ends first
    if (auto ok = finish(lane); !ok) return ok;
    if (!launches_->ready.empty() && launches_->ready.front().shared() &&
        launches_->ready.front().portion != portion_) {
      // Another portion may take the place of the one that a launch still reads.
      for (Lane &other : lanes_)
        if (auto ok = finish(other); !ok) return ok;
      if (!launches_->ready.empty()) portion_ = launches_->ready.front().portion;
    }
    if (launches_->ready.empty()) continue;
    if (auto ok = start(lane); !ok) return ok;
    oldest_ = (oldest_ + 1) % lanes_.size();
  }
  return Ok{};
}

// At least some tens of microseconds of work for every processor of a large device.
WorkQueue::Size DeviceWorker::size() const {
  constexpr double kLeastCells = 2e6;
  return {kLeastCells * std::max(device_->info().processors, 1), kMostPairs * mean_cells_};
}

// Makes something to do: a launch in `ready`, or one that ends. False: the work is done.
Result<bool> DeviceWorker::more() {
  if (!launches_->ready.empty()) return true;
  const auto take = [&](bool wait) -> Result<bool> {
    taken_ = queue_.take(number_, size(), wait);
    if (taken_.kind == Share::Kind::none) return false;
    if (auto ok = launches_->add(taken_); !ok) return ok.error();
    taken_ = {};
    return true;
  };
  auto some = take(false);
  if (!some || *some) return some;
  // The end is near: what is under way comes back first, so that pairs to be promoted go together.
  if (std::any_of(lanes_.begin(), lanes_.end(), [](const Lane &lane) { return lane.planned.has_value(); })) {
    if (auto ok = finish_oldest(); !ok) return ok.error();
    return true;
  }
  some = launches_->plan_promoted();
  if (!some || *some) return some;
  queue_.settle(number_);
  return take(true);
}

Status DeviceWorker::finish_oldest() {
  Lane &lane = lanes_[oldest_].planned ? lanes_[oldest_] : lanes_[(oldest_ + 1) % lanes_.size()];
  return finish(lane);
}

Status DeviceWorker::start(Lane &lane) {
  lane.planned = std::move(launches_->ready.front());
  launches_->ready.pop_front();
  auto started = start_with(lane, *lane.planned);
  if (started) return Ok{};
  if (device_->executor().failure() != driver::Failure::memory) return started;
  (void)lane.slot->finish();
  PlannedLaunch planned = *std::exchange(lane.planned, std::nullopt);
  return retry(std::move(planned), started.error());
}

Status DeviceWorker::start_with(Lane &lane, PlannedLaunch &planned) {
  const OnDevice *resident = nullptr;
  if (planned.shared()) {
    auto on = targets_->on(device_, planned.portion, launches_->limit() * 2);
    if (!on) {
      if (device_->executor().failure() == driver::Failure::memory) launches_->leave_portions();
      return on.error();
    }
    if (!*on) return call_.reject_letter(), Ok{};
    resident = *on;
  }
  auto launch = launches_->make(planned, resident);
  if (!launch) return launch.error();
  auto submitted = lane.slot->submit(*launch, device_->manifest(), scoring_, arena_, launches_->limit());
  if (!submitted) return submitted.error();
  if (!*submitted) call_.reject_letter();
  return Ok{};
}

// Memory ran out: both slots start anew with half of it, and the launch is planned again.
Status DeviceWorker::retry(PlannedLaunch planned, const Error &error) {
  for (Lane &lane : lanes_)
    if (auto ok = finish(lane); !ok) {
      launches_->ready.push_front(std::move(planned));
      return ok;
    }
  if (++shrinks_ > kShrinks) {
    launches_->ready.push_front(std::move(planned));
    return error;
  }
  for (Lane &lane : lanes_) lane.slot->release();
  if (targets_) targets_->leave(*device_);
  if (auto ok = set_limits(); !ok) {
    launches_->ready.push_front(std::move(planned));
    return ok;
  }
  return launches_->retry(std::move(planned));
}

Status DeviceWorker::finish(Lane &lane) {
  if (!lane.planned) return Ok{};
  if (auto ok = lane.slot->finish(); !ok) {
    if (device_->executor().failure() != driver::Failure::memory) return ok;
    PlannedLaunch planned = *std::exchange(lane.planned, std::nullopt);
    return retry(std::move(planned), ok.error());
  }
  const PlannedLaunch planned = *std::exchange(lane.planned, std::nullopt);
  if (!call_.stopped()) collect(*lane.slot, planned);
  return Ok{};
}

void DeviceWorker::collect(const Slot &slot, const PlannedLaunch &planned) {
  const kernels::KernelInfo &info = launches_->info(planned);
  const std::size_t queries_per_launch = launches_->queries_per_launch(planned);
  const std::size_t n = planned.shared() ? (planned.end - planned.begin) * queries_per_launch : planned.items.size();
  const align::KernelResults results = slot.results(info.outputs);
  const std::uint8_t *status = slot.status();
  call_.expect(found_, kBlock);
  std::uint64_t scored = 0, cells = 0, tried = 0, flagged = 0, letters = 0;
  for (std::size_t a = 0; a < n; ++a) {
    if (planned.shared() && a % queries_per_launch >= planned.queries.size()) continue;  // an odd query with itself
    const align::Item item = planned.shared() ? launches_->item(planned, a) : planned.items[a];
    const bool exact = planned.shared() ? planned.exact : !item.tried;
    tried += !exact && !planned.roomy;
    letters += std::uint64_t{item.query} + item.target;
    if (status[a] && !exact && !launches_->exact(planned, item)) {
      ++flagged;
      launches_->promote(planned, item);
      continue;
    }
    if (results.cigar_first && !slot.has_cigar(a)) {
      launches_->retry_pair(planned, item);
      continue;
    }
    const std::uint64_t own = std::uint64_t{item.query} * item.target;
    found_.add(sequences_.first_id + item.id, own, results, a, call_.minimize());
    if (found_.size() == kBlock) call_.deliver(found_);
    ++scored;
    cells += own;
  }
  launches_->learn(planned, tried, flagged);
  // The path of an overflowed pair may be any, so launches with such pairs teach nothing.
  if (results.cigar_first && letters > 0 && flagged == 0) launches_->learn_runs(slot.cigar_claimed(), letters);
  stats_.used.insert(info.entry);
  stats_.pairs += scored;
  stats_.cells += cells;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  queue_.measure(number_, static_cast<double>(stats_.cells), spent.count() - launches_->obtaining);
  call_.deliver(found_);
}

void DeviceWorker::give_up() {
  std::vector<align::Pending> left;
  for (Lane &lane : lanes_)
    if (lane.planned) launches_->return_to_queue(*lane.planned, left);
  launches_->return_to_queue(left);
  if (taken_.kind == Share::Kind::rows) {
    const Portion &portion = targets_->portions()[taken_.portion];
    for (std::uint64_t q = taken_.begin; q < taken_.end; ++q)
      for (std::uint32_t t : portion.order)
        if (!sequences_.queries[q].empty()) left.push_back({q * sequences_.targets.size() + portion.first + t, 0});
  }
  for (std::uint64_t id = taken_.begin; taken_.kind == Share::Kind::pairs && id < taken_.end; ++id)
    if (!sequences_.query(id).empty() && !sequences_.target(id).empty()) left.push_back({id, 0});
  left.insert(left.end(), taken_.list.begin(), taken_.list.end());
  // A share may have been planned in part. What no kernel of the device holds goes its own way.
  const auto before = [](const align::Pending &a, const align::Pending &b) { return a.id < b.id; };
  std::sort(left.begin(), left.end(), before);
  left.erase(std::unique(left.begin(), left.end(),
                         [](const align::Pending &a, const align::Pending &b) { return a.id == b.id; }),
             left.end());
  std::sort(launches_->pending.begin(), launches_->pending.end(), before);
  std::erase_if(left, [&](const align::Pending &p) {
    return std::binary_search(launches_->pending.begin(), launches_->pending.end(), p, before);
  });
  queue_.give_back(std::move(left));
}

}  // namespace alnsmith::rt::schedule
