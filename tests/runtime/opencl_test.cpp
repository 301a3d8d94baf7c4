// The OpenCL executor on whatever OpenCL device is there (in CI: PoCL, on the CPU). Skipped where there is none.
#include <gtest/gtest.h>
#include <time.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "device_run.h"

namespace {

using namespace alnsmith;
using device_run::Batch;
using device_run::Job;

std::string kernel_text() {
  std::ifstream file(KERNEL_TEXT);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }
bool one_line(const std::string &text) { return !text.empty() && text.find('\n') == std::string::npos; }

class OpenCl : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = rt::driver::open_device("opencl:0");
    if (!opened) GTEST_SKIP() << opened.error().message;
    device_ = *std::move(opened);
  }
  // The error's words, which must be one line that names the device.
  template <class T>
  std::string words(const Result<T> &result) {
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_TRUE(one_line(result.error().message)) << result.error().message;
    EXPECT_TRUE(result.error().message.starts_with("opencl:0: ")) << result.error().message;
    return result.error().message;
  }
  std::unique_ptr<rt::driver::DeviceKernel> load(const std::string &entry) {
    auto kernel = device_->load(kernel_text(), entry);
    EXPECT_TRUE(kernel) << kernel.error().message;
    return kernel ? *std::move(kernel) : nullptr;
  }
  std::unique_ptr<rt::driver::DeviceQueue> queue() {
    auto made = device_->queue();
    EXPECT_TRUE(made) << made.error().message;
    return made ? *std::move(made) : nullptr;
  }
  std::unique_ptr<rt::driver::Executor> device_;
};

TEST_F(OpenCl, DescribesItself) {
  const alnsmith::DeviceInfo &info = device_->info();
  EXPECT_EQ(info.kind, alnsmith::DeviceKind::opencl);
  EXPECT_EQ(info.id, "opencl:0");
  EXPECT_EQ(info.target, "opencl");
  EXPECT_FALSE(info.name.empty());
  EXPECT_TRUE(has(info.driver, "OpenCL ")) << info.driver;
  EXPECT_GT(info.memory, 1U << 20);
  EXPECT_GT(info.processors, 0);
  EXPECT_GE(info.warp, 1);
  EXPECT_GE(info.shared_memory, 16U << 10);
}

TEST_F(OpenCl, ScoresOnTwoQueuesAtOnceAsTheTextbookDoes) {
  auto kernel = load("naive_affine");
  ASSERT_TRUE(kernel);
  EXPECT_GE(kernel->blocks_per_processor(32, 64), 1);
  auto first = queue(), second = queue();
  const Batch a = Batch::random(1, 300, 90), b = Batch::random(2, 77, 150);
  const Job one(*device_, *first, *kernel, a, {4, 32, 64});
  const Job two(*device_, *second, *kernel, b, {3, 16, 0});
  ASSERT_EQ(one.problem() + two.problem(), "");
  auto done = second->finish();
  ASSERT_TRUE(done) << done.error().message;
  done = first->finish();
  ASSERT_TRUE(done) << done.error().message;
  for (const auto &[job, batch] : {std::pair(&one, &a), std::pair(&two, &b)}) {
    const auto scores = job->scores();
    EXPECT_EQ(std::vector<long>(scores.begin(), scores.end()), batch->expected());
    EXPECT_EQ(job->status(), std::vector<unsigned char>(scores.size(), 0));
  }
}

// PoCL compiles a kernel when it is first started, and keeps a shared object of it in a folder of its own.
TEST_F(OpenCl, AKernelThatIsReadyIsNotCompiledAnyMore) {
  const char *folder = std::getenv("POCL_CACHE_DIR");
  if (!folder || device_->info().driver.find("PoCL") == std::string::npos) GTEST_SKIP() << "needs PoCL and its folder";
  // A kernel that PoCL has never seen; others may be at work in its folder.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::string name = "naive_affine_" + std::to_string(now);
  const auto objects = [&] {
    std::size_t number = 0;
    using Files = std::filesystem::recursive_directory_iterator;
    std::error_code gone;
    for (Files file(folder, gone), end; !gone && file != end; file.increment(gone))
      number += file->path().extension() == ".so" && has(file->path().string(), name);
    return number;
  };
  const auto kernel = device_->load(std::regex_replace(kernel_text(), std::regex("naive_affine"), name), name);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::size_t before = objects();
  const auto ready = device_->make_ready(**kernel, 32, 64);
  ASSERT_TRUE(ready) << ready.error().message;
  const std::size_t compiled = objects();
  EXPECT_GT(compiled, before);
  auto commands = queue();
  const Job job(*device_, *commands, **kernel, Batch::random(3, 40, 30), {4, 32, 64});
  ASSERT_EQ(job.problem(), "");
  ASSERT_TRUE(commands->finish());
  EXPECT_EQ(objects(), compiled);
}

TEST_F(OpenCl, CopiesAtOffsetsAndRefusesWhatLeavesTheMemory) {
  auto pinned = device_->allocate_pinned(64), device = device_->allocate(64);
  ASSERT_TRUE(pinned);
  ASSERT_TRUE(device);
  auto *bytes = static_cast<unsigned char *>((*pinned)->host());
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ((*device)->host(), nullptr);
  EXPECT_EQ((*device)->size(), 64U);
  for (int i = 0; i < 64; ++i) bytes[i] = static_cast<unsigned char>(i);
  auto q = queue();
  ASSERT_TRUE(q->copy_in(**device, 8, **pinned, 16, 24));
  ASSERT_TRUE(q->copy_out(**pinned, 40, **device, 12, 4));
  ASSERT_TRUE(q->copy_in(**device, 0, **pinned, 0, 0));
  ASSERT_TRUE(q->copy_out(**pinned, 0, **device, 0, 0));
  ASSERT_TRUE(q->finish());
  EXPECT_EQ(bytes[40], 20);
  EXPECT_EQ(bytes[43], 23);
  EXPECT_TRUE(has(words(q->copy_in(**device, 60, **pinned, 0, 5)), "outside device memory of 64 bytes"));
  EXPECT_TRUE(has(words(q->copy_in(**device, 0, **pinned, 65, 0)), "outside pinned memory of 64 bytes"));
  EXPECT_TRUE(has(words(q->copy_out(**pinned, 64, **device, 0, 1)), "outside pinned memory of 64 bytes"));
  EXPECT_TRUE(has(words(q->copy_out(**pinned, 0, **device, 0, ~std::size_t{0})), "outside device memory"));
}

TEST_F(OpenCl, TooMuchMemoryIsAFailureOfMemory) {
  const std::size_t absurd = std::size_t{1} << 50;
  EXPECT_TRUE(has(words(device_->allocate(absurd)), "allocating 1125899906842624 bytes on the device failed: CL_"));
  EXPECT_EQ(device_->failure(), rt::driver::Failure::memory);
  EXPECT_TRUE(has(words(device_->allocate_pinned(absurd)), "pinned host memory failed: CL_"));
  EXPECT_EQ(device_->failure(), rt::driver::Failure::memory);
  EXPECT_TRUE(device_->allocate(100));  // and the device goes on
}

TEST_F(OpenCl, WhatIsTakenIsNotFreeAndComesBack) {
  constexpr std::size_t kTaken = std::size_t{64} << 20;
  {
    const auto memory = device_->allocate(kTaken);
    ASSERT_TRUE(memory);
    EXPECT_LE(device_->free_memory(), device_->info().memory - kTaken);
    EXPECT_GT(device_->free_memory(), 0U);
  }
  if (device_->info().unified) return;  // others take and give the host's memory meanwhile
  EXPECT_EQ(device_->free_memory(), device_->info().memory);
}

TEST_F(OpenCl, ATextThatDoesNotCompileBringsTheCompilersWords) {
  const std::string why = words(device_->load("__kernel void broken() { undeclared_name = 1; }", "broken"));
  EXPECT_TRUE(has(why, "failed: CL_BUILD_PROGRAM_FAILURE")) << why;
  EXPECT_TRUE(has(why, "building the kernel text with '-cl-std=CL")) << why;
  EXPECT_TRUE(has(why, "undeclared_name")) << why;
  EXPECT_EQ(device_->failure(), rt::driver::Failure::other);
}

TEST_F(OpenCl, TakesTheOptionsOfTheTextsStamp) {
  const std::string text =
      "// a text\n// target opencl, compile with -DALN_TEST_WIDTH=7\n"
      "__kernel void k(__global int *o, __local uint4 *l) { o[0] = ALN_TEST_WIDTH; }\n";
  EXPECT_TRUE(device_->load(text, "k"));
  EXPECT_TRUE(has(words(device_->load("\n\n\n" + text, "k")), "ALN_TEST_WIDTH"));
}

TEST_F(OpenCl, AMissingKernelIsNamedWithThoseThatAreThere) {
  const std::string why = words(device_->load(kernel_text(), "nonsense"));
  EXPECT_TRUE(has(why, "finding the kernel nonsense failed: CL_INVALID_KERNEL_NAME")) << why;
  EXPECT_TRUE(has(why, "naive_affine") && has(why, "slow")) << why;
}

TEST_F(OpenCl, LaunchesThatCannotBeAreRefused) {
  auto kernel = load("slow");
  auto memory = device_->allocate(4096);
  ASSERT_TRUE(kernel && memory);
  auto q = queue();
  const rt::driver::Argument rounds{nullptr, 0, 1, true}, out{memory->get(), 0, 0, false};
  const std::vector<rt::driver::Argument> good = {rounds, out}, few = {rounds};
  const std::vector<rt::driver::Argument> inside = {rounds, {memory->get(), 256, 0, false}};
  EXPECT_TRUE(has(words(q->launch(*kernel, 1, 16, 0, few)), "slow takes 3 parameters, the launch has 1 and the local"));
  EXPECT_TRUE(has(words(q->launch(*kernel, 1, 16, 0, inside)), "parameter 1 of slow begins inside its memory"));
  EXPECT_EQ(device_->failure(), rt::driver::Failure::other);
  const std::string why = words(q->launch(*kernel, 1, 1 << 20, 0, good));
  EXPECT_TRUE(has(why, "starting slow with 1 blocks of 1048576 threads and 0 bytes of local memory failed")) << why;
  EXPECT_EQ(device_->failure(), rt::driver::Failure::launch);
  EXPECT_TRUE(q->launch(*kernel, 1, 16, 0, good));
  EXPECT_TRUE(q->finish());
}

TEST_F(OpenCl, SpirvIsRefusedWhereTheDeviceTakesNone) {
  const std::string spirv = "\x03\x02\x23\x07 and so on";
  const std::string why = words(device_->load(spirv, "k"));
  EXPECT_TRUE(has(why, "takes no SPIR-V: give it OpenCL C") || has(why, "failed: CL_")) << why;
}

TEST_F(OpenCl, AQueueWithWorkWaitsForItBeforeItGoes) {
  auto kernel = load("slow");
  auto memory = device_->allocate(4096), pinned = device_->allocate_pinned(4096);
  ASSERT_TRUE(kernel && memory && pinned);
  const std::vector<rt::driver::Argument> arguments = {{nullptr, 0, 1000000, true}, {memory->get(), 0, 0, false}};
  {
    auto q = queue();
    ASSERT_TRUE(q->launch(*kernel, 16, 64, 0, arguments));
    ASSERT_TRUE(q->copy_out(**pinned, 0, **memory, 0, 4096));
  }
  unsigned x = 5;
  for (int i = 0; i < 1000000; ++i) x = x * 1664525U + 1013904223U;
  EXPECT_EQ(static_cast<unsigned *>((*pinned)->host())[5], x);
}

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST_F(OpenCl, AWaitingThreadSleeps) {
  auto kernel = load("slow");
  auto memory = device_->allocate(4096);
  ASSERT_TRUE(kernel && memory);
  auto q = queue();
  const auto run = [&](int rounds) {
    const std::vector<rt::driver::Argument> arguments = {{nullptr, 0, rounds, true}, {memory->get(), 0, 0, false}};
    return q->launch(*kernel, 16, 64, 0, arguments);
  };
  ASSERT_TRUE(run(1) && q->finish());  // builds what the driver builds on first use
  for (int rounds = 1000000;; rounds *= 2) {
    ASSERT_TRUE(run(rounds));
    const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    ASSERT_TRUE(q->finish());
    const double waited = seconds_of(CLOCK_MONOTONIC) - wall, used = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    if (waited < 0.5 && rounds < (1 << 30)) continue;  // too short to tell: a longer one
    EXPECT_GE(waited, 0.5);
    EXPECT_LT(used, 0.05 * waited);
    break;
  }
}

}  // namespace
