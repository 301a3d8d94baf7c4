// Generation at run time, the cache and the order of sources, with a stand-in for the generator.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "alnsmith/alnsmith.h"
#include "alnsmith/alnsmith.hpp"
#include "alnsmith/build.hpp"
#include "base/cache.h"
#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "jit_fixture.h"
#include "kernels/manifest.h"
#include "sources/cache_index.h"

namespace {

using namespace alnsmith;
namespace fs = std::filesystem;
using jit::Jit;
using jit::kHash;

TEST_F(Jit, ObtainsKernelsWhenNeededAndOnlyThose) {
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  EXPECT_EQ(starts(), 1);
  EXPECT_EQ(align(*a), "");
  EXPECT_EQ(starts(), 2);  // one kernel suffices for short pairs
  EXPECT_EQ(cached("kernel-").size(), 1u);
  EXPECT_TRUE(cached(".tmp-").empty());
  EXPECT_NE(joined(a->provenance()).find("fake_pairs_i8: generated, "), std::string::npos) << joined(a->provenance());
  EXPECT_NE(joined(a->provenance()).find("fake_pairs_i32: not needed yet"), std::string::npos);
}

TEST_F(Jit, ASecondRunStartsNoProgram) {
  ASSERT_EQ(run(), "");
  const int before = starts();
  const char *path = std::getenv("PATH");
  const auto a = open();
  ASSERT_TRUE(a);
  EXPECT_EQ(align(*a), "");
  EXPECT_EQ(starts(), before);
  EXPECT_NE(joined(a->provenance()).find("from the cache"), std::string::npos);
  EXPECT_NE(path, nullptr);
}

TEST_F(Jit, ChangedSpecTemplatesOrCompilerMeanNewKernels) {
  ASSERT_EQ(run(), "");
  write("name: fake, local\n");
  spec_.hash = kHash;
  ASSERT_EQ(run(true), "");
  EXPECT_EQ(cached("kernel-").size(), 2u);
  sources_.templates_dir = root_ + "/templates";
  fs::create_directory(sources_.templates_dir);
  std::ofstream(sources_.templates_dir + "/a.h") << "one";
  const int before = starts();
  ASSERT_EQ(run(true), "");
  EXPECT_EQ(starts(), before + 2);
  EXPECT_EQ(cached("kernel-").size(), 2u);  // the same text again
  std::ofstream(sources_.templates_dir + "/a.h") << "two";
  ASSERT_EQ(run(true), "");
  EXPECT_EQ(starts(), before + 4);
  if (!rt::find_program("g++").empty() && !rt::find_program("clang++").empty()) {
    sources_.compiler = "g++";
    ASSERT_EQ(run(true), "");
    sources_.compiler = "clang++";
    ASSERT_EQ(run(true), "");
    EXPECT_GE(cached("kernel-").size(), 3u);
  }
}

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

TEST_F(Jit, ErrorsOfGeneratorAndCompilerComeThrough) {
  write("fail");
  EXPECT_EQ(run(), spec_.path + ":1:1: unknown key 'fail'; did you mean 'tile'?");
  write("bad-text");
  const auto said = run();
  EXPECT_NE(said.find("kernel fake_pairs_i8: "), std::string::npos) << said;
  EXPECT_NE(said.find("error"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_TRUE(cached(".tmp-").empty());
  EXPECT_TRUE(cached("kernel-").empty());
  write("name: fake\n");
  sources_.compiler = "no-such-compiler";
  EXPECT_NE(run().find("no C++ compiler found (no-such-compiler)"), std::string::npos) << run();
  sources_.compiler = "";
  sources_.generator = "/nowhere/generate";
  EXPECT_NE(run().find("/nowhere/generate is no program"), std::string::npos) << run();
}

TEST_F(Jit, AClangTooOldForTheTextsIsPassedOver) {
  const std::string programs = root_ + "/programs";
  fs::create_directories(programs);
  const auto program = [&](const std::string &name, const std::string &version) {
    std::ofstream(programs + "/" + name) << "#!/bin/sh\necho '" << version << "'\n";
    fs::permissions(programs + "/" + name, fs::perms::owner_all);
  };
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", programs.c_str(), 1);
  program("clang++", "Debian clang version 14.0.6");
  const rt::Cache cache(sources_.cache_dir);
  const auto found = [&](const std::string &wanted = "") {
    const auto compiler = rt::compile::find_compiler(wanted, cache, {});
    return compiler ? fs::path(compiler->path).filename().string() : compiler.error().message;
  };
  EXPECT_EQ(found(), "clang++");  // better than none
  program("g++", "g++ (Debian 12.2.0-14) 12.2.0");
  EXPECT_EQ(found(), "g++");
  EXPECT_EQ(found("clang++"), "clang++");
  program("clang++-16", "Debian clang version 16.0.6");
  EXPECT_EQ(found(), "clang++-16");
  program("clang++-16", "");
  std::ofstream(programs + "/clang++-16") << "#!/bin/sh\nexit 1\n";
  EXPECT_EQ(found(), "g++");
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(Jit, CancellingEndsTheGenerator) {
  write("slow");
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  const auto begin = std::chrono::steady_clock::now();
  options_.cancelled = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300); };
  EXPECT_EQ(align(*a), "interrupted");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_TRUE(cached("kernel-").empty());
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
  EXPECT_NE(joined(a->notes()).find("the cache holds 1 of 6 kernels for scalar"), std::string::npos);
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
    const std::string notes = a ? joined(a->notes()) : "";
    const std::size_t kernels = a ? plan(*a) : 0;
    sources_.generator = generator, spec_.path = path;
    return std::to_string(kernels) + notes;
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

TEST_F(Jit, CompiledKernelsAreFoundByHashAndTarget) {
  const std::string dir = root_ + "/kernels";
  fs::create_directory(dir);
  sources_.kernel_dirs = {root_ + "/none", dir};
  sources_.generator = "";
  EXPECT_NE(run().find("no kernels for the spec 'fake'"), std::string::npos);
  std::ofstream(dir + "/a-junk.so") << "not an object";
  fs::copy(std::string(FAKE_DIR) + "/fake_v4.so", dir + "/fake-001122334455-x86-64-v4.so");
  fs::copy(std::string(FAKE_DIR) + "/fake_global.so", dir + "/anything.so");
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  EXPECT_EQ(a->target(), "scalar");
  EXPECT_EQ(align(*a), "");
  EXPECT_NE(joined(a->provenance()).find("a-junk.so: not loaded"), std::string::npos) << joined(a->provenance());
  spec_.hash[0] = '1';
  EXPECT_FALSE(open());
  spec_.hash[0] = '0';
  options_.isa = std::nullopt;  // on a narrower CPU than the target the reason is told
  const auto wide = open();
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->target(), *parse_isa("x86-64-v4") <= *best_isa() ? "x86-64-v4" : "scalar");
}

TEST_F(Jit, NarrowerTargetsServeWhereTheWiderOneIsRefused) {
  write("only-scalar");
  options_.isa = parse_isa("x86-64-v2");
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  EXPECT_EQ(a->target(), "scalar");
  if (*parse_isa("x86-64-v2") <= *best_isa()) {
    EXPECT_NE(joined(a->provenance()).find("x86-64-v2: not generated: target x86-64-v2 is not for this spec"),
              std::string::npos);
  }
}

// A table of the user's holds for this spec and CPU, if nobody else could have written it and nothing was given by
// hand.
TEST_F(Jit, TablesOfTheUserAreHandedToTheGenerator) {
  const std::string folder = root_ + "/data/alnsmith/tuned", table = folder + "/scalar.json";
  fs::create_directories(folder);
  const auto asked = [&](const std::string &row) {
    std::ofstream(table) << R"({"schema": 1, "target": "scalar", "rows": [{)" + row + R"(, "choice": {"k": 5}}]})";
    std::ofstream(log_).close();
    fs::remove_all(sources_.cache_dir);
    const auto a = open();
    EXPECT_TRUE(a) << a.error().message;
    std::string line;
    std::getline(std::ifstream(log_), line);
    return line + "; " + (a ? joined(a->provenance()) : "");
  };
  const std::string mine = R"("spec": ")" + kHash + R"(", "cpu": ")" + cpu_class() + "\"";
  EXPECT_TRUE(asked(mine).starts_with("plan --tuned " + folder + ";")) << asked(mine);
  EXPECT_TRUE(asked(R"("spec": ")" + kHash + "\"").starts_with("plan --tuned " + folder + ";"));
  EXPECT_TRUE(asked(R"("spec": ")" + kHash + R"(", "cpu": "another")").starts_with("plan;"));
  EXPECT_TRUE(asked(R"("spec": "another")").starts_with("plan;"));
  EXPECT_TRUE(asked("][").find("plan; " + table + ": skipped: no tuned table") == 0) << asked("][");
  ASSERT_EQ(::chmod(table.c_str(), 0646), 0);
  EXPECT_EQ(asked(mine).find("plan; " + table + ": not loaded: others may write to it"), 0u) << asked(mine);
  ASSERT_EQ(::chmod(table.c_str(), 0644), 0);
  sources_.tuned_dir = root_ + "/other";
  fs::create_directory(sources_.tuned_dir);
  EXPECT_TRUE(asked(mine).starts_with("plan --tuned " + sources_.tuned_dir + ";")) << asked(mine);
  sources_.tuned_dir.clear();
  fs::rename(folder, root_ + "/elsewhere");
  fs::create_directory(folder);
  ::setenv("ALNSMITH_TUNED", (root_ + "/elsewhere").c_str(), 1);
  EXPECT_EQ(user_tuned_folder(), root_ + "/elsewhere");
  EXPECT_TRUE(asked(mine).starts_with("plan --tuned " + root_ + "/elsewhere;")) << asked(mine);
  ::unsetenv("ALNSMITH_TUNED");
}

// A folder has tables for other targets, which say nothing of this one.
TEST_F(Jit, ATableIsCheckedForTheTargetThatItIsFor) {
  const std::string folder = root_ + "/data/alnsmith/tuned";
  fs::create_directories(folder);
  for (const std::string target : {"scalar", "x86-64-v2"})
    std::ofstream(folder + "/" + target + ".json") << R"({"schema": 1, "target": ")" + target +
                                                          R"(", "rows": [{"spec": ")" + kHash +
                                                          R"(", "choice": {"k": 5}}]})";
  std::ofstream(folder + "/large.json").close();
  fs::resize_file(folder + "/large.json", rt::kMaxFile + 1);  // cannot be read
  ASSERT_EQ(run(), "");
  const int before = starts();
  std::ofstream(folder + "/x86-64-v2.json", std::ios::app) << " ";
  ASSERT_EQ(run(), "");
  EXPECT_EQ(starts(), before);
  std::ofstream(folder + "/scalar.json", std::ios::app) << " ";
  ASSERT_EQ(run(), "");
  EXPECT_GT(starts(), before);
  if (!(*parse_isa("x86-64-v2") <= *best_isa())) GTEST_SKIP() << "needs a CPU of x86-64-v2";
  // The wider target is refused; the narrower one's table is not its user's alone.
  ASSERT_EQ(::chmod((folder + "/scalar.json").c_str(), 0646), 0);
  write("only-scalar");
  options_.isa = parse_isa("x86-64-v2");
  std::ofstream(log_).close();
  const auto a = open();
  ASSERT_TRUE(a) << a.error().message;
  std::ifstream in(log_);
  std::string wide, narrow;
  std::getline(in, wide);
  std::getline(in, narrow);
  EXPECT_EQ(wide, "plan --tuned " + folder);
  EXPECT_EQ(narrow, "plan");
  EXPECT_NE(joined(a->provenance()).find("scalar.json: not loaded: others may write to it"), std::string::npos);
}

// Neither cache nor generator: no folder is made, whatever the device.
TEST_F(Jit, KernelFoldersAloneMeanNoCacheForDevices) {
  sources_.only_kernel_dirs = true;
  for (const std::string id : {"opencl:99", "cuda:99", "hip:99"}) {
    options_.devices = {id};
    EXPECT_FALSE(open());
    EXPECT_FALSE(fs::exists(sources_.cache_dir)) << id;
  }
}

TEST_F(Jit, StaleTemporariesAreSwept) {
  ASSERT_EQ(run(), "");
  const std::string old = sources_.cache_dir + "/.tmp-1-1", fresh = sources_.cache_dir + "/.tmp-1-2";
  std::ofstream(old) << "x";
  std::ofstream(fresh) << "x";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  ASSERT_EQ(run(), "");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

}  // namespace
