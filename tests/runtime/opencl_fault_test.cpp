// What the OpenCL executor says and does when one of the driver's calls fails: the calls are a table, and the tests put
// a failing one in. Skipped where there is no OpenCL device.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include "device/driver/opencl.h"
#include "scratch.h"

namespace {

using namespace alnsmith;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

// A stand-in for one call: after `good` calls of the real one, all fail with `code`. One plan per kind of function and
// tag, since a function pointer carries no state.
template <int Tag, class R, class... A>
struct Fault {
  static inline R (*real)(A...) = nullptr;
  static inline int good = 0;
  static inline cl_int code = 0;
  static R call(A... arguments) {
    if (good-- > 0) return real(arguments...);
    good = 0;
    if constexpr (std::is_same_v<R, cl_int>) {
      return code;
    } else {  // calls that make something give the code through their last parameter
      *std::get<sizeof...(A) - 1>(std::tuple<A...>(arguments...)) = code;
      return nullptr;
    }
  }
};
template <int Tag = 0, class R, class... A>
void fail(R (*&slot)(A...), cl_int code, int good = 0) {
  using F = Fault<Tag, R, A...>;
  F::real = slot;
  F::good = good;
  F::code = code;
  slot = F::call;
}

const char *const kText = "__kernel void one(__global int *out, __local uint4 *l) { out[get_global_id(0)] = 1; }";

class OpenClFault : public testing::Test {
 protected:
  void SetUp() override {
    auto calls = rt::driver::open_opencl_calls();
    if (!calls) GTEST_SKIP() << calls.error().message;
    cl_ = *calls;
    std::string problem;
    auto devices = rt::driver::opencl_devices(cl_, problem);
    if (devices.empty()) GTEST_SKIP() << problem;
    device_ = devices[0];
  }
  Result<std::unique_ptr<rt::driver::Executor>> open() {
    return rt::driver::OpenClExecutor::open(cl_, device_, cache_);
  }

  // One round of everything; the first error's words, empty if all went well. Expects the failure's kind.
  std::string run(rt::driver::Failure kind) {
    auto opened = open();
    if (!opened) return opened.error().message;
    rt::driver::Executor &executor = **opened;
    const std::string problem = round(executor);
    EXPECT_EQ(executor.failure(), kind) << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    if (kind == rt::driver::Failure::lost) {
      EXPECT_EQ(round(executor), problem);  // and so it stays
      EXPECT_EQ(executor.load(kText, "one").error().message, problem);
    }
    return problem;
  }
  static std::string round(rt::driver::Executor &executor) {
    auto queue = executor.queue();
    if (!queue) return queue.error().message;
    auto device = executor.allocate(256), pinned = executor.allocate_pinned(256);
    if (!device || !pinned) return device ? pinned.error().message : device.error().message;
    auto kernel = executor.load(kText, "one");
    if (!kernel) return kernel.error().message;
    const std::vector<rt::driver::Argument> arguments = {{device->get(), 0, 0, false}};
    const Status steps[] = {(*queue)->copy_in(**device, 0, **pinned, 0, 256),
                            (*queue)->launch(**kernel, 1, 16, 32, arguments),
                            (*queue)->copy_out(**pinned, 0, **device, 0, 256), (*queue)->finish()};
    for (const Status &step : steps)
      if (!step) return step.error().message;
    return static_cast<int *>((*pinned)->host())[15] == 1 ? "" : "wrong content";
  }
  rt::driver::OpenClCalls cl_;
  rt::driver::OpenClDevice device_;
  std::shared_ptr<const rt::Cache> cache_;
};

// What the driver made of a text is kept, whatever the driver that the tests have does by itself.
class OpenClBinaries : public OpenClFault {
 protected:
  void SetUp() override {
    OpenClFault::SetUp();
    if (IsSkipped()) return;
    device_.own_cache = false;
    cache_ = std::make_shared<const rt::Cache>(folder_.path("cache"));
  }
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto &file : std::filesystem::directory_iterator(folder_.path("cache")))
      if (file.path().filename().string().starts_with("opencl-")) names.push_back(file.path().filename());
    return names;
  }
  scratch::Folder folder_;
};

TEST_F(OpenClBinaries, ServeWithoutTheText) {
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  ASSERT_EQ(kept().size(), 1u);
  fail(cl_.clCreateProgramWithSource, CL_OUT_OF_RESOURCES);
  EXPECT_EQ(run(rt::driver::Failure::none), "");
}

TEST_F(OpenClBinaries, AreForOneDeviceAndDriver) {
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  device_.info.driver += ".1";
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  device_.info.name += " 2";
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  device_.standard = "-cl-std=CL1.2 -DOTHER";
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  EXPECT_EQ(kept().size(), 4u);
}

TEST_F(OpenClBinaries, ThatTheDriverRefusesAreMadeAnew) {
  ASSERT_EQ(run(rt::driver::Failure::none), "");
  const std::string name = kept().at(0), whole = cache_->load(name).value();
  for (const std::string &broken : {std::string("no binary"), std::string()}) {
    ASSERT_TRUE(cache_->store(name, broken));
    EXPECT_EQ(run(rt::driver::Failure::none), "");
    EXPECT_EQ(cache_->load(name)->size(), whole.size());
  }
  std::ofstream(cache_->path(name), std::ios::app) << "x";  // its seal no longer fits
  EXPECT_EQ(run(rt::driver::Failure::none), "");
  EXPECT_TRUE(cache_->sound(name));
  fail(cl_.clCreateProgramWithBinary, CL_INVALID_BINARY);
  EXPECT_EQ(run(rt::driver::Failure::none), "");
}

TEST_F(OpenClBinaries, ThatCannotBeHadAreNoError) {
  fail(cl_.clGetProgramInfo, CL_INVALID_VALUE);
  EXPECT_EQ(run(rt::driver::Failure::none), "");
  EXPECT_TRUE(kept().empty());
}

TEST_F(OpenClFault, NoneIsNone) { EXPECT_EQ(run(rt::driver::Failure::none), ""); }

TEST_F(OpenClFault, OpeningTheDevice) {
  fail(cl_.clCreateContext, CL_DEVICE_NOT_AVAILABLE);
  EXPECT_TRUE(has(open().error().message, "opening the device failed: CL_DEVICE_NOT_AVAILABLE (-2)"));
}

TEST_F(OpenClFault, MakingQueues) {
  fail(cl_.clCreateCommandQueue, CL_OUT_OF_HOST_MEMORY);
  EXPECT_TRUE(has(open().error().message, "opencl:0: making a queue failed: CL_OUT_OF_HOST_MEMORY (-6); free memory"));
}

TEST_F(OpenClFault, MakingASecondQueue) {
  fail(cl_.clCreateCommandQueue, -9999, 1);
  EXPECT_TRUE(has(run(rt::driver::Failure::other), "making a queue failed: OpenCL error -9999"));
}

TEST_F(OpenClFault, AllocationPutOffByTheDriver) {
  fail(cl_.clEnqueueMigrateMemObjects, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_TRUE(
      has(run(rt::driver::Failure::memory), "allocating 256 bytes on the device failed: CL_MEM_OBJECT_ALLOCATION"));
}

TEST_F(OpenClFault, MappingPinnedMemory) {
  fail(cl_.clEnqueueMapBuffer, CL_MAP_FAILURE);
  EXPECT_TRUE(
      has(run(rt::driver::Failure::memory), "allocating 256 bytes of pinned host memory failed: CL_MAP_FAILURE"));
}

TEST_F(OpenClFault, ReadingTheText) {
  fail(cl_.clCreateProgramWithSource, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(has(run(rt::driver::Failure::other), "reading the kernel text failed: CL_OUT_OF_RESOURCES"));
}

TEST_F(OpenClFault, NamingTheKernelsThatAreThere) {
  fail(cl_.clCreateKernel, CL_INVALID_KERNEL_NAME);
  fail(cl_.clGetProgramInfo, CL_INVALID_VALUE);
  EXPECT_TRUE(has(run(rt::driver::Failure::other),
                  "finding the kernel one failed: CL_INVALID_KERNEL_NAME (-46): the text has"));
}

TEST_F(OpenClFault, CopyingIn) {
  fail(cl_.clEnqueueWriteBuffer, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(has(run(rt::driver::Failure::memory), "copying 256 bytes to the device failed: CL_OUT_OF_RESOURCES"));
}

TEST_F(OpenClFault, CopyingOut) {
  fail(cl_.clEnqueueReadBuffer, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(has(run(rt::driver::Failure::memory), "copying 256 bytes from the device failed: CL_OUT_OF_RESOURCES"));
}

TEST_F(OpenClFault, SettingParameters) {
  fail(cl_.clSetKernelArg, CL_INVALID_ARG_SIZE);
  EXPECT_TRUE(has(run(rt::driver::Failure::launch), "setting parameter 0 of one failed: CL_INVALID_ARG_SIZE"));
}

TEST_F(OpenClFault, SettingTheLocalMemory) {
  fail(cl_.clSetKernelArg, CL_OUT_OF_RESOURCES, 1);
  EXPECT_TRUE(has(run(rt::driver::Failure::launch), "setting the local memory of one failed: CL_OUT_OF_RESOURCES"));
}

TEST_F(OpenClFault, StartingTheKernel) {
  fail(cl_.clEnqueueNDRangeKernel, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(
      has(run(rt::driver::Failure::launch), "starting one with 1 blocks of 16 threads and 32 bytes of local memory"));
}

TEST_F(OpenClFault, ACrashedKernelLosesTheDevice) {
  fail(cl_.clEnqueueReadBuffer, CL_INVALID_COMMAND_QUEUE);  // what is left of the queue
  EXPECT_TRUE(
      has(run(rt::driver::Failure::lost), "copying 256 bytes from the device failed: CL_INVALID_COMMAND_QUEUE (-36)"));
}

TEST_F(OpenClFault, WaitingItselfFails) {
  fail(cl_.clSetEventCallback, CL_INVALID_EVENT, 1);  // past that of the allocation
  static const auto real = cl_.clWaitForEvents;       // what runs must end all the same before its memory goes
  cl_.clWaitForEvents = [](cl_uint count, const cl_event *events) -> cl_int {
    real(count, events);
    return CL_DEVICE_NOT_AVAILABLE;
  };
  EXPECT_TRUE(
      has(run(rt::driver::Failure::lost), "the device failed: CL_DEVICE_NOT_AVAILABLE (-2); the device is lost"));
}

// The status of a command that failed while it ran: reported although the ones behind it went well.
cl_int crashed(cl_event, cl_event_info, std::size_t, void *value, std::size_t *) {
  *static_cast<cl_int *>(value) = CL_OUT_OF_RESOURCES;
  return CL_SUCCESS;
}

TEST_F(OpenClFault, ACommandThatFailsWhileItRunsIsSeenAtTheWait) {
  cl_.clGetEventInfo = crashed;
  EXPECT_TRUE(has(run(rt::driver::Failure::lost),
                  "waiting for the device failed: CL_OUT_OF_RESOURCES (-5); the device is lost"));
}

TEST_F(OpenClFault, WithoutCallbacksItWaitsAllTheSame) {
  fail(cl_.clSetEventCallback, CL_INVALID_EVENT);
  EXPECT_EQ(run(rt::driver::Failure::none), "");
}

TEST_F(OpenClFault, SpirvGoesToTheDriverWhereTheDeviceTakesIt) {
  device_.takes_spirv = true;
  cl_.clCreateProgramWithIL = [](cl_context, const void *, std::size_t size, cl_int *code) -> cl_program {
    *code = size == 8 ? CL_INVALID_VALUE : CL_SUCCESS;
    return nullptr;
  };
  auto executor = open();
  ASSERT_TRUE(executor);
  const auto kernel = (*executor)->load(std::string("\x03\x02\x23\x07....", 8), "one");
  EXPECT_TRUE(has(kernel.error().message, "reading the kernel text failed: CL_INVALID_VALUE"));
}

// A GPU's description over the device that is there.
template <cl_device_info What, class T, T Value>
struct Answer {
  static inline decltype(rt::driver::OpenClCalls::clGetDeviceInfo) real = nullptr;
  static cl_int call(cl_device_id device, cl_device_info what, std::size_t size, void *value, std::size_t *length) {
    if (what != What) return real(device, what, size, value, length);
    *static_cast<T *>(value) = Value;
    return CL_SUCCESS;
  }
};
template <cl_device_info What, class T, T Value>
void answer(rt::driver::OpenClCalls &cl) {
  Answer<What, T, Value>::real = cl.clGetDeviceInfo;
  cl.clGetDeviceInfo = Answer<What, T, Value>::call;
}

TEST_F(OpenClFault, AGpusBlocksAreBoundByThreadsAndLocalMemory) {
  answer<CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_GPU>(cl_);
  device_.info.shared_memory = 65536;
  auto executor = open();
  ASSERT_TRUE(executor);
  const auto kernel = (*executor)->load(kText, "one");
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)->blocks_per_processor(128, 16), 8);
  EXPECT_LE((*kernel)->blocks_per_processor(32, 32768), 2);
  EXPECT_EQ((*kernel)->blocks_per_processor(32, 1 << 20), 1);
}

TEST_F(OpenClFault, AnNvidiaDeviceTellsItsWarp) {
  answer<0x4003, cl_uint, 32>(cl_);
  std::string problem;
  EXPECT_EQ(rt::driver::opencl_devices(cl_, problem).at(0).info.warp, 32);
}

TEST_F(OpenClFault, ADeviceOfItsOwnMemoryCountsWhatIsTaken) {
  answer<CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, CL_FALSE>(cl_);
  std::string problem;
  device_ = rt::driver::opencl_devices(cl_, problem).at(0);
  auto executor = open();
  ASSERT_TRUE(executor);
  const std::size_t all = (*executor)->info().memory;
  EXPECT_EQ((*executor)->free_memory(), all);
  auto memory = (*executor)->allocate(1000);
  EXPECT_EQ((*executor)->free_memory(), all - 1000);
  (*memory).reset();
  EXPECT_EQ((*executor)->free_memory(), all);
}

TEST_F(OpenClFault, PlatformsWithoutDevicesAreExplained) {
  const auto problem_of = [](const rt::driver::OpenClCalls &cl) {
    std::string problem;
    EXPECT_TRUE(rt::driver::opencl_devices(cl, problem).empty());
    return problem;
  };
  rt::driver::OpenClCalls none = cl_, second = cl_, empty = cl_, vanished = cl_, old = cl_;
  fail<1>(none.clGetPlatformIDs, -1001);
  EXPECT_TRUE(
      has(problem_of(none), "no OpenCL platform, CL_PLATFORM_NOT_FOUND_KHR (-1001): install the device's OpenCL"));
  fail<2>(second.clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY, 1);
  EXPECT_TRUE(has(problem_of(second), "no OpenCL platform: install"));
  fail<3>(empty.clGetDeviceIDs, CL_DEVICE_NOT_FOUND);
  EXPECT_TRUE(has(problem_of(empty), "the OpenCL platforms have no device"));
  fail<4>(vanished.clGetDeviceIDs, CL_DEVICE_NOT_FOUND, 1);
  EXPECT_TRUE(has(problem_of(vanished), "the OpenCL platforms have no device"));
  answer<CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_FALSE>(old);
  EXPECT_TRUE(has(problem_of(old), "no OpenCL device is available with a compiler of OpenCL C 1.2"));
  rt::driver::OpenClCalls silent = cl_;
  fail<5>(silent.clGetDeviceInfo, CL_INVALID_VALUE);
  EXPECT_TRUE(has(problem_of(silent), "no OpenCL device is available"));
}

TEST(OpenClLoader, WithoutPlatformsTheVariableThatHidesThemIsNamed) {
  if (!rt::driver::open_opencl_calls()) GTEST_SKIP() << "no OpenCL loader";
  ::setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
  const auto opened = rt::driver::open_device("opencl:0");
  const auto platforms = alnsmith::list_devices();
  ::unsetenv("OCL_ICD_VENDORS");
  if (opened) GTEST_SKIP() << "this loader was started before, or does not read OCL_ICD_VENDORS";
  EXPECT_TRUE(has(opened.error().message, "OCL_ICD_VENDORS=/nonexistent may hide devices")) << opened.error().message;
  EXPECT_EQ("opencl:0: " + platforms[2].problem, opened.error().message);
}

}  // namespace
