// Header and directory of a database as bytes and back. docs/database.md has the tables.
//
// In:  bytes of any origin. Out: totals and where the parts of blocks lie, checked as far as they can be without
// reading a block: hashes, sums, order, bounds. Or the reverse.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/database.hpp"
#include "alnsmith/result.hpp"

namespace alnsmith::search {

constexpr std::uint64_t kHeaderBytes = 128;
constexpr std::uint64_t kLettersAlign = 4096, kPartAlign = 64;
constexpr std::uint64_t kBehindLetters = 64;  // zero bytes that follow a block's last letter at least

// The parts of a block, in the order in which they lie.
enum PartKind : int { kLetters, kIndex, kNames, kDescriptions };
constexpr int kParts = 4;
constexpr std::array<const char *, kParts> kPartNames = {"letters", "index", "names", "descriptions"};

struct BlockPart {
  std::uint64_t offset = 0, size = 0;
  std::string checksum;
};

struct BlockEntry {
  Extent extent;
  std::array<BlockPart, kParts> parts;
  std::uint64_t end() const { return parts[kDescriptions].offset + parts[kDescriptions].size; }
};

struct Header {
  std::uint64_t bytes = 0;  // of the database; behind them may lie what an append left that did not come to its end
  std::uint64_t directory_offset = 0, directory_size = 0;
  std::string directory_hash;  // raw SHA-256
};

struct Directory {
  DatabaseInfo info;
  std::vector<BlockEntry> blocks;
};

constexpr std::uint64_t aligned(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }
// Where a part lies behind one that ends at `end`.
constexpr std::uint64_t part_offset(int part, std::uint64_t end) {
  return part == kLetters ? aligned(end, kLettersAlign)
                          : aligned(end + (part == kIndex ? kBehindLetters : 0), kPartAlign);
}

// What files with such a header differ in.
struct FileKind {
  std::string_view magic;  // 8 bytes
  std::uint32_t version;
  std::string_view none, mend;  // what is said of other files, and how to come by one
  std::uint64_t totals, entry;  // bytes of the directory: its begin, a block's
};
extern const FileKind kDatabaseKind;

bool is_magic(std::string_view begin);  // of 8 bytes at least

std::string header_bytes(const Header &header, const FileKind &kind = kDatabaseKind);
// `file_size`: what the file has. Errors lack the file's name.
Result<Header> parse_header(std::string_view bytes, std::uint64_t file_size, const FileKind &kind = kDatabaseKind);

std::string directory_bytes(const Directory &directory);
Result<Directory> parse_directory(std::string_view bytes, const Header &header);

// Position of the first byte that is a control byte or, unless `blanks`, a blank; npos: none.
std::size_t first_unprintable(std::string_view text, bool blanks);

}  // namespace alnsmith::search
