// Damaged databases: every changed byte that counts is found where it is read, in one line that names the file; what is
// sealed again after a change, as a wrong or hostile writer would, is refused or read within its bounds.
#include <cstdlib>
#include <iostream>
#include <optional>

#include "base/bytes.h"
#include "base/files.h"
#include "counts.h"
#include "database/checksum.h"
#include "database/file.h"
#include "database/format.h"
#include "databases.h"
#include "scratch.h"

namespace alnsmith::search::testing {
namespace {

using scratch::Folder;

std::string bytes_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class Damage : public ::testing::Test {
 protected:
  void SetUp() override {
    for (unsigned i = 0; i < 2; ++i) {
      path = folder.path("x.alndb");
      ASSERT_TRUE(write(path, random_entries(30 + i, 60, 150), 1500));
      ASSERT_TRUE(append(path, random_entries(40 + i, 20, 150), 1500));
      files[i] = bytes_of(path);
      entries[i] = *read(path);
    }
    head = {*parse_header(std::string_view(files[0]).substr(0, kHeaderBytes), files[0].size()), {}};
    head.directory = *parse_directory(std::string_view(files[0]).substr(head.header.directory_offset), head.header);
  }

  // Whether `error` is a line that names the file.
  void expect_line(const Error &error) const {
    EXPECT_TRUE(error.message.starts_with(path + ": ")) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
    EXPECT_EQ(error.exit_code, 1);
  }

  // Every call; what the database held if all of it could be read.
  std::optional<Entries> use(const std::string &bytes) const {
    folder.write("x.alndb", bytes);
    const auto database = Database::open(path);
    if (!database) {
      expect_line(database.error());
      return std::nullopt;
    }
    const std::uint64_t n = database->info().sequences;
    for (const std::uint64_t number : {std::uint64_t{0}, n / 2, n - 1})
      if (const auto got = database->sequence(number); !got) expect_line(got.error());
    for (const std::uint64_t part : {1, 2, 3})
      if (const auto range = database->shard(part, 3); !range) expect_line(range.error());
    if (const auto sound = database->verify(); !sound) expect_line(sound.error());
    const auto got = read(*database);
    if (got) return *got;
    expect_line(got.error());
    return std::nullopt;
  }

  // The first file with another header, directory or bytes of parts, hashes and checksums made anew.
  std::string sealed(Header header, Directory directory, std::string bytes) const {
    for (BlockEntry &block : directory.blocks)
      for (BlockPart &part : block.parts)
        if (part.offset <= bytes.size() && part.size <= bytes.size() - part.offset) {
          Checksum sum;
          sum.add(std::string_view(bytes).substr(part.offset, part.size));
          part.checksum = sum.finish();
        }
    const std::string listed = directory_bytes(directory);
    header.directory_hash = rt::from_hex(rt::sha256_hex(listed));
    if (header.directory_offset <= bytes.size()) bytes.replace(header.directory_offset, listed.size(), listed);
    return bytes.replace(0, kHeaderBytes, header_bytes(header));
  }

  Folder folder;
  std::string path, files[2];
  Entries entries[2];
  Head head;
};

TEST_F(Damage, EveryByteOfHeaderAndDirectoryCounts) {
  const std::string &sound = files[0];
  std::fstream file(folder.write("x.alndb", sound), std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char c) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(c).flush();
  };
  for (std::size_t at = 0; at < sound.size(); at = at + 1 == kHeaderBytes ? head.header.directory_offset : at + 1) {
    put(at, static_cast<char>(sound[at] ^ 1 << at % 8));
    const auto database = Database::open(path);
    ASSERT_FALSE(database) << at;
    expect_line(database.error());
    put(at, sound[at]);
  }
  EXPECT_TRUE(Database::open(path));
}

TEST_F(Damage, IsFoundInThePartThatIsReadAndNowhereElse) {
  const BlockEntry &block = head.directory.blocks[1];
  for (int i = 0; i < kParts; ++i) {
    const BlockPart &part = block.parts[static_cast<std::size_t>(i)];
    for (const std::uint64_t at : {part.offset, part.offset + part.size - 1}) {
      std::string bytes = files[0];
      bytes[at] ^= 2;
      folder.write("x.alndb", bytes);
      const auto database = Database::open(path);
      ASSERT_TRUE(database) << database.error().message;
      EXPECT_TRUE(database->block(0));
      EXPECT_TRUE(database->sequence(0));
      const auto found = database->block(1);
      EXPECT_EQ(static_cast<bool>(found), i == kNames || i == kDescriptions);
      if (found) {
        EXPECT_EQ(static_cast<bool>(found->name(0)), i != kNames);
        EXPECT_EQ(static_cast<bool>(found->description(0)), i != kDescriptions);
      }
      const std::string number = std::to_string(block.extent.first + 1);
      for (const Status &error : {Status(database->sequence(block.extent.first).error()), database->verify()}) {
        ASSERT_FALSE(error);
        expect_line(error.error());
        for (const std::string &word : {std::string("block 2 of"), "sequences from " + number,
                                        std::string(kPartNames[static_cast<std::size_t>(i)])})
          EXPECT_NE(error.error().message.find(word), std::string::npos) << error.error().message;
      }
    }
  }
  std::string bytes = files[0];  // between parts
  const std::uint64_t end = block.parts[kLetters].offset + block.parts[kLetters].size;
  bytes[end] = 1;
  folder.write("x.alndb", bytes);
  const auto database = Database::open(path);
  ASSERT_TRUE(database);
  EXPECT_EQ(*read(*database), entries[0]);
  ASSERT_FALSE(database->verify());
}

TEST_F(Damage, WhatIsNoDatabaseOfThisVersionIsRefusedByName) {
  std::string newer = files[0], magic = files[0].substr(0, 9);
  newer[8] = 3;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is no database of sequences: make it with `alnsmith makedb`"},
      {">a\nACGT\n", "is no database"},
      {"\x89"
       "ALNPK\r\n" +
           std::string(200, 'x'),
       "is no database"},
      {magic, "ends in its header"},
      {newer, "format version 3, this program reads version 2"},
      {files[0].substr(0, files[0].size() - 1), "should have " + std::to_string(files[0].size())},
      {files[0].substr(0, kHeaderBytes), "has 128 bytes"}};
  for (const auto &[bytes, what] : cases) {
    folder.write("x.alndb", bytes);
    const auto database = Database::open(path);
    ASSERT_FALSE(database) << what;
    expect_line(database.error());
    EXPECT_NE(database.error().message.find(what), std::string::npos) << database.error().message;
    EXPECT_EQ(Database::recognised(path), bytes.size() >= 8 && bytes.starts_with(files[0].substr(0, 8)));
  }
  EXPECT_FALSE(Database::open(folder.path()));
  EXPECT_FALSE(Database::open(folder.path("none")));
  EXPECT_FALSE(Database::recognised(folder.path("none")));
  EXPECT_FALSE(Database::recognised(folder.path()));
}

// 1,000 files, seeded.
TEST_F(Damage, MutatedFilesAreRefusedOrHoldTheSame) {
  std::mt19937_64 engine(51);
  const auto below = [&](std::size_t n) { return engine() % n; };
  int same = 0;
  for (int turn = 0; turn < 600; ++turn) {
    std::string b = files[0];
    switch (below(6)) {
      case 0:
        for (std::size_t flips = 1 + below(4); flips > 0; --flips)
          b[below(b.size())] ^= static_cast<char>(1 << below(8));
        break;
      case 1:
        b.resize(below(b.size()));
        break;
      case 2:
        b += std::string(1 + below(5000), static_cast<char>(engine()));
        break;
      case 3: {  // the begin of one file, the end of another
        const std::size_t at = below(b.size());
        b = b.substr(0, at) + files[1].substr(std::min(files[1].size(), at));
        break;
      }
      case 4: {  // a piece from elsewhere, of this file or another
        const std::size_t n = 1 + below(5000), from = below(files[0].size() - n), to = below(b.size() - n);
        b.replace(to, n, files[below(2)], from, n);
        break;
      }
      default: {
        const std::size_t n = 1 + below(300);
        b.erase(below(b.size() - n), n);
      }
    }
    if (const auto got = use(b)) {
      EXPECT_TRUE(*got == entries[0]) << turn;
      ++same;
    }
  }
  counts::add("mutated databases", 600);
  EXPECT_GT(same, 50);
  EXPECT_LT(same, 400);
}

TEST_F(Damage, FilesThatAreSealedAfterAChangeAreRefusedOrReadWithinBounds) {
  std::mt19937_64 engine(52);
  const auto below = [&](std::size_t n) { return engine() % n; };
  const auto extreme = [&](std::uint64_t near) {
    const std::uint64_t all[] = {0,
                                 1,
                                 near - 1,
                                 near + 1,
                                 near * 2,
                                 near + 4096,
                                 ~std::uint64_t{0},
                                 std::uint64_t{1} << 63,
                                 std::uint64_t{1} << 32,
                                 engine(),
                                 near ^ (std::uint64_t{1} << below(64))};
    return all[below(std::size(all))];
  };
  int readable = 0;
  for (int turn = 0; turn < 400; ++turn) {
    Head h = head;
    std::string b = files[0];
    BlockEntry &block = h.directory.blocks[below(h.directory.blocks.size())];
    BlockPart &part = block.parts[below(kParts)];
    DatabaseInfo &info = h.directory.info;
    if (const std::size_t what = below(5); what == 0) {
      std::uint64_t *numbers[] = {&block.extent.first,   &block.extent.count, &block.extent.letters,
                                  &block.extent.longest, &part.offset,        &part.size};
      std::uint64_t &number = *numbers[below(std::size(numbers))];
      number = extreme(number);
    } else if (what == 1) {
      std::uint64_t *numbers[] = {&info.sequences, &info.letters, &info.longest_sequence, &info.longest_name,
                                  &info.letter_counts[below(256)]};
      std::uint64_t &number = *numbers[below(std::size(numbers))];
      number = extreme(number);
    } else if (what == 2) {
      std::uint64_t *numbers[] = {&h.header.bytes, &h.header.directory_offset, &h.header.directory_size};
      std::uint64_t &number = *numbers[below(std::size(numbers))];
      number = extreme(number);
    } else {
      for (std::size_t times = 1 + below(3); times > 0; --times) {
        const std::size_t at = part.offset + below(what == 3 ? part.size : std::min<std::size_t>(part.size, 64));
        b[at] =
            below(2) == 0 ? static_cast<char>(engine()) : static_cast<char>(extreme(static_cast<unsigned char>(b[at])));
      }
    }
    if (const auto got = use(sealed(h.header, h.directory, b))) {
      ++readable;
      for (const Entry &e : *got) {
        EXPECT_EQ(first_unprintable(e.name, false), std::string::npos);
        EXPECT_EQ(first_unprintable(e.letters, false), std::string::npos);
        EXPECT_EQ(first_unprintable(e.description, true), std::string::npos);
      }
    }
  }
  counts::add("mutated databases", 400);
  EXPECT_GT(readable, 20);
  EXPECT_LT(readable, 380);
}

}  // namespace
}  // namespace alnsmith::search::testing
