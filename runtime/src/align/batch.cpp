// Slabs and radix sorts.  See batch.h.
//
// With B batches and S slabs a lane wastes about range(register)/S + range(stream)*S/B letters, relative to the
// mean lengths; the best S is sqrt(B * range(register) / range(stream)).
#include "align/batch.h"

#include <algorithm>
#include <cmath>

#include "align/radix_sort.h"

namespace alnsmith::rt::align {
namespace {

struct Range {
  std::uint32_t least = UINT32_MAX, most = 0;
  double sum = 0;
  void add(std::uint32_t x) {
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
  }
  double spread(std::size_t n) const { return (most - least) / (sum / static_cast<double>(n)); }
};

// End of the slab that begins at `begin`: near `size` items, at a change of the register block if one is close,
// a multiple of `lanes` from the start.
template <class Key>
std::size_t slab_end(std::span<const Item> items, std::size_t begin, std::size_t size, std::size_t lanes, Key block) {
  std::size_t end = begin + size;
  if (end >= items.size()) return items.size();
  const auto same = [&](const Item &a, const Item &b) { return block(a) < block(b); };
  const auto up = static_cast<std::size_t>(
      std::upper_bound(items.begin() + static_cast<std::ptrdiff_t>(end), items.end(), items[end - 1], same) -
      items.begin());
  const auto down = static_cast<std::size_t>(std::lower_bound(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                                              items.begin() + static_cast<std::ptrdiff_t>(end),
                                                              items[end - 1], same) -
                                             items.begin());
  if (up - end <= size / 2)
    end = up;
  else if (end - down <= size / 2)
    end = down;
  end = begin + std::max(lanes, (end - begin) / lanes * lanes);
  return std::min(end, items.size());
}

}  // namespace

std::vector<Batch> make_batches(std::vector<Item> &items, int lanes, int k, bool query_in_registers) {
  const std::size_t n = items.size(), width = static_cast<std::size_t>(lanes);
  std::vector<Batch> batches;
  if (n == 0) return batches;
  const std::uint32_t step = static_cast<std::uint32_t>(k);
  const auto block = [=](const Item &i) -> std::uint32_t {
    return ((query_in_registers ? i.query : i.target) + step - 1) / step;
  };
  const auto stream = [=](const Item &i) -> std::uint32_t { return query_in_registers ? i.target : i.query; };
  Range blocks, streams;
  for (const Item &item : items) {
    blocks.add(block(item));
    streams.add(stream(item));
  }
  const std::size_t count = (n + width - 1) / width;
  if (count > 1 && (blocks.most != blocks.least || streams.most != streams.least)) {
    std::vector<Item> spare(n);
    radix_sort(std::span(items), spare, blocks.least, blocks.most, block);
    const double ratio = blocks.spread(n) / std::max(streams.spread(n), 1e-9);
    const double best = std::sqrt(static_cast<double>(count) * ratio);
    const auto slabs = static_cast<std::size_t>(
        std::clamp(best, 1.0, std::min(static_cast<double>(count), blocks.most - blocks.least + 1.0)));
    const std::size_t size = (count + slabs - 1) / slabs * width;
    for (std::size_t begin = 0; begin < n;) {
      const std::size_t end = slab_end(items, begin, size, width, block);
      radix_sort(std::span(items).subspan(begin, end - begin), spare, streams.least, streams.most, stream);
      begin = end;
    }
  }
  batches.reserve(count);
  for (std::size_t begin = 0; begin < n; begin += width)
    batches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(width, n - begin))});
  return batches;
}

}  // namespace alnsmith::rt::align
