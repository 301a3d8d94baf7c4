// See sequences.h. The packed form: "aln1", number of letters of the alphabet and these, number of sequences and
// their lengths as 32-bit numbers, then the letters' codes, low bits first.
#include "sequences.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace alnsmith::check {
namespace {

constexpr std::string_view kMagic = "aln1";

void put32(std::string &out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}

// Takes from the front; `sound` turns false where too little is left.
struct Reader {
  std::string_view left;
  bool sound = true;

  std::string_view take(std::size_t bytes) {
    if (left.size() < bytes) sound = false;
    const std::string_view taken = left.substr(0, std::min(bytes, left.size()));
    left.remove_prefix(taken.size());
    return taken;
  }
  std::uint32_t number() {
    const std::string_view bytes = take(4);
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
};

unsigned bits_of(std::size_t alphabet) { return std::max(1u, static_cast<unsigned>(std::bit_width(alphabet - 1))); }

}  // namespace

void SequenceList::shape(const std::vector<std::uint32_t> &lengths) {
  begin_.assign(1, 0);
  begin_.reserve(lengths.size() + 1);
  for (const std::uint32_t length : lengths) begin_.push_back(begin_.back() + length);
  text_.assign(begin_.back(), 'A');
}

std::vector<std::string_view> SequenceList::views(std::size_t first, std::size_t count) const {
  std::vector<std::string_view> list;
  list.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) list.push_back((*this)[i]);
  return list;
}

std::uint64_t SequenceList::checksum() const {
  std::uint64_t sum = 1469598103934665603u;
  const auto add = [&](std::uint64_t word) { sum = (sum ^ word) * 1099511628211u ^ sum >> 29; };
  for (const std::uint64_t place : begin_) add(place);
  std::size_t i = 0;
  for (; i + 8 <= text_.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text_.data() + i, 8);
    add(word);
  }
  for (; i < text_.size(); ++i) add(static_cast<unsigned char>(text_[i]));
  return sum;
}

std::string pack(const SequenceList &list) {
  std::array<bool, 256> used{};
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const char c : list[i]) used[static_cast<unsigned char>(c)] = true;
  std::string alphabet;
  std::array<unsigned, 256> code{};
  for (unsigned c = 0; c < 256; ++c)
    if (used[c]) {
      code[c] = static_cast<unsigned>(alphabet.size());
      alphabet += static_cast<char>(c);
    }
  if (alphabet.empty()) alphabet = "A";
  std::string out(kMagic);
  put32(out, static_cast<std::uint32_t>(alphabet.size()));
  out += alphabet;
  put32(out, static_cast<std::uint32_t>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) put32(out, static_cast<std::uint32_t>(list.length(i)));
  const unsigned bits = bits_of(alphabet.size());
  std::uint32_t held = 0;
  unsigned count = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const char c : list[i]) {
      held |= code[static_cast<unsigned char>(c)] << count;
      for (count += bits; count >= 8; count -= 8, held >>= 8) out += static_cast<char>(held);
    }
  if (count > 0) out += static_cast<char>(held);
  return out;
}

Result<SequenceList> unpack(std::string_view bytes, const std::string &name) {
  const Error damaged{name + ": damaged or no packed sequences: prepare the folder again"};
  Reader in{bytes};
  if (in.take(kMagic.size()) != kMagic) return damaged;
  const std::string alphabet(in.take(std::min<std::uint32_t>(in.number(), 257)));
  if (alphabet.empty() || alphabet.size() > 256) return damaged;
  const std::uint32_t count = in.number();
  if (!in.sound || count > in.left.size() / 4) return damaged;
  std::vector<std::uint32_t> lengths(count);
  std::uint64_t total = 0;
  for (std::uint32_t &length : lengths) total += length = in.number();
  const unsigned bits = bits_of(alphabet.size());
  if (in.left.size() != (total * bits + 7) / 8) return damaged;
  SequenceList list;
  list.shape(lengths);
  std::uint32_t held = 0;
  unsigned available = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    char *const to = list.at(i);
    for (std::size_t j = 0; j < lengths[i]; ++j) {
      for (; available < bits; available += 8)
        held |= std::uint32_t{static_cast<unsigned char>(in.left[next++])} << available;
      const std::size_t code = held & ((1u << bits) - 1);
      if (code >= alphabet.size()) return damaged;
      to[j] = alphabet[code];
      held >>= bits;
      available -= bits;
    }
  }
  return list;
}

}  // namespace alnsmith::check
