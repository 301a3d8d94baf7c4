// See format.h.
#include "database/format.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/files.h"
#include "database/checksum.h"

namespace alnsmith::search {
namespace {

// As in PNG: the first byte cannot be text, and a transfer that changes line ends is noticed.
constexpr std::string_view kMagic =
    "\x89"
    "ALNDB\r\n";
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kHash = 32, kHashedHeader = kHeaderBytes - kHash;
constexpr std::size_t kTotals = 2176, kEntry = 160,
                      kCounts = 72;                           // of the directory: its begin, a block's, letter counts
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;  // sums of a few offsets and sizes cannot overflow
constexpr std::uint64_t kMostDirectory = std::uint64_t{1} << 30;  // some 6 million blocks

Error disorder(const std::string &what) { return Error{"damaged: its directory is not in order: " + what}; }

// Sums that a directory claims.
struct Sums {
  std::uint64_t sequences = 0, letters = 0, longest = 0, end = kHeaderBytes;
};

Status check_entry(const BlockEntry &block, const Header &header, Sums &sums) {
  const Extent &e = block.extent;
  if (e.first != sums.sequences || e.count == 0 || e.letters < e.count || e.longest == 0 || e.longest > e.letters)
    return disorder("counts of a block");
  for (int i = 0; i < kParts; ++i) {
    const BlockPart &part = block.parts[static_cast<std::size_t>(i)];
    if (part.offset != part_offset(i, sums.end) && (i != kLetters || part.offset % kLettersAlign != 0))
      return disorder("a part does not lie where it has to");
    if (part.offset < sums.end || part.offset > header.bytes || part.size > header.bytes - part.offset)
      return disorder("a part lies outside the file");
    sums.end = part.offset + part.size;
  }
  const auto size = [&](int part) { return block.parts[static_cast<std::size_t>(part)].size; };
  if (size(kLetters) != e.letters || size(kIndex) % 8 != 0 || size(kIndex) / 8 != 2 * e.count + 1 ||
      size(kNames) / 5 < e.count || size(kDescriptions) / 4 < e.count + 1)
    return disorder("sizes of a block's parts");
  sums.sequences += e.count;
  sums.letters += e.letters;
  sums.longest = std::max(sums.longest, e.longest);
  return Ok{};
}

Status check_totals(const Directory &directory, const Header &header, const Sums &sums) {
  const DatabaseInfo &info = directory.info;
  if (info.sequences != sums.sequences || info.letters != sums.letters || info.longest_sequence != sums.longest ||
      info.longest_name == 0)
    return disorder("totals");
  std::uint64_t counted = 0;
  for (const std::uint64_t count : info.letter_counts) {
    if (count > sums.letters - counted) return disorder("counts of letters");
    counted += count;
  }
  if (counted != sums.letters) return disorder("counts of letters");
  if (sums.end > header.directory_offset) return disorder("a block lies behind it");
  return Ok{};
}

}  // namespace

constexpr FileKind kDatabaseKind{kMagic,  kVersion, "is no database of sequences", "make it with `alnsmith makedb`",
                                 kTotals, kEntry};

bool is_magic(std::string_view begin) { return begin.starts_with(kMagic); }

std::string header_bytes(const Header &header, const FileKind &kind) {
  std::string out(kind.magic);
  rt::put(out, kind.version, 4);
  rt::put(out, kHeaderBytes, 4);
  rt::put(out, header.bytes, 8);
  rt::put(out, header.directory_offset, 8);
  rt::put(out, header.directory_size, 8);
  out += header.directory_hash;
  out.resize(kHashedHeader, '\0');
  return out + rt::from_hex(rt::sha256_hex(out));
}

Result<Header> parse_header(std::string_view bytes, std::uint64_t file_size, const FileKind &kind) {
  const std::string mend(kind.mend);
  if (!bytes.starts_with(kind.magic)) return Error{std::string(kind.none) + ": " + mend};
  if (bytes.size() < kHeaderBytes) return Error{"damaged: ends in its header: copy or make it again"};
  if (const auto version = rt::get(bytes, 8, 4); version != kind.version)
    return Error{"has format version " + std::to_string(version) + ", this program reads version " +
                 std::to_string(kind.version) + ": it is of another version of alnsmith, " + mend + " of this one"};
  if (rt::from_hex(rt::sha256_hex(bytes.substr(0, kHashedHeader))) != bytes.substr(kHashedHeader, kHash))
    return Error{"damaged: its header does not have its hash: copy or make it again"};
  Header out;
  out.bytes = rt::get(bytes, 16, 8);
  out.directory_offset = rt::get(bytes, 24, 8);
  out.directory_size = rt::get(bytes, 32, 8);
  out.directory_hash = bytes.substr(40, kHash);
  if (out.bytes > file_size)
    return Error{"damaged: has " + std::to_string(file_size) + " bytes, should have " + std::to_string(out.bytes) +
                 ": copy or make it again"};
  if (rt::get(bytes, 12, 4) != kHeaderBytes || out.bytes > kMostBytes || out.directory_offset > out.bytes ||
      out.directory_size != out.bytes - out.directory_offset || out.directory_offset < kHeaderBytes ||
      out.directory_size < kind.totals + kind.entry || out.directory_size > kMostDirectory ||
      (out.directory_size - kind.totals) % kind.entry != 0)
    return Error{"damaged: its header is not in order: copy or make it again"};
  return out;
}

std::string directory_bytes(const Directory &directory) {
  const DatabaseInfo &info = directory.info;
  std::string out;
  for (const std::uint64_t n :
       {std::uint64_t{directory.blocks.size()}, info.sequences, info.letters, info.longest_sequence, info.longest_name})
    rt::put(out, n, 8);
  out += rt::from_hex(info.content);
  for (const std::uint64_t count : info.letter_counts) rt::put(out, count, 8);
  out.resize(kTotals, '\0');
  for (const BlockEntry &block : directory.blocks) {
    for (const std::uint64_t n : {block.extent.first, block.extent.count, block.extent.letters, block.extent.longest})
      rt::put(out, n, 8);
    for (const BlockPart &part : block.parts) {
      rt::put(out, part.offset, 8);
      rt::put(out, part.size, 8);
      out += part.checksum;
    }
  }
  return out;
}

Result<Directory> parse_directory(std::string_view bytes, const Header &header) {
  if (rt::from_hex(rt::sha256_hex(bytes)) != header.directory_hash)
    return Error{"damaged: its directory does not have its hash: copy or make it again"};
  Directory out;
  DatabaseInfo &info = out.info;
  info.blocks = rt::get(bytes, 0, 8);
  info.sequences = rt::get(bytes, 8, 8);
  info.letters = rt::get(bytes, 16, 8);
  info.longest_sequence = rt::get(bytes, 24, 8);
  info.longest_name = rt::get(bytes, 32, 8);
  info.bytes = header.bytes;
  info.content = rt::to_hex(bytes.substr(40, kHash));
  for (std::size_t i = 0; i < 256; ++i) info.letter_counts[i] = rt::get(bytes, kCounts + 8 * i, 8);
  if (info.blocks != (bytes.size() - kTotals) / kEntry) return disorder("number of blocks");
  Sums sums;
  for (std::size_t at = kTotals; at < bytes.size(); at += kEntry) {
    BlockEntry block;
    block.extent = {rt::get(bytes, at, 8), rt::get(bytes, at + 8, 8), rt::get(bytes, at + 16, 8),
                    rt::get(bytes, at + 24, 8)};
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t from = at + 32 + 32 * part;
      block.parts[part] = {rt::get(bytes, from, 8), rt::get(bytes, from + 8, 8),
                           std::string(bytes.substr(from + 16, kChecksumBytes))};
    }
    if (auto ok = check_entry(block, header, sums); !ok) return ok.error();
    out.blocks.push_back(std::move(block));
  }
  if (auto ok = check_totals(out, header, sums); !ok) return ok.error();
  return out;
}

std::size_t first_unprintable(std::string_view text, bool blanks) {
  // Lines of a size that the compiler knows become vector operations.
  constexpr std::size_t kLine = 64;
  const unsigned char least = blanks ? 0x20 : 0x21;
  const auto bad = [least](char c) { return (static_cast<unsigned char>(c) < least) | (c == 0x7f); };
  std::size_t at = 0;
  for (; at + kLine <= text.size(); at += kLine) {
    const char *line = text.data() + at;
    unsigned char any = 0;
    for (std::size_t i = 0; i < kLine; ++i) any |= static_cast<unsigned char>(bad(line[i]));
    if (any != 0) break;
  }
  const auto found = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), bad);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

}  // namespace alnsmith::search
