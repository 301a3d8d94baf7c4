// Sorting by lengths, of which there are few bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace alnsmith::rt::align {

// Stable, least digit first, by keys of 32 bits from `least` to `most`; fewer than 2^32 items, and `spare` is as long.
// Returns which of the two has the sorted ones, the same for the same `least` and `most`.
template <class Item, class Key>
std::span<Item> radix_sort(std::span<Item> items, std::span<Item> spare, std::uint32_t least, std::uint32_t most,
                           Key key) {
  constexpr int kBits = 11;
  const std::uint32_t width = most - least;
  for (int shift = 0; shift < 32 && (width >> shift) != 0; shift += kBits) {
    std::array<std::uint32_t, 1 << kBits> place{};
    const auto digit = [&](const Item &item) { return (key(item) - least) >> shift & ((1u << kBits) - 1); };
    for (const Item &item : items) ++place[digit(item)];
    std::uint32_t sum = 0;
    for (std::uint32_t &p : place) sum += std::exchange(p, sum);
    for (const Item &item : items) spare[place[digit(item)]++] = item;
    std::swap(items, spare);
  }
  return items;
}

}  // namespace alnsmith::rt::align
