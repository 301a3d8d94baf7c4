// See targets.h.
#include "device/schedule/targets.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/fork_join.h"
#include "kernels/encode.h"

namespace alnsmith::rt::schedule {

Targets::Targets(std::span<const std::string_view> targets, std::size_t most, std::size_t least)
    : targets_(targets.begin(), targets.end()) {
  std::uint64_t all = 0;
  for (std::string_view target : targets_) all += target.size();
  const std::uint64_t limit = std::min<std::uint64_t>(most, all / std::max<std::size_t>(least, 1) + 1);
  for (std::size_t at = 0; at < targets_.size();) {
    Tile tile;
    tile.first = at;
    for (; at < targets_.size(); ++at) {
      if (tile.letters > 0 && tile.letters + targets_[at].size() > limit) break;
      tile.letters += targets_[at].size();
      if (!targets_[at].empty()) tile.order.push_back(static_cast<std::uint32_t>(at - tile.first));
    }
    tile.count = at - tile.first;
    const auto length = [&](std::uint32_t i) { return targets_[tile.first + i].size(); };
    std::stable_sort(tile.order.begin(), tile.order.end(), [&](auto a, auto b) { return length(a) < length(b); });
    for (const std::uint32_t i : tile.order) tile.lengths.push_back(static_cast<std::uint32_t>(length(i)));
    if (!tile.order.empty()) tiles_.push_back(std::move(tile));
  }
}

Targets::~Targets() {
  for (auto &[device, kept] : kept_) {
    const std::lock_guard lock(device->use);
    for (const auto &[tile, memory] : kept) device->resident_bytes -= memory.bytes();
    kept.clear();
  }
}

void Targets::leave(Device &device) {
  const std::lock_guard lock(mutex_);
  for (auto &[other, kept] : kept_) {
    if (other.get() != &device) continue;
    for (const auto &[tile, memory] : kept) device.resident_bytes -= memory.bytes();
    kept.clear();
  }
}

Result<const OnDevice *> Targets::on(const std::shared_ptr<Device> &device, std::size_t tile, std::size_t most) {
  Kept *kept = nullptr;
  {
    const std::lock_guard lock(mutex_);
    kept = &kept_[device];
  }
  if (const auto found = kept->find(tile); found != kept->end()) return &found->second;
  std::size_t bytes = tiles_[tile].letters;
  for (const auto &[other, memory] : *kept) bytes += memory.bytes();
  if (bytes > most) leave(*device);
  OnDevice made;
  auto uploaded = upload(*device, tiles_[tile], made);
  if (!uploaded || !*uploaded) return uploaded;
  device->resident_bytes += made.bytes();
  return &(*kept)[tile].operator=(std::move(made));
}

Result<const OnDevice *> Targets::upload(Device &device, const Tile &tile, OnDevice &to) {
  const std::size_t letters = tile.letters, list = tile.order.size() * sizeof(int);
  driver::Executor &executor = device.executor();
  auto queue = executor.queue();
  if (!queue) return queue.error();
  // Pinned memory goes before the queue that reads it only after finish().
  auto pinned = executor.allocate_pinned(letters + 2 * list);
  if (!pinned) return pinned.error();
  auto *codes = static_cast<std::uint8_t *>((*pinned)->host());
  std::vector<int> offset(tile.order.size()), length(tile.order.size());
  int at = 0;
  for (std::size_t i = 0; i < tile.order.size(); ++i) {
    offset[i] = at;
    length[i] = static_cast<int>(target(tile, static_cast<std::uint32_t>(i)).size());
    at += length[i];
  }
  std::atomic<bool> known{true};
  fork_join::fork();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tile.order.size(), 256), [&](const auto &range) {
    const fork_join::Part part;
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      if (!kernels::encode(device.manifest().target_codes, target(tile, static_cast<std::uint32_t>(i)),
                           codes + offset[i]))
        known = false;
  });
  fork_join::join();
  if (!known) return static_cast<const OnDevice *>(nullptr);
  std::copy_n(reinterpret_cast<const std::uint8_t *>(offset.data()), list, codes + letters);
  std::copy_n(reinterpret_cast<const std::uint8_t *>(length.data()), list, codes + letters + list);
  const auto put = [&](std::unique_ptr<driver::Memory> &memory, std::size_t from, std::size_t bytes) -> Status {
    auto made = executor.allocate((bytes + 3) / 4 * 4);  // letters are read by words
    if (!made) return made.error();
    memory = *std::move(made);
    return (*queue)->copy_in(*memory, 0, **pinned, from, bytes);
  };
  Status done = put(to.letters, 0, letters);
  if (done) done = put(to.offset, letters, list);
  if (done) done = put(to.length, letters + list, list);
  const Status finished = (*queue)->finish();
  if (!done) return done.error();
  if (!finished) return finished.error();
  return &to;
}

}  // namespace alnsmith::rt::schedule
