// See path_planes.h.
#include "align/path_planes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace alnsmith::rt::align {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kBits = 64;
enum Operation { kMatch = 0, kInsertion = 1, kDeletion = 2 };

// Rows and columns of a square of bits change places: by halves, of halves, and so on (Hacker's Delight, 7-3). Halves
// are constants, so that rows are taken as vectors.
template <std::size_t half>
void transpose(Word *square, Word mask) {
  for (std::size_t block = 0; block < kBits; block += 2 * half)
    for (std::size_t i = block; i < block + half; ++i) {
      const Word other = (square[i] >> half ^ square[i + half]) & mask;
      square[i] ^= other << half;
      square[i + half] ^= other;
    }
  if constexpr (half > 1) transpose<half / 2>(square, mask ^ mask << half / 2);
}

// The bits of one lane: letter n is bit n % 64 of word n / 64, words kBits apart.
struct Bits {
  const Word *words = nullptr;
  // How many letters in a row, from `last` down, have a bit of this value: as many as 64 are looked at together.
  int run(int last, bool value) const {
    constexpr int bits = kBits;
    for (int at = last;; at -= bits) {
      if (at < 0) return last + 1;
      const Word *word = words + static_cast<std::size_t>(at / bits) * kBits;
      const int place = at % bits;
      Word letters = (value ? ~*word : *word) << (bits - 1 - place);
      if (place < bits - 1 && at >= bits) letters |= (value ? ~word[-bits] : word[-bits]) >> (place + 1);
      if (letters != 0) return last - at + std::countl_zero(letters);
    }
  }
};

// One side's bits of 64 lanes.
class Side {
 public:
  Side(const PathSide &side, std::size_t lanes) : side_(side), row_(lanes / 8), planes_(side.begin_free ? 2 : 1) {}
  std::size_t squares() const { return (side_.letters + kBits - 1) / kBits; }
  std::size_t words() const { return planes_ * squares() * kBits; }
  // Of lanes 64 * `group` and on.
  void turn(std::size_t group, Word *words) {
    words_ = words;
    for (std::size_t plane = 0; plane < planes_; ++plane)
      for (std::size_t square = 0; square < squares(); ++square) {
        Word *own = words + (plane * squares() + square) * kBits;
        for (std::size_t i = 0; i < kBits; ++i) {
          const std::size_t letter = square * kBits + i;
          own[i] = 0;
          if (letter < side_.letters)
            std::memcpy(&own[i], side_.planes + (letter * planes_ + plane) * row_ + group * sizeof(Word), sizeof(Word));
        }
        transpose<kBits / 2>(own, 0xFFFFFFFF);
      }
  }
  Bits matched(std::size_t lane) const { return {words_ + lane}; }
  // From `last` down: letters of a gap.
  int gap(std::size_t lane, int last) const {
    if (!side_.begin_free) return matched(lane).run(last, false);
    return Bits{words_ + squares() * kBits + lane}.run(last, true);
  }

 private:
  const PathSide &side_;
  std::size_t row_, planes_;
  const Word *words_ = nullptr;
};

// A lane's runs, from its end on.
class Runs {
 public:
  Runs(const PathRuns &runs, std::size_t lane) : runs_(runs) {
    if (!runs_.runs) return;
    runs_.first[lane] = static_cast<int>(runs_.runs->size());
    count_ = &runs_.count[lane];
    *count_ = 0;
  }
  void add(int letters, Operation operation) {
    if (letters == 0 || !runs_.runs) return;
    runs_.runs->push_back(letters * 16 + operation);
    ++*count_;
  }

 private:
  const PathRuns &runs_;
  int *count_ = nullptr;
};

}  // namespace

std::size_t path_words(std::size_t query, std::size_t target) { return 2 * (query + target + 2 * kBits); }

void read_paths(std::size_t lanes, const PathSide &query, const PathSide &target, const PathRuns &runs,
                std::vector<std::uint64_t> &words) {
  Side rows(query, lanes), columns(target, lanes);
  if (runs.runs) runs.runs->clear();
  words.resize(std::max(words.size(), rows.words() + columns.words()));
  for (std::size_t group = 0; group < lanes / kBits; ++group) {
    rows.turn(group, words.data());
    columns.turn(group, words.data() + rows.words());
    for (std::size_t i = 0; i < kBits; ++i) {
      const std::size_t lane = group * kBits + i;
      Runs found(runs, lane);
      int row = query.end[lane], column = target.end[lane];
      // From the end: gaps along the target before gaps along the query, then letters side by side. `..._left`: those
      // that are, up to the side's next gap.
      int rows_left = rows.matched(i).run(row, true), columns_left = columns.matched(i).run(column, true);
      while (row >= 0 && column >= 0) {
        if (columns_left == 0) {
          const int deleted = columns.gap(i, column);
          found.add(deleted, kDeletion);
          column -= deleted;
          columns_left = columns.matched(i).run(column, true);
        }
        if (rows_left == 0) {
          const int inserted = rows.gap(i, row);
          found.add(inserted, kInsertion);
          row -= inserted;
          rows_left = rows.matched(i).run(row, true);
        }
        const int matched = std::min(rows_left, columns_left);
        if (matched == 0) break;
        found.add(matched, kMatch);
        row -= matched;
        column -= matched;
        rows_left -= matched;
        columns_left -= matched;
      }
      // Where a border is reached that is not free, what is left of the other side is a gap: of itself one run, as the
      // letters that a gap has taken before the border are.
      if (row < 0 && column >= 0 && !target.begin_free) {
        found.add(column + 1, kDeletion);
        column = -1;
      }
      if (column < 0 && row >= 0 && !query.begin_free) {
        found.add(row + 1, kInsertion);
        row = -1;
      }
      query.begin[lane] = row + 1;
      target.begin[lane] = column + 1;
    }
  }
}

}  // namespace alnsmith::rt::align
