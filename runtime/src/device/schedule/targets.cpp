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
    Portion portion;
    portion.first = at;
    for (; at < targets_.size(); ++at) {
      if (portion.letters > 0 && portion.letters + targets_[at].size() > limit) break;
      portion.letters += targets_[at].size();
      if (!targets_[at].empty()) portion.order.push_back(static_cast<std::uint32_t>(at - portion.first));
    }
    portion.count = at - portion.first;
    const auto length = [&](std::uint32_t i) { return targets_[portion.first + i].size(); };
    std::stable_sort(portion.order.begin(), portion.order.end(), [&](auto a, auto b) { return length(a) < length(b); });
    for (const std::uint32_t i : portion.order) portion.lengths.push_back(static_cast<std::uint32_t>(length(i)));
    if (!portion.order.empty()) portions_.push_back(std::move(portion));
  }
}

Targets::~Targets() {
  for (auto &[device, kept] : kept_) {
    const std::lock_guard lock(device->use);
    for (const auto &[portion, memory] : kept) device->resident_bytes -= memory.bytes();
    kept.clear();
  }
}

void Targets::leave(Device &device) {
  const std::lock_guard lock(mutex_);
  for (auto &[other, kept] : kept_) {
    if (other.get() != &device) continue;
    for (const auto &[portion, memory] : kept) device.resident_bytes -= memory.bytes();
    kept.clear();
  }
}

Result<const OnDevice *> Targets::on(const std::shared_ptr<Device> &device, std::size_t portion, std::size_t most) {
  Kept *kept = nullptr;
  {
    const std::lock_guard lock(mutex_);
    kept = &kept_[device];
  }
  if (const auto found = kept->find(portion); found != kept->end()) return &found->second;
  std::size_t bytes = portions_[portion].letters;
  for (const auto &[other, memory] : *kept) bytes += memory.bytes();
  if (bytes > most) leave(*device);
  OnDevice made;
  auto uploaded = upload(*device, portions_[portion], made);
  if (!uploaded || !*uploaded) return uploaded;
  device->resident_bytes += made.bytes();
  return &(*kept)[portion].operator=(std::move(made));
}

Result<const OnDevice *> Targets::upload(Device &device, const Portion &portion, OnDevice &to) {
  const std::size_t letters = portion.letters, list = portion.order.size() * sizeof(int);
  driver::Executor &executor = device.executor();
  auto queue = executor.queue();
  if (!queue) return queue.error();
  // Pinned memory goes before the queue that reads it only after finish().
  auto pinned = executor.allocate_pinned(letters + 2 * list);
  if (!pinned) return pinned.error();
  auto *codes = static_cast<std::uint8_t *>((*pinned)->host());
  std::vector<int> offset(portion.order.size()), length(portion.order.size());
  int at = 0;
  for (std::size_t i = 0; i < portion.order.size(); ++i) {
    offset[i] = at;
    length[i] = static_cast<int>(target(portion, static_cast<std::uint32_t>(i)).size());
    at += length[i];
  }
  std::atomic<bool> known{true};
  fork_join::fork();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, portion.order.size(), 256), [&](const auto &range) {
    const fork_join::Part part;
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      if (!kernels::encode(device.manifest().target_codes, target(portion, static_cast<std::uint32_t>(i)),
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
