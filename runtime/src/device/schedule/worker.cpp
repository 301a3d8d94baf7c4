// See worker.hpp.
#include "device/schedule/worker.hpp"

#include <algorithm>

namespace alnsmith::rt {
namespace {

constexpr double kMostPairs = 1 << 20;                // of a block: what is kept of it takes 16 bytes a pair
constexpr std::size_t kBlock = std::size_t{1} << 12;  // results that a sink gets at once
constexpr int kShrinks = 6;
constexpr std::size_t kLeastMemory = std::size_t{1} << 20;

}  // namespace

DeviceWorker::DeviceWorker(std::shared_ptr<Device> device, Call &call, const Sequences &sequences, Targets *targets,
                           WorkQueue &queue, std::size_t number)
    : device_(std::move(device)),
      call_(call),
      sequences_(sequences),
      targets_(targets),
      queue_(queue),
      number_(number),
      flights_(*device_, call, sequences, targets),
      arena_(call.threads()) {
  deeds_.id = device_->id();
  if (sequences.pairs() > 0)
    mean_cells_ = std::max(1.0, static_cast<double>(call.report.cells) / static_cast<double>(sequences.pairs()));
}

Status DeviceWorker::run() {
  const std::lock_guard lock(device_->use);
  begin_ = std::chrono::steady_clock::now();
  Status done = device_->unusable ? Status(*device_->unusable) : work();
  if (!done) {
    if (device_->executor().failure() == Failure::lost && !device_->unusable) device_->unusable = done.error();
    give_up();
  }
  for (Lane &lane : lanes_)  // a cancelled call leaves launches under way
    if (lane.slot && !device_->unusable) (void)lane.slot->finish();
  deeds_.promoted = flights_.promoted;
  deeds_.pending = std::move(flights_.pending);
  deeds_.obtaining = flights_.obtaining;
  queue_.settle(number_);
  return done;
}

// A resident tile may have a half of the device's memory; each of the two slots has a half of the rest.
Status DeviceWorker::set_limits() {
  const std::size_t memory = device_->memory() >> shrinks_;
  if (memory < kLeastMemory)
    return Error{device_->id() + ": " + std::to_string(memory) +
                 " bytes of its memory can be had: too few to align on it; free some, or raise --device-memory"};
  flights_.limit(targets_ ? memory / 4 : memory / 2);
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
    if (flights_.ready.empty()) continue;
    Lane &lane = lanes_[oldest_];  // free, or the one that ends first
    if (auto ok = land(lane); !ok) return ok;
    if (!flights_.ready.empty() && flights_.ready.front().tiled() && flights_.ready.front().tile != tile_) {
      // Another tile may take the place of the one that a launch still reads.
      for (Lane &other : lanes_)
        if (auto ok = land(other); !ok) return ok;
      if (!flights_.ready.empty()) tile_ = flights_.ready.front().tile;
    }
    if (flights_.ready.empty()) continue;
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

// Makes something to do: a flight in `ready`, or one that lands. False: the work is done.
Result<bool> DeviceWorker::more() {
  if (!flights_.ready.empty()) return true;
  const auto take = [&](bool wait) -> Result<bool> {
    taken_ = queue_.take(number_, size(), wait);
    if (taken_.kind == Block::Kind::none) return false;
    if (auto ok = flights_.add(taken_); !ok) return ok.error();
    taken_ = {};
    return true;
  };
  auto some = take(false);
  if (!some || *some) return some;
  // The end is near: what is under way comes back first, so that pairs to be promoted go together.
  if (std::any_of(lanes_.begin(), lanes_.end(), [](const Lane &lane) { return lane.flight.has_value(); })) {
    if (auto ok = land_oldest(); !ok) return ok.error();
    return true;
  }
  some = flights_.plan_promoted();
  if (!some || *some) return some;
  queue_.settle(number_);
  return take(true);
}

Status DeviceWorker::land_oldest() {
  Lane &lane = lanes_[oldest_].flight ? lanes_[oldest_] : lanes_[(oldest_ + 1) % lanes_.size()];
  return land(lane);
}

Status DeviceWorker::start(Lane &lane) {
  lane.flight = std::move(flights_.ready.front());
  flights_.ready.pop_front();
  auto started = start_with(lane, *lane.flight);
  if (started) return Ok{};
  if (device_->executor().failure() != Failure::memory) return started;
  (void)lane.slot->finish();
  Flight flight = *std::exchange(lane.flight, std::nullopt);
  return retry(std::move(flight), started.error());
}

Status DeviceWorker::start_with(Lane &lane, Flight &flight) {
  const OnDevice *resident = nullptr;
  if (flight.tiled()) {
    auto on = targets_->on(device_, flight.tile, flights_.limit() * 2);
    if (!on) {
      if (device_->executor().failure() == Failure::memory) flights_.leave_tiles();
      return on.error();
    }
    if (!*on) return call_.foreign(), Ok{};
    resident = *on;
  }
  auto launch = flights_.launch(flight, resident);
  if (!launch) return launch.error();
  auto submitted = lane.slot->submit(*launch, device_->manifest(), call_.scoring(), arena_, flights_.limit());
  if (!submitted) return submitted.error();
  if (!*submitted) call_.foreign();
  return Ok{};
}

// Memory ran out: both slots start anew with half of it, and the flight is planned again.
Status DeviceWorker::retry(Flight flight, const Error &error) {
  for (Lane &lane : lanes_)
    if (auto ok = land(lane); !ok) {
      flights_.ready.push_front(std::move(flight));
      return ok;
    }
  if (++shrinks_ > kShrinks) {
    flights_.ready.push_front(std::move(flight));
    return error;
  }
  for (Lane &lane : lanes_) lane.slot->release();
  if (targets_) targets_->leave(*device_);
  if (auto ok = set_limits(); !ok) {
    flights_.ready.push_front(std::move(flight));
    return ok;
  }
  return flights_.again(std::move(flight));
}

Status DeviceWorker::land(Lane &lane) {
  if (!lane.flight) return Ok{};
  if (auto ok = lane.slot->finish(); !ok) {
    if (device_->executor().failure() != Failure::memory) return ok;
    Flight flight = *std::exchange(lane.flight, std::nullopt);
    return retry(std::move(flight), ok.error());
  }
  const Flight flight = *std::exchange(lane.flight, std::nullopt);
  if (!call_.stopped()) collect(*lane.slot, flight);
  return Ok{};
}

void DeviceWorker::collect(const Slot &slot, const Flight &flight) {
  const KernelInfo &info = flights_.info(flight);
  const std::size_t abreast = flights_.abreast(flight);
  const std::size_t n = flight.tiled() ? (flight.end - flight.begin) * abreast : flight.items.size();
  const KernelResults results = slot.results(info.outputs);
  const std::uint8_t *status = slot.status();
  call_.expect(found_, kBlock);
  std::uint64_t scored = 0, cells = 0, tried = 0, flagged = 0;
  for (std::size_t a = 0; a < n; ++a) {
    if (flight.tiled() && a % abreast >= flight.queries.size()) continue;  // an odd query with itself
    const Item item = flight.tiled() ? flights_.item(flight, a) : flight.items[a];
    const bool exact = flight.tiled() ? flight.exact : !item.tried;
    tried += !exact;
    if (status[a] && !exact && !flights_.exact(flight, item)) {
      ++flagged;
      flights_.promote(flight, item);
      continue;
    }
    found_.add(sequences_.first_id + item.id, results, a, call_.minimize());
    if (found_.size() == kBlock) call_.deliver(found_);
    ++scored;
    cells += std::uint64_t{item.query} * item.target;
  }
  flights_.learn(flight, tried, flagged);
  deeds_.used.insert(info.entry);
  deeds_.pairs += scored;
  deeds_.cells += cells;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  queue_.measure(number_, static_cast<double>(deeds_.cells), spent.count() - flights_.obtaining);
  call_.deliver(found_);
}

void DeviceWorker::give_up() {
  std::vector<Pending> left;
  for (Lane &lane : lanes_)
    if (lane.flight) flights_.abandon(*lane.flight, left);
  flights_.abandon(left);
  if (taken_.kind == Block::Kind::rows) {
    const Tile &tile = targets_->tiles()[taken_.tile];
    for (std::uint64_t q = taken_.begin; q < taken_.end; ++q)
      for (std::uint32_t t : tile.order)
        if (!sequences_.queries[q].empty()) left.push_back({q * sequences_.targets.size() + tile.first + t, 0});
  }
  for (std::uint64_t id = taken_.begin; taken_.kind == Block::Kind::pairs && id < taken_.end; ++id)
    if (!sequences_.query(id).empty() && !sequences_.target(id).empty()) left.push_back({id, 0});
  left.insert(left.end(), taken_.list.begin(), taken_.list.end());
  // A block may have been planned in part. What no kernel of the device holds goes its own way.
  const auto before = [](const Pending &a, const Pending &b) { return a.id < b.id; };
  std::sort(left.begin(), left.end(), before);
  left.erase(std::unique(left.begin(), left.end(), [](const Pending &a, const Pending &b) { return a.id == b.id; }),
             left.end());
  std::sort(flights_.pending.begin(), flights_.pending.end(), before);
  std::erase_if(left, [&](const Pending &p) {
    return std::binary_search(flights_.pending.begin(), flights_.pending.end(), p, before);
  });
  queue_.give_back(std::move(left));
}

}  // namespace alnsmith::rt
