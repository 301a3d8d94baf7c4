// Binning: which pairs share a vector batch, so that its lanes have nearly equal lengths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace alnsmith::rt::align {

struct Item {
  std::uint64_t id;            // of the pair, for the caller
  std::uint32_t query : 31;    // letters
  std::uint32_t in_lanes : 1;  // stays in lanes: was there, or no kernel of form `split` could hold it
  std::uint32_t target : 30;   // letters
  std::uint32_t tried : 1;     // the kernel may overflow: look at its status
  std::uint32_t promoted : 1;  // a narrower kernel has overflowed
};
static_assert(sizeof(Item) == 16);

inline std::uint32_t registers_of(const Item &item, bool query_in_registers) {
  return query_in_registers ? item.query : item.target;
}
inline std::uint32_t stream_of(const Item &item, bool query_in_registers) {
  return query_in_registers ? item.target : item.query;
}

// The fewest and the most letters of some pairs' sides: of those in registers, and of those that stream.
struct Sides {
  std::uint32_t least_registers = UINT32_MAX, registers = 0, least_stream = UINT32_MAX, stream = 0;
  void add(const Item &item, bool query_in_registers) {
    const std::uint32_t r = registers_of(item, query_in_registers), s = stream_of(item, query_in_registers);
    least_registers = std::min(least_registers, r);
    registers = std::max(registers, r);
    least_stream = std::min(least_stream, s);
    stream = std::max(stream, s);
  }
};
Sides sides_of(std::span<const Item> items, bool query_in_registers);

struct Batch {
  std::uint32_t begin, count;  // items[begin, begin + count), count <= lanes
  Sides sides;
};

// Reorders `items` and cuts them into batches of `lanes`; only the last may be smaller. Deterministic.
// Slabs of about equal register sides (rounded up to k, as the kernel does), each sorted by stream side.
std::vector<Batch> make_batches(std::vector<Item> &items, int lanes, int k, bool query_in_registers);

// Where one batch is a good part of what a thread has to do: the largest first, so that none is left with it at the
// end.
void largest_first(std::vector<Batch> &batches, int threads);

}  // namespace alnsmith::rt::align
