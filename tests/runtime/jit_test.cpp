// Generation at run time, its tables and the order of sources, with a stand-in for the generator.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/build.hpp"
#include "base/cache.h"
#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "jit_fixture.h"

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

}  // namespace
