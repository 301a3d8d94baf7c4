// Every collective on warps of 32 and 64, widths below a warp, dynamic shared memory, several blocks, seeded orders.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "simt.h"

namespace {

using simt::Dialect;

// A kernel that stores `expression` of (lane, value) for each thread.
std::string cuda_kernel(const std::string &expression) {
  return "extern \"C\" __global__ void __launch_bounds__(256) entry(int *out, int n) {\n"
         "  const int lane = threadIdx.x & 31, value = 100 + threadIdx.x;\n"
         "  out[blockIdx.x * blockDim.x + threadIdx.x] = " +
         expression + ";\n}\n";
}

std::string hip_kernel(const std::string &expression) {
  return "extern \"C\" __attribute__((global)) void __attribute__((amdgpu_flat_work_group_size(1, 256)))\n"
         "entry(int *out, int n) {\n"
         "  const int lane = __builtin_amdgcn_workitem_id_x() & (__builtin_amdgcn_wavefrontsize() - 1);\n"
         "  const int value = 100 + __builtin_amdgcn_workitem_id_x();\n"
         "  out[__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +\n"
         "      __builtin_amdgcn_workitem_id_x()] = " +
         expression + ";\n}\n";
}

std::vector<int> run(const std::string &text, Dialect dialect, int n, const simt::Settings &settings = {}, int grid = 2,
                     int block = 128) {
  const simt::Module module = simt::compile(text, dialect);
  std::vector<int> out(static_cast<std::size_t>(grid * block), -1);
  int *pointer = out.data();
  const auto arguments = simt::pointers(pointer, n);
  module.launch("entry", grid, block, 0, arguments, settings);
  return out;
}

// All threads against `expected(thread, n)`, in three orders, on one and on two host threads.
template <class Expected>
void check(const std::string &text, Dialect dialect, int warp, std::initializer_list<int> values, Expected expected) {
  const simt::Module module = simt::compile(text, dialect);
  for (int n : values) {
    for (const simt::Settings &settings : {simt::Settings{0, warp, 1}, {1, warp, 2}, {77, warp, 1}}) {
      std::vector<int> out(256, -1);
      int *pointer = out.data();
      const auto arguments = simt::pointers(pointer, n);
      module.launch("entry", 2, 128, 0, arguments, settings);
      for (int i = 0; i < 256; ++i) {
        ASSERT_EQ(out[static_cast<std::size_t>(i)], expected(i % 128, n)) << "thread " << i << ", n " << n;
      }
    }
  }
}

TEST(Shuffle, ByIndexWrapsWithinItsSegment) {
  check(cuda_kernel("__shfl_sync(0xffffffffu, value, n, 8)"), Dialect::cuda, 32, {0, 3, 7, 9, -1},
        [](int i, int n) { return 100 + i / 8 * 8 + (n & 7); });
  check(cuda_kernel("__shfl_sync(0xffffffffu, value, n)"), Dialect::cuda, 32, {0, 31, 40},
        [](int i, int n) { return 100 + i / 32 * 32 + (n & 31); });
}

TEST(Shuffle, UpKeepsTheFirstLanesOfASegment) {
  check(cuda_kernel("__shfl_up_sync(0xffffffffu, value, n, 16)"), Dialect::cuda, 32, {0, 1, 5, 16, 31},
        [](int i, int n) { return 100 + (i % 16 >= n ? i - n : i); });
  check(cuda_kernel("(int)__shfl_up_sync(0xffffffffu, (unsigned)value, n)"), Dialect::cuda, 32, {1, 31},
        [](int i, int n) { return 100 + (i % 32 >= n ? i - n : i); });
}

TEST(Shuffle, DownKeepsTheLastLanesOfASegment) {
  check(cuda_kernel("__shfl_down_sync(0xffffffffu, value, n, 8)"), Dialect::cuda, 32, {0, 1, 7, 8},
        [](int i, int n) { return 100 + (i % 8 + n < 8 ? i + n : i); });
}

TEST(Shuffle, XorReadsEarlierSegmentsOnly) {
  check(cuda_kernel("__shfl_xor_sync(0xffffffffu, value, n, 8)"), Dialect::cuda, 32, {1, 7, 8, 16, 31},
        [](int i, int n) {
          const int other = i ^ n;
          return 100 + (other / 8 <= i / 8 ? other : i);
        });
  check(cuda_kernel("__shfl_xor_sync(0xffffffffu, value, n)"), Dialect::cuda, 32, {1, 16, 31},
        [](int i, int n) { return 100 + (i ^ n); });
}

TEST(Shuffle, CarriesFloatsAndLongs) {
  check(cuda_kernel("(int)(2 * __shfl_down_sync(0xffffffffu, value + 0.5f, n))"), Dialect::cuda, 32, {1},
        [](int i, int n) { return 2 * (100 + (i % 32 + n < 32 ? i + n : i)) + 1; });
  check(cuda_kernel("(int)(__shfl_sync(0xffffffffu, (long long)value << 40, n) >> 40)"), Dialect::cuda, 32, {3},
        [](int i, int n) { return 100 + i / 32 * 32 + n; });
}

TEST(Shuffle, WorksOnPartOfAWarp) {
  check(cuda_kernel("lane < 16 ? __shfl_up_sync(0xffffu, value, n, 16) : -5"), Dialect::cuda, 32, {1, 2},
        [](int i, int n) { return i % 32 < 16 ? 100 + (i % 16 >= n ? i - n : i) : -5; });
}

TEST(Vote, CountsTheLanesOfTheMask) {
  check(cuda_kernel("(int)__ballot_sync(0xffffffffu, lane % 3 == n)"), Dialect::cuda, 32, {0, 1, 5}, [](int, int n) {
    unsigned bits = 0;
    for (int lane = 0; lane < 32; ++lane) bits |= static_cast<unsigned>(lane % 3 == n) << lane;
    return static_cast<int>(bits);
  });
  check(cuda_kernel("__any_sync(0xffffffffu, lane == n)"), Dialect::cuda, 32, {0, 31, 32},
        [](int, int n) { return n < 32; });
  check(cuda_kernel("__all_sync(0xffffffffu, lane < n)"), Dialect::cuda, 32, {31, 32},
        [](int, int n) { return n == 32; });
}

class Wave : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Widths, Wave, testing::Values(32, 64));

TEST_P(Wave, PermuteReadsTheLaneOfTheByteIndex) {
  const int warp = GetParam();
  check(hip_kernel("__builtin_amdgcn_ds_bpermute(4 * (lane - n), value)"), Dialect::hip, warp, {0, 1, 13},
        [&](int i, int n) { return 100 + i / warp * warp + ((i - n) & (warp - 1)); });
}

TEST_P(Wave, BallotHasOneBitALane) {
  const int warp = GetParam();
  const std::string vote =
      warp == 32 ? "__builtin_amdgcn_ballot_w32(lane % 5 == n)" : "__builtin_amdgcn_ballot_w64(lane % 5 == n)";
  check(hip_kernel("(int)((unsigned long long)" + vote + " >> (lane & 32))"), Dialect::hip, warp, {0, 3},
        [&](int i, int n) {
          unsigned bits = 0;
          for (int lane = 0; lane < 32; ++lane)
            bits |= static_cast<unsigned>((lane + (i % warp & 32)) % 5 == n) << lane;
          return static_cast<int>(bits);
        });
}

TEST_P(Wave, ReadLaneBroadcasts) {
  const int warp = GetParam();
  check(hip_kernel("__builtin_amdgcn_readlane(value, n)"), Dialect::hip, warp, {0, 31, warp - 1},
        [&](int i, int n) { return 100 + i / warp * warp + n; });
  check(hip_kernel("__builtin_amdgcn_readfirstlane(value)"), Dialect::hip, warp, {0},
        [&](int i, int) { return 100 + i / warp * warp; });
}

TEST_P(Wave, RowShiftsStayInRowsOfSixteen) {
  const int warp = GetParam();
  for (int n : {1, 4, 15}) {
    const std::string control = std::to_string(n);
    check(hip_kernel("__builtin_amdgcn_update_dpp(-7, value, 0x110 + " + control + ", 0xf, 0xf, false)"), Dialect::hip,
          warp, {0}, [&](int i, int) { return i % 16 >= n ? 100 + i - n : -7; });
    check(hip_kernel("__builtin_amdgcn_update_dpp(-7, value, 0x100 + " + control + ", 0xf, 0xf, true)"), Dialect::hip,
          warp, {0}, [&](int i, int) { return i % 16 + n < 16 ? 100 + i + n : 0; });
  }
}

TEST_P(Wave, OtherControlsOfAPrimitive) {
  const int warp = GetParam();
  const auto dpp = [](const std::string &control) {
    return hip_kernel("__builtin_amdgcn_update_dpp(-7, value, " + control + ", 0xf, 0xf, false)");
  };
  check(dpp("0x1b"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + (i ^ 3); });  // quad_perm:[3,2,1,0]
  check(dpp("0x123"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + i / 16 * 16 + (i + 13) % 16; });
  check(dpp("0x140"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + (i ^ 15); });
  check(dpp("0x141"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + (i ^ 7); });
  check(dpp("0x152"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + i / 16 * 16 + 2; });
  check(dpp("0x165"), Dialect::hip, warp, {0}, [](int i, int) { return 100 + (i ^ 5); });
}

TEST_P(Wave, PermutationsOfEightAndOfRows) {
  const int warp = GetParam();
  // Each lane the next one of its eight.
  check(hip_kernel("__builtin_amdgcn_mov_dpp8(value, 1 | 2 << 3 | 3 << 6 | 4 << 9 | 5 << 12 | 6 << 15 | 7 << 18)"),
        Dialect::hip, warp, {0}, [](int i, int) { return 100 + (i & ~7) + ((i + 1) & 7); });
  check(hip_kernel("__builtin_amdgcn_permlanex16(value, value, -1, -1, false, false)"), Dialect::hip, warp, {0},
        [](int i, int) { return 100 + ((i & ~15) ^ 16) + 15; });
  check(hip_kernel("__builtin_amdgcn_permlane16(value, value, 0x76543210, 0x01234567, false, false)"), Dialect::hip,
        warp, {0}, [](int i, int) { return 100 + (i & 8 ? (i & ~15) + 7 - (i & 7) : i); });
}

TEST_P(Wave, MasksOfAPrimitiveKeepTheOldValue) {
  check(hip_kernel("__builtin_amdgcn_update_dpp(-7, value, 0x140, 0x5, 0x3, false)"), Dialect::hip, GetParam(), {0},
        [warp = GetParam()](int i, int) {
          const int lane = i % warp;
          return (0x5 >> (lane / 16) & 1) && (0x3 >> (lane % 16 / 4) & 1) ? 100 + (i ^ 15) : -7;
        });
}

TEST(Wave64, ShiftsAndRotatesOverTheWholeWave) {
  const auto dpp = [](const std::string &control) {
    return hip_kernel("__builtin_amdgcn_update_dpp(-7, value, " + control + ", 0xf, 0xf, false)");
  };
  check(dpp("0x138"), Dialect::hip, 64, {0}, [](int i, int) { return i % 64 ? 100 + i - 1 : -7; });
  check(dpp("0x130"), Dialect::hip, 64, {0}, [](int i, int) { return i % 64 < 63 ? 100 + i + 1 : -7; });
  check(dpp("0x13c"), Dialect::hip, 64, {0}, [](int i, int) { return 100 + i / 64 * 64 + (i + 63) % 64; });
  check(dpp("0x134"), Dialect::hip, 64, {0}, [](int i, int) { return 100 + i / 64 * 64 + (i + 1) % 64; });
  check(dpp("0x142"), Dialect::hip, 64, {0}, [](int i, int) { return i % 64 >= 16 ? 100 + i / 16 * 16 - 1 : -7; });
  check(dpp("0x143"), Dialect::hip, 64, {0}, [](int i, int) { return i % 64 >= 32 ? 100 + i / 32 * 32 - 1 : -7; });
}

TEST(Hip, BytesAndVectors) {
  // From the lowest: byte 0 of b; the sign of a's byte 1 (0x83: ones) or 3 (0x01: zero); ones; zero.
  check(hip_kernel("(int)__builtin_amdgcn_perm(0x01828384u, 0x11223344u, 0x0c0d0a00u + (n << 8))"), Dialect::hip, 32,
        {0, 1}, [](int, int n) { return n == 0 ? 0x00ffff44 : 0x00ff0044; });
  check(hip_kernel("(int)__builtin_amdgcn_perm(0x01828384u, 0x11223344u, 0x07060504u)"), Dialect::hip, 32, {0},
        [](int, int) { return 0x01828384; });
  check("typedef short pair __attribute__((ext_vector_type(2)));\n" +
            hip_kernel("({ pair a = {(short)value, (short)-value}, b = {(short)n, (short)n};\n"
                       "pair m = __builtin_elementwise_max(a, b); (int)m.x * 1000 + m.y; })"),
        Dialect::hip, 32, {0, 150, -120},
        [](int i, int n) { return std::max(100 + i, n) * 1000 + std::max(-100 - i, n); });
}

// A sum over the block by a tree in shared memory.
const char *const tree_sum = R"(
struct __align__(16) aln_quad { unsigned x, y, z, w; };
extern __shared__ aln_quad aln_shared[];
extern "C" __global__ void __launch_bounds__(256) entry(int *out, int n) {
  int *sums = (int *)aln_shared;
  sums[threadIdx.x] = threadIdx.x + blockIdx.x + n;
  SYNC
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    SYNC
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
)";

std::vector<int> sums(const simt::Module &module, std::uint64_t seed, int host_threads) {
  std::vector<int> out(8, -1);
  int *pointer = out.data();
  int n = 3;
  const auto arguments = simt::pointers(pointer, n);
  module.launch("entry", 8, 256, 256 * sizeof(int), arguments, {seed, 32, host_threads});
  return out;
}

TEST(Order, DoesNotMatterToARightKernel) {
  const simt::Module module = simt::compile(std::string("#define SYNC __syncthreads();\n") + tree_sum, Dialect::cuda);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<int> out = sums(module, seed, 1 + static_cast<int>(seed % 3));
    for (int block = 0; block < 8; ++block) {
      EXPECT_EQ(out[static_cast<std::size_t>(block)], 255 * 256 / 2 + 256 * (block + 3)) << "seed " << seed;
    }
  }
}

TEST(Order, ShowsAMissingBarrier) {
  const simt::Module module = simt::compile(std::string("#define SYNC\n") + tree_sum, Dialect::cuda);
  const std::vector<int> natural = sums(module, 0, 1);
  int different = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) different += sums(module, seed, 1) != natural;
  EXPECT_GT(different, 5);
}

TEST(Order, IsTheSameForTheSameSeed) {
  const simt::Module module = simt::compile(std::string("#define SYNC\n") + tree_sum, Dialect::cuda);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(sums(module, seed, 1), sums(module, seed, 2));
}

TEST(Launch, TakesBlocksThatAreNoMultipleOfAWarp) {
  const std::vector<int> out = run(cuda_kernel("lane < n ? value : -1"), Dialect::cuda, 32, {}, 3, 40);
  for (int i = 0; i < 120; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 100 + i % 40);
}

TEST(Launch, RunsAThousandThreadsABlock) {
  const std::string text =
      "extern \"C\" __global__ void __launch_bounds__(1024) entry(int *out) {\n"
      "  __syncthreads();\n  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);\n}\n";
  const simt::Module module = simt::compile(text, Dialect::cuda);
  std::vector<int> out(1024);
  int *pointer = out.data();
  const auto arguments = simt::pointers(pointer);
  const simt::Counters counters = module.launch("entry", 1, 1024, 0, arguments);
  for (int i = 0; i < 1024; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i ^ 1);
  EXPECT_EQ(counters.barriers, 1u);
  EXPECT_EQ(counters.collectives, 32u);
}

}  // namespace
