// A block while it is filled: sequences in, the bytes of its parts out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "database/format.h"

namespace alnsmith::search {

class BlockBuilder {
 public:
  // Room for the letters of a block is taken at once, so that it is never copied to grow.
  explicit BlockBuilder(std::size_t block_letters);

  bool empty() const { return extent_.count == 0; }
  // Whether the block is to end before a sequence of this size.
  bool full_for(std::string_view name, std::string_view letters, std::string_view description) const;
  void add(std::string_view name, std::string_view letters, std::string_view description);

  const Extent &extent() const { return extent_; }
  // The order in which letters are to lie: sequences by length, equally long ones in order, so that who takes them by
  // length reads on.
  std::vector<std::uint32_t> by_length() const;
  // The block's letters in that order, piece by piece, of some 64 Ki letters at least but for the last one.
  Status each_piece(std::span<const std::uint32_t> order, const std::function<Status(std::string_view)> &use) const;
  // Closes the index, with the places of letters in that order; the views hold until the next call of clear(). Letters
  // are not among them.
  std::array<std::string_view, kParts> parts(std::span<const std::uint32_t> order);
  void clear();

 private:
  // Offsets of 4 bytes, then texts.
  struct Texts {
    std::string offsets, texts;
    void clear();
    void add(std::string_view text);
  };

  std::size_t limit_;
  Extent extent_;
  std::string letters_, index_, joined_[2];
  Texts names_, descriptions_;
};

}  // namespace alnsmith::search
