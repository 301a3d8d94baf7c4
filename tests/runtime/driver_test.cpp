// The CUDA and HIP executors over a stand-in for the driver: what they ask for, what they give back, and what they say
// when a call fails.  The stand-in's soname is the driver's, so that opening it first puts it in the driver's place.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/process.h"
#include "device/driver/executor.h"
#include "stub_driver.h"

namespace {

using namespace alnsmith;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

// The same calls under CUDA's names and under HIP's.
struct Names {
  const char *kind, *file, *library;
  int version, old_version;
  const char *init, *count, *enter, *info, *allocate, *free, *host_allocate, *copy_in, *copy_out, *stream, *event,
      *record, *synchronize, *load, *find, *occupancy, *launch;
};
constexpr Names kCuda = {"cuda",
                         "cuda/libcuda.so.1",
                         "libcuda.so.1",
                         12040,
                         11080,
                         "cuInit",
                         "cuDeviceGetCount",
                         "cuCtxSetCurrent",
                         "cuMemGetInfo_v2",
                         "cuMemAlloc_v2",
                         "cuMemFree_v2",
                         "cuMemHostAlloc",
                         "cuMemcpyHtoDAsync_v2",
                         "cuMemcpyDtoHAsync_v2",
                         "cuStreamCreate",
                         "cuEventCreate",
                         "cuEventRecord",
                         "cuEventSynchronize",
                         "cuModuleLoadDataEx",
                         "cuModuleGetFunction",
                         "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                         "cuLaunchKernel"};
constexpr Names kHip = {"hip",
                        "hip/libamdhip64.so.6",
                        "libamdhip64.so.6",
                        60300000,
                        40500000,
                        "hipInit",
                        "hipGetDeviceCount",
                        "hipSetDevice",
                        "hipMemGetInfo",
                        "hipMalloc",
                        "hipFree",
                        "hipHostMalloc",
                        "hipMemcpyHtoDAsync",
                        "hipMemcpyDtoHAsync",
                        "hipStreamCreateWithFlags",
                        "hipEventCreateWithFlags",
                        "hipEventRecord",
                        "hipEventSynchronize",
                        "hipModuleLoadData",
                        "hipModuleGetFunction",
                        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
                        "hipModuleLaunchKernel"};

class Driver : public testing::TestWithParam<Names> {
 protected:
  void SetUp() override {
    library_ = ::dlopen((std::string(FAKE_DIR) + "/" + names().file).c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    stub_ = reinterpret_cast<StubState *>(::dlsym(library_, "stub_state"))();
    *stub_ = Stub{.version = names().version};
    fail("", 0);
  }
  void TearDown() override { fail("", 0); }
  Names names() const { return GetParam(); }
  std::string id(int index = 0) const { return std::string(names().kind) + ":" + std::to_string(index); }
  void fail(const char *call, int code, int after = 0) {
    reinterpret_cast<StubFail *>(::dlsym(library_, "stub_fail"))(call, code, after);
  }
  std::unique_ptr<rt::driver::Executor> open() {
    auto opened = rt::driver::open_device(id());
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  alnsmith::PlatformReport report() {
    for (auto &report : alnsmith::list_devices())
      if (device_kind_name(report.kind) == names().kind) return report;
    return {};
  }
  // The error's words, which must be one line that names the device.
  template <class T>
  std::string words(const Result<T> &result) {
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_EQ(result.error().message.find('\n'), std::string::npos) << result.error().message;
    EXPECT_TRUE(result.error().message.starts_with(id() + ": ")) << result.error().message;
    return result.error().message;
  }
  void expect_all_given_back() {
    EXPECT_EQ(stub_->contexts, 0);
    EXPECT_EQ(stub_->memories, 0);
    EXPECT_EQ(stub_->streams, 0);
    EXPECT_EQ(stub_->modules, 0);
  }
  void *library_ = nullptr;
  Stub *stub_ = nullptr;
};

TEST_P(Driver, ListsItsDevices) {
  const alnsmith::PlatformReport found = report();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.library, names().library);
  ASSERT_EQ(found.devices.size(), 2U);
  const alnsmith::DeviceInfo &second = found.devices[1];
  const bool cuda = found.kind == alnsmith::DeviceKind::cuda;
  EXPECT_EQ(second.id, id(1));
  EXPECT_EQ(second.name, "Stub GPU B");
  EXPECT_EQ(second.target, cuda ? "cuda:sm_90" : "hip:gfx90a:sramecc+:xnack-");
  EXPECT_EQ(second.driver, cuda ? "CUDA 12.4" : "HIP 6.3");
  EXPECT_EQ(second.memory, stub_->memory);
  EXPECT_EQ(second.free_memory, stub_->memory / 2);
  EXPECT_EQ(second.processors, cuda ? 132 : 104);
  EXPECT_EQ(second.warp, cuda ? 32 : 64);
  EXPECT_EQ(second.shared_memory, cuda ? 232448U : 65536U);
  EXPECT_FALSE(second.unified);
  expect_all_given_back();
}

// Runs `add` on `queue`: +number for each of 64 ints.
struct AddJob {
  std::unique_ptr<rt::driver::Memory> pinned, device;
  std::string problem;
  AddJob(rt::driver::Executor &executor, rt::driver::DeviceQueue &queue, int number, std::size_t shared_bytes = 0) {
    auto kernel = executor.load("stub text", "add");
    auto host = executor.allocate_pinned(64 * sizeof(int)), memory = executor.allocate(80 * sizeof(int));
    if (!kernel || !host || !memory) {
      problem = !kernel ? kernel.error().message : !host ? host.error().message : memory.error().message;
      return;
    }
    pinned = *std::move(host);
    device = *std::move(memory);
    for (int i = 0; i < 64; ++i) values()[i] = i;
    const std::vector<rt::driver::Argument> arguments = {
        {nullptr, 0, number, true}, {device.get(), 16 * sizeof(int), 0, false}, {}};
    const auto note = [this](const Status &status) {
      if (!status && problem.empty()) problem = status.error().message;
    };
    note(queue.copy_in(*device, 16 * sizeof(int), *pinned, 0, 64 * sizeof(int)));
    note(queue.launch(**kernel, 2, 32, shared_bytes, arguments));
    note(queue.copy_out(*pinned, 0, *device, 16 * sizeof(int), 64 * sizeof(int)));
  }
  int *values() const { return static_cast<int *>(pinned->host()); }
};

TEST_P(Driver, RunsAKernelOnTwoQueuesAndGivesAllBack) {
  {
    auto executor = open();
    ASSERT_TRUE(executor);
    EXPECT_EQ(executor->info().id, id());
    EXPECT_EQ(executor->free_memory(), stub_->memory / 2);
    auto first = executor->queue(), second = executor->queue();
    ASSERT_TRUE(first && second);
    const AddJob one(*executor, **first, 5), two(*executor, **second, 7, 50000);
    EXPECT_EQ(one.problem + two.problem, "");
    ASSERT_TRUE((*first)->finish() && (*second)->finish());
    EXPECT_EQ(stub_->waits, 2);
    EXPECT_EQ(stub_->modules, 1);  // one text, loaded once
    for (int i = 0; i < 64; ++i) {
      EXPECT_EQ(one.values()[i], i + 5);
      EXPECT_EQ(two.values()[i], i + 7);
    }
    auto kernel = executor->load("stub text", "none");
    ASSERT_TRUE(kernel);
    EXPECT_EQ((*kernel)->blocks_per_processor(256, 1000), 8);
    EXPECT_EQ((*kernel)->blocks_per_processor(4096, 1000), 1);
    fail(names().occupancy, 1);
    EXPECT_EQ((*kernel)->blocks_per_processor(256, 1000), 1);
  }
  expect_all_given_back();
}

TEST_P(Driver, RefusesCopiesThatLeaveTheMemory) {
  auto executor = open();
  auto queue = executor->queue();
  auto host = executor->allocate_pinned(8), device = executor->allocate(8);
  ASSERT_TRUE(queue && host && device);
  EXPECT_EQ((*device)->host(), nullptr);
  EXPECT_EQ((*device)->size(), 8U);
  EXPECT_TRUE((*queue)->copy_in(**device, 8, **host, 8, 0));
  EXPECT_TRUE((*queue)->copy_out(**host, 8, **device, 8, 0));
  EXPECT_TRUE(has(words((*queue)->copy_in(**device, 4, **host, 0, 5)), "outside device memory of 8 bytes"));
  EXPECT_TRUE(has(words((*queue)->copy_out(**host, 9, **device, 0, 0)), "outside pinned memory of 8 bytes"));
}

// One failing call: when, with which code, and what is to be said of it.
struct Case {
  const char *call;
  int code;
  rt::driver::Failure failure;
  const char *says;
};

TEST_P(Driver, EveryFailureNamesTheStepAndItsKind) {
  const Names n = names();
  const std::vector<Case> cases = {
      {n.enter, 999, rt::driver::Failure::lost, "using the device failed: STUB_ERROR (it failed); the device is lost"},
      {n.allocate, 2, rt::driver::Failure::memory,
       "allocating 320 bytes on the device failed: STUB_OUT_OF_MEMORY (out of"},
      {n.host_allocate, 1, rt::driver::Failure::memory,
       "allocating 256 bytes of pinned host memory failed: STUB_ERROR"},
      {n.copy_in, 1, rt::driver::Failure::other, "copying 256 bytes to the device failed: STUB_ERROR"},
      {n.copy_out, 77, rt::driver::Failure::other, "copying 256 bytes from the device failed: "},
      {n.launch, 701, rt::driver::Failure::launch,
       "starting add with 2 blocks of 32 threads and 0 bytes of shared memory"},
      {n.launch, 719, rt::driver::Failure::lost, "the device is lost to this program"},
      {n.load, 209, rt::driver::Failure::other,
       std::string_view(n.kind) == "cuda" ? "loading kernels for cuda:sm_90 failed"
                                          : "loading kernels for hip:gfx90a:sramecc+"},
      {n.find, 500, rt::driver::Failure::other, "finding the kernel add failed: STUB_ERROR"},
      {n.record, 78, rt::driver::Failure::lost, "waiting for the device failed: STUB_ERROR"},
      {n.synchronize, 700, rt::driver::Failure::lost,
       "waiting for the device failed: STUB_ERROR (it failed); the device is"},
  };
  for (const Case &c : cases) {
    {
      auto executor = open();
      auto queue = executor->queue();
      ASSERT_TRUE(queue);
      fail(c.call, c.code);
      const AddJob job(*executor, **queue, 1);
      std::string problem = job.problem;
      if (auto done = (*queue)->finish(); !done && problem.empty()) problem = done.error().message;
      EXPECT_TRUE(has(problem, c.says)) << c.call << ": " << problem;
      EXPECT_EQ(executor->failure(), c.failure) << c.call;
      fail("", 0);
    }
    expect_all_given_back();
  }
}

TEST_P(Driver, ALostDeviceStaysLostWithoutBeingAskedAgain) {
  {
    auto executor = open();
    auto queue = executor->queue();
    const AddJob job(*executor, **queue, 1);
    auto kernel = executor->load("stub text", "add");
    ASSERT_TRUE(kernel);
    fail(names().synchronize, 700);
    const std::string lost = words((*queue)->finish());
    fail("", 0);
    const int calls = stub_->calls;
    EXPECT_EQ(words(executor->allocate(8)), lost);
    EXPECT_EQ(words(executor->allocate_pinned(8)), lost);
    EXPECT_EQ(words(executor->queue()), lost);
    EXPECT_EQ(words(executor->load("stub text", "add")), lost);
    EXPECT_EQ(words((*queue)->copy_in(*job.device, 0, *job.pinned, 0, 4)), lost);
    EXPECT_EQ(words((*queue)->copy_out(*job.pinned, 0, *job.device, 0, 4)), lost);
    EXPECT_EQ(words((*queue)->launch(**kernel, 1, 1, 0, {})), lost);
    EXPECT_EQ(words((*queue)->finish()), lost);
    EXPECT_EQ(executor->free_memory(), 0U);
    EXPECT_EQ(stub_->calls, calls);
    EXPECT_EQ(executor->failure(), rt::driver::Failure::lost);
  }
  expect_all_given_back();
}

TEST_P(Driver, AQueueThatCannotBeMadeLeavesNothingBehind) {
  auto executor = open();
  fail(names().stream, 2);
  EXPECT_TRUE(has(words(executor->queue()), "making a queue failed: STUB_OUT_OF_MEMORY"));
  fail(names().event, 2);
  EXPECT_TRUE(has(words(executor->queue()), "making a queue failed: STUB_OUT_OF_MEMORY"));
  EXPECT_EQ(executor->failure(), rt::driver::Failure::memory);
  EXPECT_EQ(stub_->streams, 0);
  fail(names().info, 1);
  EXPECT_EQ(executor->free_memory(), 0U);
}

TEST_P(Driver, AQueueWithWorkWaitsForItBeforeItGoes) {
  auto executor = open();
  auto queue = executor->queue();
  const AddJob job(*executor, **queue, 1);
  EXPECT_EQ(stub_->waits, 0);
  (*queue).reset();
  EXPECT_EQ(stub_->waits, 1);
}

TEST_P(Driver, TextForAnotherDeviceBringsTheDriversWords) {
  auto executor = open();
  const std::string why = words(executor->load("foreign", "add"));
  EXPECT_TRUE(has(why, "loading kernels for ")) << why;
  EXPECT_EQ(has(why, "ptxas: line 1; not a stub"), std::string_view(names().kind) == "cuda") << why;
}

TEST_P(Driver, SaysWhyThereIsNoDevice) {
  const auto why = [&] {
    const auto opened = rt::driver::open_device(id());
    EXPECT_FALSE(opened);
    const std::string message = opened ? "" : opened.error().message;
    const alnsmith::PlatformReport seen = report();
    EXPECT_TRUE(seen.devices.empty());
    EXPECT_EQ(message, id() + ": " + seen.problem);
    return message;
  };
  stub_->version = names().old_version;
  EXPECT_TRUE(has(why(), "is too old: it is")) << why();
  stub_->version = names().version;
  stub_->devices = 0;
  EXPECT_TRUE(has(why(), std::string(names().library) + " finds no device: STUB_ERROR")) << why();
  stub_->devices = 2;
  ::setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  fail(names().init, 100);
  EXPECT_TRUE(has(why(), "; CUDA_VISIBLE_DEVICES=7 may hide devices")) << why();
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  fail(names().count, 3);
  EXPECT_TRUE(has(why(), "finds no device: STUB_ERROR (it failed)")) << why();
  fail(names().enter, 101);
  EXPECT_TRUE(has(words(rt::driver::open_device(id())), "opening the device failed: STUB_ERROR"));
  EXPECT_TRUE(has(report().problem, "opening the device failed"));
  fail("", 0);
  const auto third = rt::driver::open_device(id(2));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().message, id(2) + ": there is no such device: this machine has " + id(0) + " to " + id(1));
  expect_all_given_back();
}

TEST_P(Driver, ADeviceThatFailsDoesNotHideTheOther) {
  const char *call =
      std::string_view(names().kind) == "cuda" ? "cuDevicePrimaryCtxRetain" : "hipGetDevicePropertiesR0600";
  fail(call, 46, 1);
  const alnsmith::PlatformReport found = report();
  EXPECT_EQ(found.devices.size(), 1U);
  EXPECT_TRUE(has(found.problem, id(1) + ": opening the device failed: STUB_ERROR")) << found.problem;
}

INSTANTIATE_TEST_SUITE_P(Devices, Driver, testing::Values(kCuda, kHip),
                         [](const auto &info) { return std::string(info.param.kind); });

// In processes of their own, since a library that was opened stays.
std::string devices_with(const std::string &folder) {
  const char *before = std::getenv("LD_LIBRARY_PATH");
  const std::string kept = before ? before : "";
  ::setenv("LD_LIBRARY_PATH", (std::string(FAKE_DIR) + "/" + folder).c_str(), 1);
  const auto result = rt::run_process({PROGRAM, "devices"}, {});
  ::setenv("LD_LIBRARY_PATH", kept.c_str(), 1);
  EXPECT_TRUE(result && result->exit_code == 0);
  return result ? result->out : "";
}

TEST(DriverLibrary, OlderOnesThatLackACallAreNamed) {
  const std::string text = devices_with("older");
  EXPECT_TRUE(has(text, "\ncuda: libcuda.so.1 lacks cuOccupancyMaxActiveBlocksPerMultiprocessor: install NVIDIA's"))
      << text;
  EXPECT_TRUE(has(text, "\nhip: libamdhip64.so.6 lacks hipModuleOccupancyMaxActiveBlocksPerMultiprocessor: ")) << text;
}

TEST(DriverLibrary, HipFiveHasItsOwnLayoutOfProperties) {
  const std::string text = devices_with("hip5");
  EXPECT_TRUE(has(text, "hip:gfx906:sramecc-:xnack-")) << text;
}

TEST(DriverLibrary, LibrariesThatAreNoDriversAreSaidToBeNone) {
  const std::string text = devices_with("broken");
  EXPECT_TRUE(has(text, "\ncuda: libcuda.so.1 does not load: ")) << text;
  EXPECT_TRUE(has(text, "\nhip: libamdhip64.so.7 does not tell its version")) << text;
  EXPECT_TRUE(has(text, "\nopencl: libOpenCL.so.1 is too old: it lacks clGetPlatformIDs")) << text;
}

}  // namespace
