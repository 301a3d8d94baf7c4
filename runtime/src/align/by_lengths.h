// What follows from two lengths, remembered: reads have few lengths, and predicates cost as much as some thousand
// cells.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace alnsmith::rt::align {

template <class T>
class ByLengths {
 public:
  // About `entries` lengths are remembered, at most.
  explicit ByLengths(std::size_t entries) : entries_(std::bit_ceil(entries)) {}

  // `kind` from 0 on: what else it follows from. `make` is called where the lengths are new.
  template <class Make>
  const T &get(int kind, std::uint32_t query, std::uint32_t target, Make make) {
    const std::uint32_t hash =
        (query * 0x9E3779B1u) ^ (target * 0x85EBCA77u) ^ (static_cast<std::uint32_t>(kind) * 0xC2B2AE3Du);
    Entry &entry = entries_[(hash ^ hash >> 15) & (entries_.size() - 1)];
    if (entry.kind != kind || entry.query != query || entry.target != target) entry = {kind, query, target, make()};
    return entry.value;
  }

 private:
  struct Entry {
    int kind = -1;
    std::uint32_t query = 0, target = 0;
    T value{};
  };
  std::vector<Entry> entries_;
};

}  // namespace alnsmith::rt::align
