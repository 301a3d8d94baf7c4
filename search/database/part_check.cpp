// See part_check.h.
#include "database/part_check.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "alnsmith/database_writer.hpp"
#include "database/checksum.h"

namespace alnsmith::search {
namespace {

static_assert(std::endian::native == std::endian::little, "databases are read as they lie in memory");

// A piece's bytes are looked at while the checksum has them in the cache.
constexpr std::size_t kPiece = std::size_t{1} << 16;

std::uint32_t text_offset(std::string_view part, std::uint64_t index) {
  std::uint32_t value;
  std::memcpy(&value, part.data() + 4 * index, 4);
  return value;
}

// Ends that only grow, up to the end of the part, belong to lengths, so all places are in bounds.
bool index_in_order(std::string_view bytes, const Extent &extent) {
  const char *const offsets = bytes.data();
  std::uint64_t at = letters_offset(offsets, 0), longest = 0;
  if (at != 0) return false;
  for (std::uint64_t i = 1; i <= extent.count; ++i) {
    const std::uint64_t next = letters_offset(offsets, i);
    if (next <= at) return false;
    longest = std::max(longest, next - at);
    const std::uint64_t place = letters_place(offsets, extent.count, i - 1);
    if (place > extent.letters || extent.letters - place < next - at) return false;
    at = next;
  }
  return at == extent.letters && longest == extent.longest;
}

bool texts_in_order(std::string_view bytes, std::uint64_t count, bool empty_ones) {
  const std::uint64_t texts = bytes.size() - 4 * (count + 1);
  std::uint64_t at = text_offset(bytes, 0);
  if (at != 0) return false;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const std::uint64_t next = text_offset(bytes, i);
    if (next < at + (empty_ones ? 0 : 1) || next - at > kMaxHeaderText) return false;
    at = next;
  }
  return at == texts;
}

}  // namespace

std::uint64_t letters_offset(const char *index_part, std::uint64_t index) {
  std::uint64_t value;
  std::memcpy(&value, index_part + 8 * index, 8);
  return value;
}

std::uint64_t letters_place(const char *index_part, std::uint64_t count, std::uint64_t index) {
  return letters_offset(index_part, count + 1 + index);
}

const char *part_problem(std::string_view bytes, const BlockEntry &block, PartKind part) {
  const std::uint64_t count = block.extent.count;
  const std::uint64_t offsets = part == kLetters ? 0 : part == kIndex ? bytes.size() : 4 * (count + 1);
  Checksum sum;
  sum.add(bytes.substr(0, offsets));
  bool printable = true;
  for (std::string_view rest = bytes.substr(offsets); !rest.empty();) {
    const std::string_view piece = rest.substr(0, kPiece);
    rest.remove_prefix(piece.size());
    sum.add(piece);
    printable = printable && first_unprintable(piece, part == kDescriptions) == std::string_view::npos;
  }
  if (sum.finish() != block.parts[part].checksum) return "do not have their checksum";
  if (!printable) return "have control bytes or blanks";
  const bool ordered = part == kLetters || (part == kIndex ? index_in_order(bytes, block.extent)
                                                           : texts_in_order(bytes, count, part == kDescriptions));
  return ordered ? nullptr : "are not in order";
}

}  // namespace alnsmith::search
