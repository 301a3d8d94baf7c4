// Appending: the sequences of both, and until the end the old database for everybody, whatever happens.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "database/format.h"
#include "databases.h"
#include "scratch.h"

namespace alnsmith::search::testing {
namespace {

using scratch::Folder;

class Append : public ::testing::Test {
 protected:
  void SetUp() override {
    path = folder.path("x.alndb");
    const auto made = write(path, old, 700);
    ASSERT_TRUE(made) << made.error().message;
    before = bytes_of(path);
    both = old;
    both.insert(both.end(), fresh.begin(), fresh.end());
  }
  static std::string bytes_of(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  void expect(const std::string &file, const Entries &entries) const {
    const auto database = Database::open(file);
    ASSERT_TRUE(database) << database.error().message;
    const auto sound = database->verify();
    EXPECT_TRUE(sound) << sound.error().message;
    const auto got = read(*database);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(*got == entries);
  }

  Folder folder;
  std::string path, before;
  const Entries old = random_entries(1, 40, 120), fresh = random_entries(2, 60, 240);
  Entries both;
};

TEST_F(Append, HoldsTheSequencesOfBoth) {
  const auto info = append(path, fresh, 900);
  ASSERT_TRUE(info) << info.error().message;
  expect(path, both);
  ASSERT_TRUE(write(folder.path("whole"), both, 900));
  const auto whole = Database::open(folder.path("whole"));
  ASSERT_TRUE(whole);
  EXPECT_EQ(info->content, whole->info().content);
  EXPECT_EQ(info->letter_counts, whole->info().letter_counts);
  EXPECT_EQ(info->longest_name, whole->info().longest_name);
  EXPECT_EQ(info->longest_sequence, whole->info().longest_sequence);
  EXPECT_EQ(info->bytes, std::filesystem::file_size(path));
  ASSERT_TRUE(append(path, old));
  both.insert(both.end(), old.begin(), old.end());
  expect(path, both);
}

TEST_F(Append, WhoHasItOpenGoesOnWithTheOldSequences) {
  const auto database = Database::open(path);
  ASSERT_TRUE(database);
  auto writer = DatabaseWriter::append(path, {500});
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->temporary(), "");
  ASSERT_TRUE(add_all(*writer, fresh));
  expect(path, old);  // opened while blocks are written
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(*read(*database), old);
  expect(path, both);
}

TEST_F(Append, AnAbandonedOneLeavesTheFileAsItWas) {
  {
    auto writer = DatabaseWriter::append(path, {500});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(add_all(*writer, fresh));
    EXPECT_GT(std::filesystem::file_size(path), before.size());
  }
  EXPECT_EQ(bytes_of(path), before);
  const auto nothing = append(path, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(bytes_of(path), before);
}

// What a machine that stops may leave: any part of what is written behind the old end, under the old header.
TEST_F(Append, WhatAStopLeavesBehindDoesNotCount) {
  ASSERT_TRUE(append(path, fresh, 900));
  const std::string after = bytes_of(path);
  const std::string head = before.substr(0, kHeaderBytes);
  for (std::size_t size = before.size(); size <= after.size(); size += 997) {
    const std::string file = folder.write("stopped", head + after.substr(kHeaderBytes, size - kHeaderBytes));
    expect(file, old);
    ASSERT_TRUE(append(file, fresh, 900));
    EXPECT_EQ(bytes_of(file), after);
  }
}

TEST_F(Append, AnotherAppendIsRefusedMeanwhile) {
  auto writer = DatabaseWriter::append(path);
  ASSERT_TRUE(writer);
  const auto second = DatabaseWriter::append(path);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another program is appending"), std::string::npos);
  ASSERT_TRUE(add_all(*writer, fresh));
  ASSERT_TRUE(writer->finish());
  EXPECT_TRUE(DatabaseWriter::append(path));
}

TEST_F(Append, RefusesWhatIsNoSoundDatabaseAndLeavesItAlone) {
  const std::string text = folder.write("text", ">a\nACGT\n");
  std::string torn = before;
  torn[torn.size() - 1] ^= 1;
  const std::string damaged = folder.write("damaged", torn), cut = folder.write("cut", before.substr(0, 500));
  for (const auto &[file, what] : {std::pair(text, "is no database"), std::pair(damaged, "damaged"),
                                   std::pair(cut, "should have"), std::pair(folder.path("none"), "No such file")}) {
    const std::string bytes = bytes_of(file);
    const auto writer = DatabaseWriter::append(file);
    ASSERT_FALSE(writer) << file;
    EXPECT_TRUE(writer.error().message.starts_with(file + ": "));
    EXPECT_NE(writer.error().message.find(what), std::string::npos) << writer.error().message;
    EXPECT_EQ(bytes_of(file), bytes);
  }
}

TEST_F(Append, AFullDiskLeavesTheFileAsItWas) {
  struct Limit {
    rlimit was{};
    Limit(std::size_t bytes) {
      std::signal(SIGXFSZ, SIG_IGN);
      ::getrlimit(RLIMIT_FSIZE, &was);
      const rlimit now{bytes, was.rlim_max};
      ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~Limit() { ::setrlimit(RLIMIT_FSIZE, &was); }
  };
  for (const std::size_t room : {1, 2000, 9000}) {
    const Limit limit(before.size() + room);
    auto writer = DatabaseWriter::append(path, {500});
    ASSERT_TRUE(writer);
    Status done = add_all(*writer, fresh);
    if (done) {
      const auto finished = writer->finish();
      ASSERT_FALSE(finished);
      done = finished.error();
    }
    EXPECT_TRUE(done.error().message.starts_with(path + ": cannot be written: "));
    EXPECT_TRUE(writer->failed());
    EXPECT_FALSE(writer->add("a", "ACGT"));
    EXPECT_FALSE(writer->finish());
    *writer = *DatabaseWriter::create(folder.path("other"));
    EXPECT_EQ(bytes_of(path), before);
  }
  expect(path, old);
}

}  // namespace
}  // namespace alnsmith::search::testing
