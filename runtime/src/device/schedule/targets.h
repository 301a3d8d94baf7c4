// The targets of calls that align each with each: cut into tiles, sorted by length, kept on the devices that use them.
//
// In:  the targets' letters, which stay where they are. Out: for each device and tile its letter codes, uploaded once.
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
struct Tile {
  std::size_t first = 0, count = 0;
  std::vector<std::uint32_t> order;    // those that are not empty, by length, relative to `first`
  std::vector<std::uint32_t> lengths;  // of these
  std::uint64_t letters = 0;
};

class Targets {
 public:
  // Tiles of at most `most` letters (at least one target each), and no fewer than `least` tiles where there are enough
  // targets.
  Targets(std::span<const std::string_view> targets, std::size_t most, std::size_t least);
  ~Targets();
  Targets(const Targets &) = delete;
  Targets &operator=(const Targets &) = delete;

  std::span<const std::string_view> all() const { return targets_; }
  const std::vector<Tile> &tiles() const { return tiles_; }
  std::string_view target(const Tile &tile, std::uint32_t place) const {
    return targets_[tile.first + tile.order[place]];
  }

  // The tile on a device whose `use` the caller holds; other tiles go where they and this one need more than `most`
  // bytes together. Targets are in the tile's order. Null: a letter is outside the alphabet.
  Result<const OnDevice *> on(const std::shared_ptr<Device> &device, std::size_t tile, std::size_t most);
  // Takes this object's tiles off a device whose `use` the caller holds.
  void leave(Device &device);

 private:
  using Kept = std::map<std::size_t, OnDevice>;  // by tile
  Result<const OnDevice *> upload(Device &device, const Tile &tile, OnDevice &to);

  std::vector<std::string_view> targets_;
  std::vector<Tile> tiles_;
  std::mutex mutex_;
  std::map<std::shared_ptr<Device>, Kept> kept_;
};

}  // namespace alnsmith::rt::schedule
