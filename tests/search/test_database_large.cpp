// Sizes beyond 32 bits: a sparse file of more than 2^32 sequences and letters, appended to; and how long opening takes.
// ALNSMITH_FULL=1: a sequence of more than 2^32 letters, which takes 9 GB of memory and 4 of the disk.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "base/bytes.h"
#include "base/files.h"
#include "database/format.h"
#include "databases.h"
#include "full_run.h"
#include "scratch.h"

namespace alnsmith::search::testing {
namespace {

using scratch::Folder;

// `blocks` blocks that are holes, of `count` sequences each, and a directory that fits: sound as long as no hole is
// read.
std::string sparse(const Folder &folder, std::uint64_t blocks, std::uint64_t count, std::uint64_t letters) {
  Directory directory;
  DatabaseInfo &info = directory.info;
  std::uint64_t end = kHeaderBytes;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    BlockEntry entry;
    entry.extent = {b * count, count, letters, letters - count + 1};
    const std::uint64_t sizes[kParts] = {letters, 8 * (2 * count + 1), 5 * count + 4, 4 * (count + 1)};
    for (int i = 0; i < kParts; ++i) {
      const auto part = static_cast<std::size_t>(i);
      entry.parts[part] = {part_offset(i, end), sizes[part], std::string(16, 'x')};
      end = entry.parts[part].offset + sizes[part];
    }
    directory.blocks.push_back(entry);
  }
  info.blocks = blocks;
  info.sequences = blocks * count;
  info.letters = info.letter_counts['A'] = blocks * letters;
  info.longest_sequence = letters - count + 1;
  info.longest_name = 1;
  info.content = std::string(64, '7');
  const std::string listed = directory_bytes(directory);
  const std::uint64_t at = aligned(end, kPartAlign);
  const std::string header =
      header_bytes({at + listed.size(), at, listed.size(), rt::from_hex(rt::sha256_hex(listed))});
  const std::string path = folder.path("sparse.alndb");
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written =
      ::pwrite(fd, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size()) &&
      ::pwrite(fd, listed.data(), listed.size(), static_cast<off_t>(at)) == static_cast<ssize_t>(listed.size());
  ::close(fd);
  return written ? path : "";
}

TEST(LargeDatabase, SequencesAndLettersBeyond32Bits) {
  const Folder folder;
  const std::uint64_t count = 5'000'000'000, letters = 6'000'000'000;
  const std::string path = sparse(folder, 1, count, letters);
  if (path.empty()) GTEST_SKIP() << "this file system takes no sparse file of 100 GB";
  const Entries entries = random_entries(21, 80, 300);
  const auto info = append(path, entries);
  ASSERT_TRUE(info) << info.error().message;
  const auto database = Database::open(path);
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(database->info().sequences, count + entries.size());
  EXPECT_EQ(database->info().letters, info->letters);
  EXPECT_GT(database->info().letters, letters);
  EXPECT_EQ(database->find(count - 1).index, count - 1);
  for (std::uint64_t i = 0; i < entries.size(); ++i) {
    const auto got = database->sequence(count + i);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->letters, entries[i].letters);
    EXPECT_EQ(got->name, entries[i].name);
  }
}

TEST(LargeDatabase, ShardsOfIt) {
  const Folder folder;
  const std::uint64_t count = 5'000'000'000, letters = 6'000'000'000;
  const std::string path = sparse(folder, 1, count, letters);
  if (path.empty()) GTEST_SKIP() << "this file system takes no sparse file of 100 GB";
  const Entries entries = random_entries(22, 80, 300);
  ASSERT_TRUE(append(path, entries));
  const auto database = Database::open(path);
  ASSERT_TRUE(database);
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t total = database->info().letters;
  for (const std::uint64_t parts : {std::uint64_t{2'000'000}, std::uint64_t{1'000'000'000'000}}) {
    // Parts that begin behind the hole, in front of and behind the begin of each sequence.
    std::uint64_t before = letters;
    for (std::uint64_t i = 0; i < entries.size(); before += entries[i++].letters.size())
      for (const std::uint64_t step : {0, 1}) {
        const auto part = static_cast<std::uint64_t>(Wide{before} * parts / total) + step;
        if (Wide{total} * part / parts <= letters || part >= parts) continue;
        std::uint64_t want = count, at = letters;
        for (std::uint64_t k = 0; k < entries.size() && at < Wide{total} * part / parts; ++k, ++want)
          at += entries[k].letters.size();
        const auto range = database->shard(part + 1, parts);
        ASSERT_TRUE(range);
        EXPECT_EQ(range->begin, want);
      }
    const auto last = database->shard(parts, parts);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->end, count + entries.size());
  }
}

TEST(LargeDatabase, OpeningReadsNoBlock) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer leaves no room for a map of a terabyte";
#endif
  const Folder folder;
  const std::uint64_t blocks = 16'000;  // some terabyte of letters
  const std::string path = sparse(folder, blocks, 180'000, std::uint64_t{64} << 20);
  if (path.empty()) GTEST_SKIP() << "this file system takes no sparse file of a terabyte";
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto database = Database::open(path);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    ASSERT_TRUE(database) << database.error().message;
    EXPECT_EQ(database->find(database->info().sequences - 1).block, blocks - 1);
  }
  std::ranges::sort(times);
  std::cout << "opening a database of a terabyte: " << times[4] * 1e3 << " ms\n";
}

TEST(LargeDatabase, ASequenceBeyond32Bits) {
  if (!sample::full()) GTEST_SKIP() << "9 GB of memory are for ALNSMITH_FULL=1";
  const Folder folder;
  const std::uint64_t size = (std::uint64_t{1} << 32) + 77;
  {
    std::string letters(size, 'A');
    letters.back() = 'C';
    auto writer = DatabaseWriter::create(folder.path("x"));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add("before", "GATTACA"));
    ASSERT_TRUE(writer->add("long", letters));
    ASSERT_TRUE(writer->add("behind", "TTT"));
    letters = {};
    ASSERT_TRUE(writer->finish());
  }
  const auto database = Database::open(folder.path("x"));
  ASSERT_TRUE(database);
  EXPECT_EQ(database->info().longest_sequence, size);
  const auto whole = database->sequence(1);
  ASSERT_TRUE(whole) << whole.error().message;
  ASSERT_EQ(whole->letters.size(), size);
  EXPECT_EQ(whole->letters.find_first_not_of('A'), size - 1);
  EXPECT_EQ(database->sequence(2)->letters, "TTT");
  EXPECT_TRUE(database->verify());
}

}  // namespace
}  // namespace alnsmith::search::testing
