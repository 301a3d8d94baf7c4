// Slabs and radix sorts.  See batch.h.
//
// With B batches and S slabs a lane wastes about range(register)/S + range(stream)*S/B letters, relative to the
// mean lengths; the best S is sqrt(B * range(register) / range(stream)).
#include "align/batch.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "align/radix_sort.h"

namespace alnsmith::rt::align {
namespace {

// How many tiles of k letters hold a sequence. Asked for several times per pair, so the division is a multiplication
// whose upper half is the quotient (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019).
class Tiles {
 public:
  explicit Tiles(std::uint32_t k) : k_(k), inverse_(UINT64_MAX / k + 1) {}
  std::uint32_t operator()(std::uint32_t letters) const {
    if (k_ == 1) return letters;
    return static_cast<std::uint32_t>(static_cast<unsigned __int128>(inverse_) * (std::uint64_t{letters} + k_ - 1) >>
                                      64);
  }

 private:
  std::uint32_t k_;
  std::uint64_t inverse_;
};

// Measured by the mean length.
double spread(std::uint32_t least, std::uint32_t most, std::uint64_t sum, std::size_t n) {
  return (most - least) / (static_cast<double>(sum) / static_cast<double>(n));
}

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

Sides sides_of(std::span<const Item> items, bool query_in_registers) {
  Sides sides;
  for (const Item &item : items) sides.add(item, query_in_registers);
  return sides;
}

std::vector<Batch> make_batches(std::vector<Item> &items, int lanes, int k, bool query_in_registers) {
  const std::size_t n = items.size(), width = static_cast<std::size_t>(lanes);
  std::vector<Batch> batches;
  if (n == 0) return batches;
  const Tiles tiles(static_cast<std::uint32_t>(k));
  const auto block = [=](const Item &i) -> std::uint32_t { return tiles(registers_of(i, query_in_registers)); };
  const auto stream = [=](const Item &i) -> std::uint32_t { return stream_of(i, query_in_registers); };
  const Sides sides = sides_of(items, query_in_registers);
  const std::uint32_t least_block = tiles(sides.least_registers), most_block = tiles(sides.registers);
  const std::size_t count = (n + width - 1) / width;
  if (count > 1 && (most_block != least_block || sides.stream != sides.least_stream)) {
    std::uint64_t blocks = 0, streams = 0;
    for (const Item &item : items) {
      blocks += block(item);
      streams += stream(item);
    }
    std::vector<Item> spare(n);
    std::span<Item> by_block = items, others = spare;
    if (radix_sort(by_block, others, least_block, most_block, block).data() != by_block.data())
      std::swap(by_block, others);
    const double ratio = spread(least_block, most_block, blocks, n) /
                         std::max(spread(sides.least_stream, sides.stream, streams, n), 1e-9);
    const double best = std::sqrt(static_cast<double>(count) * ratio);
    const auto slabs = static_cast<std::size_t>(
        std::clamp(best, 1.0, std::min(static_cast<double>(count), most_block - least_block + 1.0)));
    const std::size_t size = (count + slabs - 1) / slabs * width;
    bool moved = false;
    for (std::size_t begin = 0; begin < n;) {
      const std::size_t end = slab_end(by_block, begin, size, width, block);
      const std::span<Item> slab = by_block.subspan(begin, end - begin);
      moved = radix_sort(slab, others.subspan(begin, slab.size()), sides.least_stream, sides.stream, stream).data() !=
              slab.data();
      begin = end;
    }
    if ((moved ? others : by_block).data() == spare.data()) items.swap(spare);
  }
  batches.reserve(count);
  for (std::size_t begin = 0; begin < n; begin += width) {
    const auto part = std::span(items).subspan(begin, std::min(width, n - begin));
    batches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(part.size()),
                       sides_of(part, query_in_registers)});
  }
  return batches;
}

void largest_first(std::vector<Batch> &batches, int threads) {
  const auto cells = [](const Batch &batch) { return std::uint64_t{batch.sides.registers} * batch.sides.stream; };
  std::uint64_t all = 0, most = 0;
  for (const Batch &batch : batches) {
    all += cells(batch);
    most = std::max(most, cells(batch));
  }
  if (threads > 1 && most * 16 * static_cast<std::uint64_t>(threads) > all)
    std::ranges::stable_sort(batches, std::ranges::greater(), cells);
}

}  // namespace alnsmith::rt::align
