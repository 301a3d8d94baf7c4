// The targets of calls that align each with each: cut into portions, sorted by length, kept on the devices that use
// them.
//
// In:  the targets' letters, which stay where they are. Out: for each device and portion its letter codes, uploaded
// once.
//      One object serves one call, or, as alnsmith::Prepared, many.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "device/schedule/device.h"

namespace alnsmith::rt::schedule {

// Targets [first, first + count) of the call.
struct Portion {
  std::size_t first = 0, count = 0;
  std::vector<std::uint32_t> order;    // those that are not empty, by length, relative to `first`
  std::vector<std::uint32_t> lengths;  // of these
  std::uint64_t letters = 0;
};

class Targets {
 public:
  // Portions of at most `most` letters (at least one target each), and no fewer than `least` portions where there are
  // enough targets.
  Targets(std::span<const std::string_view> targets, std::size_t most, std::size_t least);
  ~Targets();
  Targets(const Targets &) = delete;
  Targets &operator=(const Targets &) = delete;

  std::span<const std::string_view> all() const { return targets_; }
  const std::vector<Portion> &portions() const { return portions_; }
  std::string_view target(const Portion &portion, std::uint32_t place) const {
    return targets_[portion.first + portion.order[place]];
  }

  // The portion on a device whose `use` the caller holds; other portions go where they and this one need more than
  // `most` bytes together. Targets are in the portion's order. Null: a letter is outside the alphabet.
  Result<const OnDevice *> on(const std::shared_ptr<Device> &device, std::size_t portion, std::size_t most);
  // Takes this object's portions off a device whose `use` the caller holds.
  void leave(Device &device);

 private:
  using Kept = std::map<std::size_t, OnDevice>;  // by portion
  Result<const OnDevice *> upload(Device &device, const Portion &portion, OnDevice &to);

  std::vector<std::string_view> targets_;
  std::vector<Portion> portions_;
  std::mutex mutex_;
  std::map<std::shared_ptr<Device>, Kept> kept_;
};

}  // namespace alnsmith::rt::schedule
