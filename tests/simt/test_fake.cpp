// The fake drivers under the runtime's own executors: kernels run, several devices at once, and every failure that can
// be ordered arrives as the words and the kind of failure that a caller acts on.
//
// The fakes have the drivers' sonames, so that opening them first puts them in the drivers' place.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "compile/device_compiler.h"
#include "device/driver/executor.h"
#include "scratch.h"

namespace {

using namespace alnsmith;

struct Platform {
  const char *kind, *library, *architecture, *kernel;
  friend std::ostream &operator<<(std::ostream &out, const Platform &platform) { return out << platform.kind; }
};

// out[i] = in[i] * factor + the sum of in over the warp's lanes 0 and 1; a barrier and shared memory on the way.
const Platform cuda = {"cuda", "libcuda.so.1", "sm_90", R"(
extern __shared__ int tile[];
extern "C" __global__ void __launch_bounds__(64) scale(const int *in, int *out, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? in[i] : 0;
  tile[threadIdx.x ^ 1] = x;
  __syncthreads();
  int product;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(product) : "r"(tile[threadIdx.x ^ 1]), "r"(factor), "r"(0));
  const int first = __shfl_sync(0xffffffffu, x, 0, 2), second = __shfl_sync(0xffffffffu, x, 1, 2);
  if (i < n) out[i] = product + first + second;
}
extern "C" __global__ void __launch_bounds__(64) broken(const int *in, int *out, int factor, int n) {
  if (threadIdx.x < 10) __syncthreads();
}
)"};
const Platform hip = {"hip", "libamdhip64.so.5", "gfx90a", R"(
extern __attribute__((shared)) int tile[];
extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 64))) void scale(
    const int *in, int *out, int factor, int n) {
  const int thread = __builtin_amdgcn_workitem_id_x();
  const int i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + thread;
  const int x = i < n ? in[i] : 0;
  tile[thread ^ 1] = x;
  __builtin_amdgcn_s_barrier();
  const int first = __builtin_amdgcn_ds_bpermute(4 * (thread & ~1), x);
  const int second = __builtin_amdgcn_ds_bpermute(4 * (thread | 1), x);
  if (i < n) out[i] = tile[thread ^ 1] * factor + first + second;
}
extern "C" __attribute__((global)) void broken(const int *in, int *out, int factor, int n) {
  if (__builtin_amdgcn_workitem_id_x() < 10) __builtin_amdgcn_s_barrier();
}
)"};

class Fake : public testing::TestWithParam<Platform> {
 protected:
  void SetUp() override {
    ASSERT_NE(dlopen((std::string(FAKE_DIR "/") + GetParam().library).c_str(), RTLD_NOW | RTLD_GLOBAL), nullptr)
        << dlerror();
    static int tests = 0;
    set("RUN", std::to_string(++tests));  // devices that no test has used before
  }
  void TearDown() override {
    for (const std::string &name : set_) unsetenv(name.c_str());
  }
  void set(const std::string &name, const std::string &value) {
    set_.push_back("SIMT_FAKE_" + name);
    setenv(set_.back().c_str(), value.c_str(), 1);
  }
  std::string id(int device) const { return std::string(GetParam().kind) + ":" + std::to_string(device); }
  std::unique_ptr<rt::driver::Executor> open(int device = 0) {
    auto opened = rt::driver::open_device(id(device));
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }
  std::vector<std::string> set_;
};
INSTANTIATE_TEST_SUITE_P(Drivers, Fake, testing::Values(cuda, hip),
                         [](const auto &info) { return std::string(info.param.kind); });

// One run of the kernel on an executor: "" and right numbers, or the message of what failed.
std::string run(rt::driver::Executor &executor, const std::string &text, int n, const std::string &entry = "scale",
                std::size_t shared = 256) {
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(int);
  auto in = executor.allocate(bytes), out = executor.allocate(bytes);
  auto host_in = executor.allocate_pinned(bytes), host_out = executor.allocate_pinned(bytes);
  for (const auto *memory : {&in, &out, &host_in, &host_out}) {
    if (!*memory) return memory->error().message;
  }
  for (int i = 0; i < n; ++i) static_cast<int *>((*host_in)->host())[i] = i + 1;
  auto kernel = executor.load(text, entry);
  if (!kernel) return kernel.error().message;
  EXPECT_GE((*kernel)->blocks_per_processor(64, shared), 1);
  auto queue = executor.queue();
  if (!queue) return queue.error().message;
  const auto array = [](const auto &memory) { return rt::driver::Argument{memory->get(), 0, 0, false}; };
  const auto number = [](int value) { return rt::driver::Argument{nullptr, 0, value, true}; };
  const rt::driver::Argument arguments[] = {array(&*in), array(&*out), number(3), number(n)};
  for (const Status &status : {(*queue)->copy_in(**in, 0, **host_in, 0, bytes),
                               (*queue)->launch(**kernel, (n + 63) / 64, 64, shared, arguments),
                               (*queue)->copy_out(**host_out, 0, **out, 0, bytes), (*queue)->finish()}) {
    if (!status) return status.error().message;
  }
  for (int i = 0; i < n; ++i) {
    const int partner = i ^ 1, other = partner < n ? partner + 1 : 0;
    const int expected = (i + 1) * 3 + (i + 1) + other;
    if (const int got = static_cast<int *>((*host_out)->host())[i]; got != expected) {
      return "element " + std::to_string(i) + " is " + std::to_string(got) + ", not " + std::to_string(expected);
    }
  }
  return "";
}

TEST_P(Fake, RunsKernels) {
  auto executor = open();
  EXPECT_EQ(executor->info().target, std::string(GetParam().kind) + ":" + GetParam().architecture);
  EXPECT_EQ(executor->info().warp, GetParam().kind == std::string("cuda") ? 32 : 64);
  EXPECT_EQ(run(*executor, GetParam().kernel, 1000), "");
  EXPECT_EQ(run(*executor, GetParam().kernel, 37), "");
}

TEST_P(Fake, TwoDevicesRunAtOnce) {
  set("DEVICES", "2");
  set("SEED", "5");
  std::string said[2];
  std::thread other([&] {
    auto executor = open(1);
    for (int i = 0; i < 5; ++i) said[1] += run(*executor, GetParam().kernel, 3000);
  });
  auto executor = open(0);
  for (int i = 0; i < 5; ++i) said[0] += run(*executor, GetParam().kernel, 3000);
  other.join();
  EXPECT_EQ(said[0], "");
  EXPECT_EQ(said[1], "");
  EXPECT_FALSE(rt::driver::open_device(id(2)));
}

TEST_P(Fake, ArchitecturesAreTakenInOrder) {
  set("DEVICES", "3");
  set("ARCH", GetParam().kind == std::string("cuda") ? "sm_80,sm_120" : "gfx906,gfx1100");
  EXPECT_EQ(open(0)->info().target, GetParam().kind == std::string("cuda") ? "cuda:sm_80" : "hip:gfx906");
  EXPECT_EQ(open(2)->info().target, GetParam().kind == std::string("cuda") ? "cuda:sm_120" : "hip:gfx1100");
  EXPECT_EQ(open(0)->info().warp, GetParam().kind == std::string("cuda") ? 32 : 64);
  EXPECT_EQ(open(2)->info().warp, 32);
}

TEST_P(Fake, NoDevice) {
  set("DEVICES", "0");
  const auto opened = rt::driver::open_device(id(0));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("finds no device"), std::string::npos) << opened.error().message;
}

TEST_P(Fake, DriverTooOld) {
  set("VERSION", GetParam().kind == std::string("cuda") ? "11080" : "40500000");
  const auto opened = rt::driver::open_device(id(0));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("too old"), std::string::npos) << opened.error().message;
}

TEST_P(Fake, OutOfMemoryAtTheNthAllocation) {
  set("FAIL_ALLOCATION", "2");
  auto executor = open();
  EXPECT_NE(run(*executor, GetParam().kernel, 100).find("out of memory"), std::string::npos);
  EXPECT_EQ(executor->failure(), rt::driver::Failure::memory);
  EXPECT_EQ(run(*executor, GetParam().kernel, 100), "");  // the third and fourth
}

TEST_P(Fake, MemoryIsLimited) {
  set("MEMORY", "1M");
  auto executor = open();
  EXPECT_EQ(executor->free_memory(), std::size_t{1} << 20);
  auto most = executor->allocate(1000000);
  ASSERT_TRUE(most);
  EXPECT_EQ(executor->free_memory(), (std::size_t{1} << 20) - 1000000);
  EXPECT_FALSE(executor->allocate(100000));
  EXPECT_EQ(executor->failure(), rt::driver::Failure::memory);
  most->reset();
  EXPECT_TRUE(executor->allocate(100000));
}

TEST_P(Fake, LaunchErrorAtTheNthLaunch) {
  set("FAIL_LAUNCH", "2");
  auto executor = open();
  EXPECT_EQ(run(*executor, GetParam().kernel, 100), "");
  EXPECT_NE(run(*executor, GetParam().kernel, 100).find("starting scale"), std::string::npos);
  EXPECT_EQ(executor->failure(), rt::driver::Failure::launch);
  EXPECT_EQ(run(*executor, GetParam().kernel, 100), "");
}

TEST_P(Fake, LostFromTheNthCallOn) {
  set("DEVICES", "2");
  int fine = 0;
  for (int n = 1; n < 40; ++n) {
    set("LOST", "0:" + std::to_string(n));
    auto executor = rt::driver::open_device(id(0));
    if (!executor) continue;
    const std::string said = run(**executor, GetParam().kernel, 100);
    fine += said.empty();
    if (!said.empty()) {
      EXPECT_EQ((*executor)->failure(), rt::driver::Failure::lost) << "call " << n << ": " << said;
      EXPECT_NE(run(**executor, GetParam().kernel, 100), "");
    }
    EXPECT_EQ(run(*open(1), GetParam().kernel, 100), "");  // the other device goes on
  }
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine, 39);
}

TEST_P(Fake, AKernelThatBreaksARuleLosesTheDevice) {
  auto executor = open();
  const std::string said = run(*executor, GetParam().kernel, 100, "broken");
  EXPECT_NE(said, "");
  EXPECT_EQ(executor->failure(), rt::driver::Failure::lost) << said;
}

TEST_P(Fake, TooMuchSharedMemoryIsRefused) {
  auto executor = open();
  EXPECT_EQ(run(*executor, GetParam().kernel, 100, "scale", 60000), "");
  if (GetParam().kind == std::string("cuda")) {
    EXPECT_NE(run(*executor, GetParam().kernel, 100, "scale", 240000), "");
  }
}

TEST_P(Fake, ATextThatDoesNotCompileIsRefused) {
  auto executor = open();
  const auto kernel = executor->load("extern \"C\" __global__ void f() { nonsense }\n", "f");
  ASSERT_FALSE(kernel);
  EXPECT_FALSE(executor->load("no text at all", "f"));
  EXPECT_FALSE(executor->load(GetParam().kernel, "other"));
}

TEST_P(Fake, BinariesAreReplacedByTheTextOfTheirKernel) {
  const scratch::Folder folder;
  folder.write(GetParam().kind == std::string("cuda") ? "k.cu" : "k.hip", GetParam().kernel);
  folder.write("other.cu", "no kernel\n");
  set("TEXTS", folder.path());
  auto executor = open();
  EXPECT_EQ(run(*executor, std::string("\177ELF\2\1\1\0 binary", 16), 100), "");
  EXPECT_FALSE(executor->load(std::string("\177ELF\2\1\1\0 binary", 16), "other"));
}

TEST_P(Fake, SlowCopiesTakeTheirTimeAsleep) {
  set("COPY_MS", "200");
  auto executor = open();
  const std::size_t bytes = std::size_t{1} << 20;
  auto host = executor->allocate_pinned(bytes), device = executor->allocate(bytes);
  auto queue = executor->queue();
  ASSERT_TRUE(host && device && queue);
  const auto before = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();
  ASSERT_TRUE((*queue)->copy_in(**device, 0, **host, 0, bytes));
  const std::chrono::duration<double> issued = std::chrono::steady_clock::now() - before;
  ASSERT_TRUE((*queue)->finish());
  const std::chrono::duration<double> done = std::chrono::steady_clock::now() - before;
  EXPECT_LT(issued.count(), 0.1);  // asynchronous
  EXPECT_GE(done.count(), 0.2);
  EXPECT_LT(static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC, 0.1);
}

TEST_P(Fake, LogsWhatItWasAsked) {
  const scratch::Folder folder;
  const std::string file = folder.path("log");
  set("LOG", file);
  EXPECT_EQ(run(*open(), GetParam().kernel, 100), "");
  std::ifstream log(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  EXPECT_EQ(lines, (std::vector<std::string>{"0 allocate 400", "0 allocate 400", "0 copy in 400",
                                             "0 launch scale grid 2 block 64 shared 256", "0 copy out 400"}));
}

TEST(FakeNvrtc, CompilesToWhatTheFakeDriverRuns) {
  setenv("ALNSMITH_NVRTC", FAKE_DIR "/libnvrtc.so.13", 1);
  ASSERT_NE(dlopen(FAKE_DIR "/libcuda.so.1", RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  rt::compile::CompileOptions options;
  options.cuda_compiler = "nvrtc";
  const auto binary = rt::compile::compile_device(cuda.kernel, "cuda:sm_90", options, {});
  ASSERT_TRUE(binary) << binary.error().message;
  EXPECT_EQ(binary->kernels.size(), 2u);
  EXPECT_EQ(binary->kernels.at("scale").registers, 64);
  auto executor = rt::driver::open_device("cuda:0");
  ASSERT_TRUE(executor) << executor.error().message;
  EXPECT_EQ(run(**executor, binary->bytes, 100), "");
  const auto wrong =
      rt::compile::compile_device("extern \"C\" __global__ void f() { nonsense }\n", "cuda:sm_90", options, {});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("nonsense"), std::string::npos) << wrong.error().message;
  unsetenv("ALNSMITH_NVRTC");
}

}  // namespace
