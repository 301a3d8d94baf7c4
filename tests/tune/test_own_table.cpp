// The user's own folder of tables: what `apply` and `--calibrate` say that runs read, runs may read, and no row is
// lost.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "alnsmith/alnsmith.hpp"
#include "program.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using testing::alnsmith;
using testing::Finished;

constexpr const char *promise = "read it from now on";

class OwnTable : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("ALNSMITH_TUNED", folder.path("a/b/tuned").c_str(), 1); }
  void TearDown() override { ::unsetenv("ALNSMITH_TUNED"); }

  static std::string recording() { return testing::data_file("tuning/dna-global-affine-x86-64-v4.jsonl"); }
  std::string table() const { return folder.path("a/b/tuned/x86-64-v4.json"); }
  // With a umask that lets everybody write.
  static Finished open_to_all(const std::vector<std::string> &words) {
    std::vector<std::string> all = {"/bin/sh", "-c", "umask 0; exec \"$@\"", "sh", testing::program()};
    all.insert(all.end(), words.begin(), words.end());
    return testing::run(all);
  }
  void expect_for_the_user_alone() const {
    for (const char *part : {"a", "a/b", "a/b/tuned"}) {
      struct stat info{};
      ASSERT_EQ(::stat(folder.path(part).c_str(), &info), 0) << part;
      EXPECT_EQ(info.st_mode & 022, 0U) << part;
    }
  }
  // `words` with a folder above that others may write to.
  void expect_no_promise(const std::vector<std::string> &words) const {
    ASSERT_EQ(::chmod(folder.path("a").c_str(), 0777), 0);
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, 1) << got.out;
    EXPECT_TRUE(testing::one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find(folder.path("a") + ": not loaded: others may write to it"), std::string::npos) << got.err;
    EXPECT_EQ(got.out.find(promise), std::string::npos) << got.out;
  }
  testing::Folder folder;
};

TEST_F(OwnTable, WhatApplySaysIsReadMayBeRead) {
  const Finished got = open_to_all({"tune", "apply", recording()});
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_NE(got.out.find(promise), std::string::npos) << got.out;
  expect_for_the_user_alone();
  fs::remove(table());
  expect_no_promise({"tune", "apply", recording()});
}

TEST_F(OwnTable, WhatIsCalibratedMayBeRead) {
  const auto widest = best_isa();
  if (!widest || !parse_isa("x86-64-v3") || *widest < *parse_isa("x86-64-v3")) GTEST_SKIP() << "it wants AVX2";
  const Finished got = open_to_all({"tune", "--calibrate"});
  ASSERT_EQ(got.status, 0) << got.err;
  expect_for_the_user_alone();
  expect_no_promise({"tune", "--calibrate"});
}

// Written again in the user's name, rows of others would be read.
TEST_F(OwnTable, RowsOfOthersAreNotTakenOver) {
  ASSERT_EQ(alnsmith({"tune", "apply", recording()}).status, 0);
  ASSERT_EQ(::chmod(table().c_str(), 0666), 0);
  const std::string before = testing::read_file(table());
  const Finished got = alnsmith({"tune", "apply", recording()});
  EXPECT_EQ(got.status, 1) << got.out;
  EXPECT_NE(got.err.find(table() + ": not loaded: others may write to it"), std::string::npos) << got.err;
  EXPECT_EQ(testing::read_file(table()), before);
  struct stat info{};
  ASSERT_EQ(::stat(table().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0666U);
}

// As if another `apply` were between reading and writing.
TEST_F(OwnTable, TwoAtOnceKeepEachOthersRows) {
  ASSERT_EQ(alnsmith({"tune", "apply", recording()}).status, 0);
  auto json = nlohmann::json::parse(testing::read_file(table()));
  fs::remove(table());
  const int lock = ::open(folder.path("a/b/tuned").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(lock, 0);
  if (::flock(lock, LOCK_EX) != 0) GTEST_SKIP() << "this file system has no locks";
  testing::Process other({testing::program(), "tune", "apply", recording()}, "", "");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_FALSE(fs::exists(table())) << "it did not wait";
  json["rows"] = {{{"name", "another"}, {"spec", std::string(64, 'b')}, {"choice", {{"k", 4}}}}};
  folder.write("a/b/tuned/x86-64-v4.json", json.dump());
  ::close(lock);
  const Finished got = other.finish();
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(nlohmann::json::parse(testing::read_file(table())), json);
}

}  // namespace
}  // namespace alnsmith::tool::tune
