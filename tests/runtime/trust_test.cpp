// Whose files are loaded: of the cache, of folders, of programs and libraries; what others may write is not.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/build.hpp"
#include "base/cache.h"
#include "base/files.h"
#include "base/library.h"
#include "jit_fixture.h"

namespace {

using namespace alnsmith;
namespace fs = std::filesystem;
using jit::Jit;

TEST_F(Jit, OfAnEarlierRunOnlySoundAndTrustedKernelsAreLoaded) {
  ASSERT_EQ(run(), "");
  sources_.generator = "";
  const std::string refused = "none of it in the cache (" + sources_.cache_dir;
  ::chmod(sources_.cache_dir.c_str(), 0777);
  const auto said = run();
  EXPECT_NE(said.find(refused), std::string::npos) << said;
  EXPECT_NE(said.find("others may write to it"), std::string::npos) << said;
  ::chmod(sources_.cache_dir.c_str(), 0700);
  for (const std::string prefix : {"kernel-", "built-", "plan-", "spec-"}) {
    const fs::path whole = cached(prefix)[0], kept = root_ + "/kept";
    ::chmod(whole.c_str(), 0666);
    const auto why = run();
    EXPECT_NE(why.find(refused), std::string::npos) << why;
    EXPECT_NE(why.find(whole.string() + ": not loaded: others may write to it"), std::string::npos) << why;
    ::chmod(whole.c_str(), 0600);
    EXPECT_EQ(run(), "") << prefix;
    fs::copy_file(whole, kept, fs::copy_options::overwrite_existing);
    fs::resize_file(whole, fs::file_size(whole) / 2);
    EXPECT_NE(run().find(refused), std::string::npos) << prefix;
    fs::copy_file(kept, whole, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(run(), "");
  // Looking makes no folder.
  sources_.cache_dir = root_ + "/none";
  EXPECT_NE(run().find("there is no cache folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(sources_.cache_dir));
}

// What only a generator or a driver reads back keeps the rule, too.
TEST_F(Jit, AFileOfTheCacheThatOthersCouldWriteIsMadeAnew) {
  const rt::Cache cache(sources_.cache_dir);
  for (const std::string name : {"device-x", "opencl-x", "source-x", "plan-x", "text-x", "cxx-x", "spilled-x"}) {
    const std::string file = sources_.cache_dir + "/" + name;
    ASSERT_TRUE(cache.store(name, "text"));
    EXPECT_TRUE(cache.load(name));
    for (const mode_t mode : {0602u, 0666u}) {
      ::chmod(file.c_str(), mode);
      EXPECT_FALSE(cache.load(name)) << name;
      EXPECT_NE(cache.where().find(file + ": not loaded: others may write to it"), std::string::npos) << cache.where();
    }
    ASSERT_TRUE(cache.store(name, "text"));
    EXPECT_TRUE(cache.load(name)) << name;
    if (::geteuid() == 0) {
      ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
      EXPECT_FALSE(cache.load(name)) << name;
    }
    ASSERT_TRUE(cache.store(name, "text"));
    fs::rename(file, root_ + "/elsewhere");
    fs::create_symlink(root_ + "/elsewhere", file);
    EXPECT_FALSE(cache.load(name)) << name;
  }
}

TEST_F(Jit, FilesThatOthersMayWriteAreNotLoaded) {
  const std::string file = root_ + "/k.so";
  fs::copy(std::string(FAKE_DIR) + "/fake_global.so", file);
  EXPECT_TRUE(Aligner::open_file(file));
  ::chmod(file.c_str(), 0666);
  auto refused = Aligner::open_file(file);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("others may write"), std::string::npos);
  ::chmod(file.c_str(), 0644);
  ::chmod(root_.c_str(), 0777);
  EXPECT_FALSE(Aligner::open_file(file));
  ::chmod(root_.c_str(), 01777);  // sticky
  EXPECT_TRUE(Aligner::open_file(file));
  ::chmod(root_.c_str(), 0700);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
    refused = Aligner::open_file(file);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("another user"), std::string::npos);
  }
  EXPECT_FALSE(Aligner::open_file(root_ + "/none.so"));
  EXPECT_FALSE(Aligner::open_file("/lib/x86_64-linux-gnu/libc.so.6"));
}

// argv[0] is the caller's word and names no owner of running code.
TEST_F(Jit, TheNameThatAProgramIsGivenIsNotTrusted) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  if (const char *file = std::getenv("ALNSMITH_TEST_NAMED_AS")) {
    EXPECT_FALSE(Aligner::open_file(file));
    return;
  }
  const std::string file = root_ + "/k.so";
  fs::copy(std::string(FAKE_DIR) + "/fake_global.so", file);
  ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("ALNSMITH_TEST_NAMED_AS", file.c_str(), 1);
    ::execl("/proc/self/exe", file.c_str(), "--gtest_filter=Jit.TheNameThatAProgramIsGivenIsNotTrusted", nullptr);
    ::_exit(3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// A sticky folder keeps out all but its owner.
TEST_F(Jit, AStickyFolderOfAnotherUserIsNoPlaceForCode) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const std::string file = root_ + "/k.so";
  fs::copy(std::string(FAKE_DIR) + "/fake_global.so", file);
  ::chmod(root_.c_str(), 01777);
  EXPECT_TRUE(Aligner::open_file(file));
  ASSERT_EQ(::chown(root_.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(Aligner::open_file(file));
  ASSERT_EQ(::chown(root_.c_str(), 0, 0), 0);
}

TEST_F(Jit, LibrariesByTheirPathKeepTheRuleOfKernels) {
  const std::string file = root_ + "/libx.so";
  fs::copy(std::string(FAKE_DIR) + "/fake_global.so", file);
  EXPECT_TRUE(rt::open_library(file));
  ::chmod(file.c_str(), 0666);
  const auto refused = rt::open_library(file);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("others may write"), std::string::npos);
  bool absent = false;
  EXPECT_FALSE(rt::open_library(root_ + "/none.so", &absent));
  EXPECT_TRUE(absent);
  EXPECT_TRUE(rt::open_library("libc.so.6"));  // the system's loader finds it
}

TEST_F(Jit, TrustedBytesHaveTheirHash) {
  const std::string file = root_ + "/part";
  std::ofstream(file) << "abc";
  const std::string hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(sha256_of("abc"), hash);
  ASSERT_TRUE(trusted_bytes(file, hash));
  EXPECT_EQ(*trusted_bytes(file, ""), "abc");
  EXPECT_FALSE(trusted_bytes(file, std::string(64, '0')));
  ::chmod(file.c_str(), 0646);
  EXPECT_FALSE(trusted_bytes(file, hash));
  ASSERT_EQ(::mkfifo((root_ + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(trusted_bytes(root_ + "/pipe", ""));  // and is not waited for
}

}  // namespace
