// The cache of kernels that were generated at run time: what is found in it, by whom, and what becomes of damage, races
// and folders that cannot be written.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "alnsmith/alnsmith.h"
#include "alnsmith/alnsmith.hpp"
#include "base/cache.h"
#include "jit_fixture.h"
#include "kernels/manifest.h"
#include "sources/cache_index.h"

namespace {

using namespace alnsmith;
namespace fs = std::filesystem;
using jit::Jit;
using jit::kHash;

TEST_F(Jit, DamagedFilesAreRebuiltNotLoaded) {
  ASSERT_EQ(run(), "");
  for (const std::string prefix : {"kernel-", "text-", "plan-", "cxx-"})
    for (int way = 0; way < 3; ++way) {
      ASSERT_EQ(cached(prefix).size(), 1u) << prefix;
      const std::string file = cached(prefix)[0].string();
      const auto size = fs::file_size(file);
      if (way == 0) fs::resize_file(file, size / 2);
      if (way == 1) fs::resize_file(file, 0);
      if (way == 2) {
        std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
        out.seekp(static_cast<std::streamoff>(size / 3));
        out.put('\x7f');
      }
      EXPECT_EQ(run(), "") << prefix << way;
      EXPECT_EQ(fs::file_size(cached(prefix)[0]), size);
    }
}

TEST_F(Jit, TwoProcessesRaceWithoutHarm) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::string failed = "none";
      for (int turn = 0; turn < 3 && failed == "none"; ++turn) {
        if (const auto said = run(); !said.empty()) failed = said;
        // Racing also means that another one finds files of which the last bytes are yet to come.
        if (i == 0)
          for (const auto &file : cached("kernel-")) fs::remove(file);
      }
      if (failed != "none") ::write(2, failed.c_str(), failed.size()) < 0 ? ::_exit(2) : ::_exit(1);
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int state = 0;
    ::waitpid(child, &state, 0);
    EXPECT_EQ(state, 0);
  }
  EXPECT_TRUE(cached(".tmp-").empty());
  EXPECT_EQ(run(), "");
}

TEST_F(Jit, WorksWithoutAWritableCache) {
  std::ofstream(root_ + "/file") << "x";
  sources_.cache_dir = root_ + "/file/cache";  // cannot be made, not even by root
  EXPECT_EQ(run(), "");
  sources_.cache_dir = root_ + "/open";
  fs::create_directory(sources_.cache_dir);
  fs::permissions(sources_.cache_dir, fs::perms::all);
  EXPECT_EQ(run(), "");
  EXPECT_TRUE(fs::is_empty(sources_.cache_dir));  // others may write there: not used
}

// A compute node: neither compiler, generator nor spec file, but the cache of the login node.
TEST_F(Jit, KernelsOfEarlierRunsAreFoundByHashAndTarget) {
  ASSERT_EQ(run(), "");
  const int before = starts();
  sources_.generator = "";
  spec_.path = "";
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  EXPECT_EQ(align(*a), "");
  EXPECT_EQ(starts(), before);
  EXPECT_NE(joined(a->provenance()).find("fake_pairs_i8: from the cache, "), std::string::npos);
  // One of six was ever needed; that is said.
  EXPECT_NE(joined(a->warnings()).find("the cache holds 1 of 6 kernels for scalar"), std::string::npos);
  // In C, with no source named at all: the cache of the environment.
  ::setenv("ALNSMITH_CACHE", sources_.cache_dir.c_str(), 1);
  alnsmith_options options = alnsmith_options_default();
  options.isa = "scalar";
  alnsmith_aligner *opened = nullptr;
  EXPECT_EQ(alnsmith_open(nullptr, "fake", kHash.c_str(), nullptr, &options, &opened), 0) << alnsmith_last_error();
  alnsmith_close(opened);
  ::unsetenv("ALNSMITH_CACHE");
  // A generator without a compiler is no better off.
  sources_.generator = std::string(FAKE_DIR) + "/fake_generator";
  spec_.path = root_ + "/spec.yaml";
  sources_.compiler = "no-such-compiler";
  EXPECT_EQ(run(), "");
  sources_.only_kernel_dirs = true;
  EXPECT_NE(run().find("no kernels for the spec 'fake'"), std::string::npos);
  sources_.only_kernel_dirs = false;
  spec_.hash[0] = '1';
  EXPECT_NE(run().find("none of it in the cache"), std::string::npos);
  spec_.hash = "", sources_.generator = "";
  EXPECT_NE(run().find("set SpecRef::hash"), std::string::npos);
}

// One home, login nodes of two CPUs or generators: the one that makes less takes nothing from the other.
TEST_F(Jit, APlanMoreTakesNoKernelsFromThoseThatUseAnother) {
  const auto plan = [&](const Aligner &a) {
    std::size_t kernels = 0;
    for (const std::string &line : a.provenance()) kernels += line.find(": from the cache, ") != std::string::npos;
    return kernels;
  };
  const rt::Cache cache(sources_.cache_dir);
  const auto note_all = [&] {  // what a run that needed all six would have noted
    ASSERT_EQ(run(), "");
    const auto lines = cache.load(cached("spec-")[0].filename().string());
    ASSERT_TRUE(lines);
    const std::string id = lines->substr(lines->rfind('\n') + 1);
    const std::string kernel = cached("kernel-")[0].filename().string();
    const auto text = cache.load("plan-" + id);
    ASSERT_TRUE(text);
    const auto planned = rt::kernels::parse_manifest(*text);
    for (const rt::kernels::KernelInfo &info : planned->kernels)
      rt::sources::CacheIndex(kHash, "scalar").note(cache, id, info.entry, kernel);
  };
  note_all();
  const std::string generator = sources_.generator, path = spec_.path;
  const auto compute = [&] {
    sources_.generator = "", spec_.path = "";
    const auto a = open();
    EXPECT_TRUE(a) << a.error().message;
    const std::string warnings = a ? joined(a->warnings()) : "";
    const std::size_t kernels = a ? plan(*a) : 0;
    sources_.generator = generator, spec_.path = path;
    return std::to_string(kernels) + warnings;
  };
  ASSERT_EQ(compute(), "6");
  write("name: fake, of an upgraded generator\n");
  ASSERT_EQ(run(), "");
  EXPECT_EQ(cached("plan-").size(), 2u);
  EXPECT_EQ(compute(), "6");
  // However many there are, the list ends, and the latest is in it.
  for (int i = 0; i < 40; ++i)
    rt::sources::CacheIndex(kHash, "scalar").note(cache, "plan" + std::to_string(i), "x", "kernel-x");
  EXPECT_LT(fs::file_size(cached("spec-")[0]), 4096u);
  ASSERT_EQ(run(), "");
  EXPECT_EQ(compute().substr(0, 1), "1");
}

// Kernels of a choice or of templates by hand are nobody else's.
TEST_F(Jit, KernelsByHandAreNotFoundLater) {
  sources_.choice = "k=8";
  ASSERT_EQ(run(), "");
  sources_.choice = "";
  sources_.generator = "";
  EXPECT_NE(run().find("none of it in the cache"), std::string::npos);
}

// A home that is mounted to be read only.
TEST_F(Jit, ACacheThatCannotBeWrittenIsRead) {
  ASSERT_EQ(run(), "");
  fs::permissions(sources_.cache_dir, fs::perms::owner_read | fs::perms::owner_exec);
  const auto check = [&] {
    const int before = starts();
    EXPECT_EQ(run(), "");
    EXPECT_EQ(starts(), before);
    EXPECT_TRUE(cached(".tmp-").empty());
  };
  if (::geteuid() != 0) return check();
  // Root may write anywhere: a child of another user, who owns all of it.
  const uid_t user = 4104;
  for (const auto &entry : fs::recursive_directory_iterator(root_))
    ASSERT_EQ(::lchown(entry.path().c_str(), user, user), 0);
  ASSERT_EQ(::lchown(root_.c_str(), user, user), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(user) != 0 || ::setuid(user) != 0) ::_exit(3);
    check();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  fs::permissions(sources_.cache_dir, fs::perms::owner_all);
}

TEST_F(Jit, StaleTemporariesAreSweptOnceAnHour) {
  ASSERT_EQ(run(), "");
  const auto hours_ago = [](int hours) { return fs::file_time_type::clock::now() - std::chrono::hours(hours); };
  const std::string old = sources_.cache_dir + "/.tmp-1-1", fresh = sources_.cache_dir + "/.tmp-1-2";
  std::ofstream(old) << "x";
  std::ofstream(fresh) << "x";
  fs::last_write_time(old, hours_ago(2));
  ASSERT_EQ(run(), "");
  EXPECT_TRUE(fs::exists(old));
  fs::last_write_time(sources_.cache_dir + "/.swept", hours_ago(2));
  ASSERT_EQ(run(), "");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

}  // namespace
