// See block_builder.hpp.
#include "database/block_builder.hpp"

#include <algorithm>

#include "base/bytes.hpp"

namespace alnsmith::search {
namespace {

constexpr std::size_t kOffsets = 16;  // bytes a sequence: its place among letters, names and descriptions

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

std::array<std::string_view, kParts> BlockBuilder::parts() {
  joined_[0] = names_.offsets + names_.texts;
  joined_[1] = descriptions_.offsets + descriptions_.texts;
  return {letters_, index_, joined_[0], joined_[1]};
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
