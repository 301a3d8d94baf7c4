// A launch slot on a stand-in for a device whose memory runs out when it is told to.
#include "device/schedule/slot.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace alnsmith;

struct HostMemory : rt::driver::Memory {
  explicit HostMemory(std::size_t bytes) : bytes(bytes, 0) {}
  std::size_t size() const override { return bytes.size(); }
  void *host() const override { return const_cast<unsigned char *>(bytes.data()); }
  std::vector<unsigned char> bytes;
};

// Copies at once. A launch gives each alignment a CIGAR of one run, as long as the alignment's number and 1.
struct Queue : rt::driver::DeviceQueue {
  Status copy_in(rt::driver::Memory &to, std::size_t to_offset, const rt::driver::Memory &host, std::size_t host_offset,
                 std::size_t bytes) override {
    std::memcpy(static_cast<char *>(to.host()) + to_offset, static_cast<const char *>(host.host()) + host_offset,
                bytes);
    return Ok{};
  }
  Status copy_out(rt::driver::Memory &host, std::size_t host_offset, const rt::driver::Memory &from,
                  std::size_t from_offset, std::size_t bytes) override {
    std::memcpy(static_cast<char *>(host.host()) + host_offset, static_cast<const char *>(from.host()) + from_offset,
                bytes);
    return Ok{};
  }
  Status launch(const rt::driver::DeviceKernel &, int, int, std::size_t,
                std::span<const rt::driver::Argument> arguments) override {
    const std::size_t n = arguments.size();
    const auto ints = [&](std::size_t from_end) { return static_cast<int *>(arguments[n - from_end].memory->host()); };
    for (int a = 0; a < arguments[0].number; ++a) {
      ints(5)[a] = (a + 1) * 16;
      ints(2)[a] = a;
      ints(1)[a] = 1;
    }
    *ints(3) = arguments[0].number;
    return Ok{};
  }
  Status finish() override { return Ok{}; }
};

struct Device : rt::driver::Executor {
  const DeviceInfo &info() const override { return info_; }
  std::size_t free_memory() override { return most; }
  Result<std::unique_ptr<rt::driver::Memory>> allocate(std::size_t bytes) override {
    if (bytes > most) return Error{"no memory"};
    return std::unique_ptr<rt::driver::Memory>(std::make_unique<HostMemory>(bytes));
  }
  Result<std::unique_ptr<rt::driver::Memory>> allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  Result<std::unique_ptr<rt::driver::DeviceQueue>> queue() override {
    return std::unique_ptr<rt::driver::DeviceQueue>(std::make_unique<Queue>());
  }
  Result<std::unique_ptr<rt::driver::DeviceKernel>> load(const std::string &, const std::string &) override {
    return Error{"not loaded"};
  }
  rt::driver::Failure failure() const override { return rt::driver::Failure::memory; }

  std::size_t most = std::size_t{1} << 30;
  DeviceInfo info_;
};
struct Kernel : rt::driver::DeviceKernel {
  int blocks_per_processor(int, std::size_t) const override { return 1; }
};

class Slots : public testing::Test {
 protected:
  Slots() : slot_(device_, *device_.queue()) {
    info_.outputs = {Output::score,       Output::query_end,    Output::target_end,
                     Output::query_begin, Output::target_begin, Output::cigar};
    info_.device.trace_row_words = 1;
    manifest_.query_codes = manifest_.target_codes =
        rt::kernels::CodeTable(std::array<std::uint8_t, 256>{});  // any letter
  }
  Result<bool> submit(int pairs, std::size_t trace_words) {
    rt::schedule::Launch launch;
    launch.info = &info_;
    launch.kernel = &kernel_;
    launch.queries = launch.targets = {"ACGT"};
    launch.pair_query.assign(static_cast<std::size_t>(pairs), 0);
    launch.pair_target = launch.pair_query;
    launch.border_rows = 4;
    launch.trace_words = trace_words;
    launch.cigar_room = launch.pair_query.size();
    return slot_.submit(launch, manifest_, {}, arena_, device_.most);
  }

  Device device_;
  Kernel kernel_;
  rt::kernels::KernelInfo info_;
  rt::kernels::Manifest manifest_;
  tbb::task_arena arena_;
  rt::schedule::Slot slot_;
};

TEST_F(Slots, BringTheRunsOfAllAlignments) {
  ASSERT_TRUE(submit(5, 100));
  ASSERT_TRUE(slot_.finish());
  EXPECT_EQ(slot_.cigar_claimed(), 5U);
  for (std::size_t a = 0; a < 5; ++a) {
    ASSERT_TRUE(slot_.has_cigar(a));
    EXPECT_EQ(slot_.results(info_.outputs).run(a, 0), (a + 1) * 16);
  }
}

// Behind a launch with CIGARs: what it had left is not asked for.
TEST_F(Slots, FinishWhereMemoryRanOutBeforeTheLaunch) {
  ASSERT_TRUE(submit(5, 100));
  ASSERT_TRUE(slot_.finish());
  device_.most = 100000;
  slot_.release();
  EXPECT_FALSE(submit(50, std::size_t{1} << 20));
  EXPECT_TRUE(slot_.finish());
  ASSERT_TRUE(submit(7, 100));
  ASSERT_TRUE(slot_.finish());
  EXPECT_EQ(slot_.cigar_claimed(), 7U);
}

}  // namespace
