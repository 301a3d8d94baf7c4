// Databases give back what they were made of, in blocks of any size, with true totals; writers leave all or nothing.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>

#include "alnsmith/content_hash.hpp"
#include "databases.h"
#include "scratch.h"

namespace alnsmith::search::testing {
namespace {

using scratch::Folder;

void expect_info(const DatabaseInfo &info, const Entries &entries) {
  DatabaseInfo want;
  ContentHash hash;
  for (const Entry &e : entries) {
    hash.add(e.name, e.letters);
    ++want.sequences;
    want.letters += e.letters.size();
    want.longest_sequence = std::max<std::uint64_t>(want.longest_sequence, e.letters.size());
    want.longest_name = std::max<std::uint64_t>(want.longest_name, e.name.size());
    for (const char c : e.letters) ++want.letter_counts[static_cast<unsigned char>(c)];
  }
  EXPECT_EQ(info.sequences, want.sequences);
  EXPECT_EQ(info.letters, want.letters);
  EXPECT_EQ(info.longest_sequence, want.longest_sequence);
  EXPECT_EQ(info.longest_name, want.longest_name);
  EXPECT_EQ(info.letter_counts, want.letter_counts);
  EXPECT_EQ(info.content, hash.hex());
}

TEST(Database, GivesBackWhatItWasMadeOfInBlocksOfAnySize) {
  const Folder folder;
  const std::string path = folder.path("x.alndb");
  std::set<std::string> contents;
  for (const std::size_t count : {1, 2, 7, 300})
    for (const std::size_t block : {1, 64, 1000, 1 << 26}) {
      const Entries entries = random_entries(static_cast<unsigned>(count), count, 200);
      const auto written = write(path, entries, block);
      ASSERT_TRUE(written) << written.error().message;
      const auto database = Database::open(path);
      ASSERT_TRUE(database) << database.error().message;
      expect_info(database->info(), entries);
      expect_info(*written, entries);
      EXPECT_EQ(database->info().bytes, std::filesystem::file_size(path));
      contents.insert(database->info().content);
      const auto got = read(*database);
      ASSERT_TRUE(got) << got.error().message;
      EXPECT_EQ(*got, entries);
      const auto sound = database->verify();
      EXPECT_TRUE(sound) << sound.error().message;
      if (block == 1) {
        EXPECT_EQ(database->blocks(), count);
      }
      if (block == 1 << 26) {
        EXPECT_EQ(database->blocks(), 1U);
      }
    }
  EXPECT_EQ(contents.size(), 4U);  // of the sequences, not of the blocks
}

// So that who takes targets by length reads memory on and on.
TEST(Database, LettersOfABlockLieByLength) {
  const Folder folder;
  const std::string path = folder.path("x.alndb");
  ASSERT_TRUE(write(path, random_entries(5, 300, 200), 1 << 26));
  const auto database = Database::open(path);
  ASSERT_TRUE(database) << database.error().message;
  const auto block = database->block(0);
  ASSERT_TRUE(block) << block.error().message;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // length and number
  for (std::uint64_t i = 0; i < block->count(); ++i) order.emplace_back(block->length(i), i);
  std::ranges::sort(order);
  const char *at = block->letters(order.front().second).data();
  for (const auto &[length, i] : order) {
    EXPECT_EQ(block->letters(i).data(), at) << i;
    at += length;
  }
}

TEST(Database, GivesSequencesByNumber) {
  const Folder folder;
  const Entries entries = random_entries(3, 200, 90);
  ASSERT_TRUE(write(folder.path("x"), entries, 500));
  const auto database = Database::open(folder.path("x"));
  ASSERT_TRUE(database);
  std::uint64_t number = 0;
  for (const Entry &e : entries) {
    const Place place = database->find(number);
    EXPECT_EQ(database->extent(place.block).first + place.index, number);
    EXPECT_LT(place.index, database->extent(place.block).count);
    const auto got = database->sequence(number++);
    ASSERT_TRUE(got);
    EXPECT_EQ((Entry{std::string(got->name), std::string(got->letters), std::string(got->description)}), e);
  }
}

TEST(Database, ViewsOutliveReleaseAndTheFileMayBeReplaced) {
  const Folder folder;
  const Entries entries = random_entries(4, 50, 90000);
  ASSERT_TRUE(write(folder.path("x"), entries, 1 << 20));
  const auto database = Database::open(folder.path("x"));
  ASSERT_TRUE(database);
  const auto first = database->sequence(0);
  ASSERT_TRUE(first);
  ASSERT_TRUE(write(folder.path("x"), random_entries(5, 3, 10)));
  for (std::uint64_t b = 0; b < database->blocks(); ++b) database->release(b);
  EXPECT_EQ(first->letters, entries[0].letters);
  EXPECT_EQ(first->name, entries[0].name);
  const auto all = read(*database);
  ASSERT_TRUE(all);
  EXPECT_EQ(*all, entries);
}

TEST(Database, ThreadsReadAtOnce) {
  const Folder folder;
  const Entries entries = random_entries(9, 400, 300);
  ASSERT_TRUE(write(folder.path("x"), entries, 2000));
  std::fstream file(folder.path("x"), std::ios::in | std::ios::out | std::ios::binary);
  std::uint64_t torn = 0;
  {
    const auto database = Database::open(folder.path("x"));
    ASSERT_TRUE(database);
    torn = database->extent(3).first;
    file.seekp(database->block(3)->letters(0).data() - database->block(0)->letters(0).data() + 4096);
    file.put('J').flush();
  }
  const auto database = Database::open(folder.path("x"));
  ASSERT_TRUE(database);
  std::atomic<int> wrong{0}, refused{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < entries.size(); ++i) {
        const std::uint64_t number = t % 2 == 0 ? i : entries.size() - 1 - i;
        const auto got = database->sequence(number);
        if (!got)
          refused += number >= torn && number < torn + database->extent(3).count ? 1 : 1000000;
        else if (got->letters != entries[number].letters || got->name != entries[number].name)
          ++wrong;
        if (i % 50 == 0 && database->shard(t + 1, 4) && i % 100 == 0) database->release(i % database->blocks());
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(refused, 4 * static_cast<int>(database->extent(3).count));
}

TEST(Database, TheSameSequencesAreTheSameBytes) {
  const Folder folder;
  const Entries entries = random_entries(6, 100, 300);
  for (const char *name : {"a", "b"}) ASSERT_TRUE(write(folder.path(name), entries));
  const auto bytes = [&](const char *name) {
    std::ifstream in(folder.path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes("a"), bytes("b"));
}

TEST(ContentHash, IsTheChainThatThePageDescribes) {
  ContentHash hash;
  EXPECT_EQ(hash.hex(), std::string(64, '0'));
  hash.add("a", "ACGT");
  // python3: sha256(bytes(32) + (1).to_bytes(8, 'little') + b'a' + (4).to_bytes(8, 'little') + b'ACGT').hexdigest()
  EXPECT_EQ(hash.hex(), "293f55c87c1ee9459ff2445a8fdb89d4a5be6094902eef26c92b6f77e54fa35d");
  ContentHash other(hash.state());
  for (ContentHash *h : {&hash, &other}) h->add("b", "");
  EXPECT_EQ(hash.hex(), other.hex());
  EXPECT_NE(hash.hex(), "293f55c87c1ee9459ff2445a8fdb89d4a5be6094902eef26c92b6f77e54fa35d");
}

TEST(DatabaseWriter, RefusesWhatIsNoSequence) {
  const Folder folder;
  const std::string long_text((std::size_t{1} << 20) + 1, 'x');
  const std::vector<std::pair<Entry, std::string>> cases = {
      {{"a", "", ""}, "has no sequence"},
      {{"a", "AC GT", ""}, "byte 0x20 at position 3 is no letter"},
      {{"a", std::string("AC\0", 3), ""}, "byte 0x00 at position 3 is no letter"},
      {{"a", "AC\x7f", ""}, "byte 0x7f at position 3 is no letter"},
      {{"", "AC", ""}, "has no name"},
      {{"a b", "AC", ""}, "byte 0x20 at position 2 of its name"},
      {{"a", "AC", "x\x1b[0m"}, "byte 0x1b at position 2 of its description"},
      {{long_text, "AC", ""}, "more than 1048576 bytes"},
      {{"a", "AC", long_text}, "more than 1048576 bytes"}};
  for (const auto &[entry, what] : cases) {
    const auto done = write(folder.path("x"), {{"ok", "ACGT", ""}, entry});
    ASSERT_FALSE(done) << what;
    EXPECT_NE(done.error().message.find(what), std::string::npos) << done.error().message;
    EXPECT_TRUE(folder.entries().empty());
  }
  const auto nothing = write(folder.path("x"), {});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find("no sequence"), std::string::npos);
  for (const std::size_t block : {std::size_t{0}, kMaxBlockLetters + 1}) {
    const auto done = write(folder.path("x"), {{"ok", "ACGT", ""}}, block);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().exit_code, 2);
  }
  EXPECT_TRUE(folder.entries().empty());
}

TEST(DatabaseWriter, LeavesTheOldFileUntilItHasFinished) {
  const Folder folder;
  const Entries old = random_entries(7, 5, 50), fresh = random_entries(8, 50, 50);
  const std::string path = folder.path("x");
  ASSERT_TRUE(write(path, old));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(::symlink("x", folder.path("link").c_str()), 0);
  {
    auto writer = DatabaseWriter::create(folder.path("link"), {100});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(add_all(*writer, fresh));
    EXPECT_EQ(std::filesystem::path(writer->temporary()).parent_path().string(), folder.path());
    EXPECT_TRUE(std::filesystem::exists(writer->temporary()));
    EXPECT_EQ(*read(path), old);
  }
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"link", "x"}));
  EXPECT_EQ(*read(path), old);
  ASSERT_TRUE(write(folder.path("link"), fresh));
  EXPECT_EQ(*read(path), fresh);
  struct stat info{};
  ASSERT_EQ(::lstat(folder.path("link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640U);
}

TEST(DatabaseWriter, RefusesPlacesThatAreNoFiles) {
  const Folder folder;
  folder.write("file", "x");
  for (const std::string &path :
       {folder.path(), folder.path("none/x"), folder.path("file/x"), std::string("/dev/null")}) {
    const auto writer = DatabaseWriter::create(path);
    ASSERT_FALSE(writer) << path;
    EXPECT_NE(writer.error().message.find("cannot be written"), std::string::npos);
    EXPECT_EQ(writer.error().exit_code, 1);
  }
}

}  // namespace
}  // namespace alnsmith::search::testing
