// See block_builder.h.
#include "database/block_builder.h"

#include <algorithm>
#include <numeric>

#include "base/bytes.h"
#include "database/part_check.h"

namespace alnsmith::search {
namespace {

constexpr std::size_t kOffsets =
    24;  // bytes per sequence: its end, and its places among letters, names and descriptions
constexpr std::size_t kPieceLetters = std::size_t{1} << 16;

// Empties a string, and gives back what one large sequence has taken.
void empty(std::string &text, std::size_t usual) {
  text.clear();
  if (text.capacity() > 2 * usual) text.shrink_to_fit();
}

}  // namespace

BlockBuilder::BlockBuilder(std::size_t block_letters) : limit_(block_letters) { clear(); }

bool BlockBuilder::full_for(std::string_view name, std::string_view letters, std::string_view description) const {
  const std::size_t other = index_.size() + names_.offsets.size() + names_.texts.size() + descriptions_.offsets.size() +
                            descriptions_.texts.size();
  return !empty() && (letters_.size() + letters.size() > limit_ ||
                      other + kOffsets + name.size() + description.size() > std::max<std::size_t>(limit_, 4096));
}

void BlockBuilder::add(std::string_view name, std::string_view letters, std::string_view description) {
  letters_ += letters;
  rt::put(index_, letters_.size(), 8);
  names_.add(name);
  descriptions_.add(description);
  ++extent_.count;
  extent_.letters += letters.size();
  extent_.longest = std::max<std::uint64_t>(extent_.longest, letters.size());
}

std::vector<std::uint32_t> BlockBuilder::by_length() const {
  std::vector<std::uint32_t> order(extent_.count);
  std::iota(order.begin(), order.end(), 0u);
  const auto length = [&](std::uint32_t i) {
    return letters_offset(index_.data(), i + 1) - letters_offset(index_.data(), i);
  };
  std::ranges::stable_sort(order, {}, length);
  return order;
}

Status BlockBuilder::each_piece(std::span<const std::uint32_t> order,
                                const std::function<Status(std::string_view)> &use) const {
  std::string piece;
  for (const std::uint32_t i : order) {
    const std::uint64_t begin = letters_offset(index_.data(), i), end = letters_offset(index_.data(), i + 1);
    const std::string_view letters = std::string_view(letters_).substr(begin, end - begin);
    if (piece.empty() && letters.size() >= kPieceLetters) {
      if (auto ok = use(letters); !ok) return ok;
      continue;
    }
    piece += letters;
    if (piece.size() < kPieceLetters) continue;
    if (auto ok = use(piece); !ok) return ok;
    piece.clear();
  }
  return piece.empty() ? Status(Ok{}) : use(piece);
}

std::array<std::string_view, kParts> BlockBuilder::parts(std::span<const std::uint32_t> order) {
  std::vector<std::uint64_t> places(extent_.count);
  std::uint64_t at = 0;
  for (const std::uint32_t i : order) {
    places[i] = at;
    at += letters_offset(index_.data(), i + 1) - letters_offset(index_.data(), i);
  }
  for (const std::uint64_t place : places) rt::put(index_, place, 8);
  joined_[0] = names_.offsets + names_.texts;
  joined_[1] = descriptions_.offsets + descriptions_.texts;
  return {"", index_, joined_[0], joined_[1]};
}

void BlockBuilder::clear() {
  extent_ = {};
  for (std::string *text : {&letters_, &index_, &joined_[0], &joined_[1]}) search::empty(*text, limit_);
  names_.clear();
  descriptions_.clear();
  letters_.reserve(limit_);
  rt::put(index_, 0, 8);
}

void BlockBuilder::Texts::clear() {
  offsets.clear();
  texts.clear();
  rt::put(offsets, 0, 4);
}

void BlockBuilder::Texts::add(std::string_view text) {
  texts += text;
  rt::put(offsets, texts.size(), 4);
}

}  // namespace alnsmith::search
