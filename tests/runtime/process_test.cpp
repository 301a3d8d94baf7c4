// Other programs, run and listened to.
#include "base/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "scratch.h"

namespace {

using namespace alnsmith;

TEST(Process, CapturesOutputAndExitCode) {
  const auto r = rt::run_process({"sh", "-c", "echo out; echo err >&2; head -c 300000 /dev/zero; exit 7"}, {});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->exit_code, 7);
  EXPECT_EQ(r->out.size(), 300004u);
  EXPECT_EQ(r->err, "err\n");
  EXPECT_FALSE(rt::run_process({"/nowhere/program"}, {}));
  const auto killed = rt::run_process({"sh", "-c", "kill -INT $$"}, {});
  ASSERT_FALSE(killed);
  EXPECT_EQ(killed.error().exit_code, 130);
  // A grandchild that keeps the output open does not hold us up.
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(rt::run_process({"sh", "-c", "sleep 5 & exit 0"}, {}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

// A compiler's driver runs its parts as programs of their own. They end with it, also such as do not heed, and nothing
// is written after that.
TEST(Process, WhatACancelledProgramHasStartedEndsWithIt) {
  const scratch::Folder folder;
  std::vector<std::string> late;
  for (const std::string heed : {"trap '' TERM; ", ""}) {
    const std::string begun = folder.path("begun"), file = folder.path("late" + std::to_string(late.size()));
    const std::string part = heed + "touch " + begun + "; sleep 1.5; touch " + file;
    const auto ended =
        rt::run_process({"sh", "-c", "(" + part + ") & wait"}, [&] { return std::filesystem::exists(begun); });
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().exit_code, 130);
    std::filesystem::remove(begun);
    late.push_back(file);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1800));
  for (const std::string &file : late) EXPECT_FALSE(std::filesystem::exists(file)) << file;
}

}  // namespace
