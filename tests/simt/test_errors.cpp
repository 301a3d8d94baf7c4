// What a device leaves undefined ends a launch with an error that names the thread and the reason.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt.h"

namespace {

using simt::Dialect;

// The message of a launch of `body` on one block; empty if it succeeds.
std::string message(const std::string &body, Dialect dialect = Dialect::cuda, int block = 64,
                    const simt::Settings &settings = {}, const simt::Build &build = {}) {
  const std::string head =
      dialect == Dialect::cuda
          ? "struct __align__(16) aln_quad { unsigned x, y, z, w; };\nextern __shared__ aln_quad aln_shared[];\n"
            "extern \"C\" __global__ void __launch_bounds__(64) entry(int *out) {\n"
            "const int thread = threadIdx.x, lane = thread & 31;\n"
          : "typedef unsigned aln_quad __attribute__((ext_vector_type(4)));\n"
            "extern __attribute__((shared)) aln_quad aln_shared[];\n"
            "extern \"C\" __attribute__((global)) void entry(int *out) {\n"
            "const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread & 31;\n";
  const simt::Module module = simt::compile(head + body + "\n}\n", dialect, build);
  std::vector<int> out(64);
  int *pointer = out.data();
  const auto arguments = simt::pointers(pointer);
  try {
    module.launch("entry", 1, block, 256, arguments, settings);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return {};
}

#define EXPECT_SAYS(text, part)                                                          \
  do {                                                                                   \
    const std::string said = (text);                                                     \
    EXPECT_NE(said.find(part), std::string::npos) << "the message is: '" << said << "'"; \
  } while (false)

TEST(Divergence, AShuffleThatHalfOfTheWarpSkips) {
  EXPECT_SAYS(message("if (lane < 16) out[thread] = __shfl_up_sync(~0u, thread, 1);"),
              "entry, block 0, thread 0: __shfl_up_sync waits for lane 16, which has exited");
}

TEST(Divergence, ShufflesOfTwoBranches) {
  // The same source line and operation, but two calls: a device may execute them at different times.
  EXPECT_SAYS(
      message("int x; if (lane & 1) x = __shfl_sync(~0u, thread, 0) * 3; else x = __shfl_sync(~0u, thread, 0) + out[1];"
              "out[thread] = x;"),
      "at another place of the kernel (divergence)");
}

TEST(Divergence, ShufflesOfUnequalTurnsOfALoop) {
  EXPECT_SAYS(message("int x = thread; for (int i = 0; i < lane; ++i) x += __shfl_sync(~0u, x, 0); out[thread] = x;"),
              "which has exited");
}

TEST(Divergence, AVoteAndAShuffle) {
  EXPECT_SAYS(
      message("if (lane < 3) out[thread] = __any_sync(~0u, thread); else out[thread] = __shfl_sync(~0u, thread, 1);"),
      "__any_sync waits for lane 3, which came to __shfl_sync");
}

TEST(Divergence, ASharedTailIsNone) {
  // The compiler must not copy the shuffle into both branches.
  EXPECT_EQ(message("int x = thread; if (lane & 1) x = x * 5 + out[2]; else x = x - out[3];"
                    "x = __shfl_xor_sync(~0u, x, 1); out[thread] = x;"),
            "");
  EXPECT_EQ(message("int x = thread; for (int i = 0; i < 7; ++i) { if ((lane ^ i) & 1) x += out[i]; x = "
                    "__shfl_up_sync(~0u, x, 1);"
                    "if (x & 1) x ^= out[i]; } out[thread] = x;",
                    Dialect::cuda, 64, {}, {.optimisation = "-O2"}),
            "");
}

TEST(Mask, TheCallerIsNotInIt) {
  EXPECT_SAYS(message("out[thread] = __shfl_sync(0xffffu, thread, 0);"), "the calling lane is not in its own mask");
}

TEST(Mask, LanesDisagreeAboutIt) {
  EXPECT_SAYS(message("out[thread] = __shfl_sync(lane == 5 ? 0xffu : ~0u, thread, 0);"), "with mask 0xff");
}

TEST(Mask, IsEmpty) { EXPECT_SAYS(message("out[thread] = __shfl_sync(0, thread, 0);"), "empty mask"); }

TEST(Mask, TheSourceIsOutsideOfIt) {
  EXPECT_SAYS(message("if (lane < 8) out[thread] = __shfl_sync(0xffu, thread, 9);"),
              "__shfl_sync reads lane 9, which is not in the mask 0xff");
}

TEST(Mask, NamesALaneThatTheBlockDoesNotHave) {
  EXPECT_SAYS(message("out[thread] = __shfl_sync(~0u, thread, 0);", Dialect::cuda, 40),
              "thread 32: __shfl_sync waits for lane 8, which the block does not have");
}

TEST(Exit, ALaneLeavesWhileOthersWait) {
  EXPECT_SAYS(message("if (thread == 37) return; __syncwarp(); out[thread] = 1;"),
              "thread 32: __syncwarp waits for lane 5, which has exited");
}

TEST(Barrier, IsNotReachedByAll) {
  EXPECT_SAYS(message("if (thread == 3) return; __syncthreads(); out[thread] = 1;"),
              "__syncthreads waits for thread 3, which has exited");
  EXPECT_SAYS(message("if (thread >= 32) __syncthreads(); out[thread] = 1;"), "which has exited");
}

TEST(Barrier, IsReachedFromTwoPlaces) {
  EXPECT_SAYS(
      message("if (thread < 32) { __syncthreads(); out[thread] = 1; } else { out[thread] = 2; __syncthreads(); }"),
      "barrier at another place of the kernel (divergence)");
}

TEST(Barrier, SomeLanesWaitForAShuffleInstead) {
  EXPECT_SAYS(message("if (lane == 4) __syncthreads(); out[thread] = __shfl_sync(~0u, thread, 0);"),
              "__shfl_sync waits for lane 4, which waits at __syncthreads");
}

TEST(Width, IsNoPowerOfTwo) {
  EXPECT_SAYS(message("out[thread] = __shfl_up_sync(~0u, thread, 1, 12);"), "the width is not a power of two");
}

TEST(Errors, AreFoundInEveryOrder) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_SAYS(message("if (thread == 37) return; __syncwarp(); out[thread] = 1;", Dialect::cuda, 64, {seed}),
                "which has exited");
  }
}

TEST(Errors, LeaveTheLibraryUsable) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(message("if (thread == 3) return; __syncthreads();"), "");
    EXPECT_EQ(message("__syncthreads(); out[thread] = __shfl_sync(~0u, thread, 0);"), "");
  }
}

TEST(Hip, ExchangesNeedTheWholeWave) {
  EXPECT_SAYS(message("if (lane < 16) out[thread] = __builtin_amdgcn_ds_bpermute(4, thread);", Dialect::hip),
              "__builtin_amdgcn_ds_bpermute waits for lane 16, which has exited");
  EXPECT_SAYS(message("if (thread < 40) __builtin_amdgcn_s_barrier();", Dialect::hip), "which has exited");
}

TEST(Hip, ReadsOfALaneThatTheBlockDoesNotHave) {
  EXPECT_SAYS(message("out[thread] = __builtin_amdgcn_readlane(thread, 20);", Dialect::hip, 48), "reads lane 20");
}

TEST(Hip, WaveShiftsExistOnWavesOf64Only) {
  const std::string body = "out[thread] = __builtin_amdgcn_update_dpp(0, thread, 0x138, 15, 15, true);";
  EXPECT_SAYS(message(body, Dialect::hip), "waves of 64 only");
  EXPECT_EQ(message(body, Dialect::hip, 64, {0, 64}), "");
}

TEST(SharedMemory, AWriteBehindItsEndIsFound) {
  EXPECT_SAYS(message("((unsigned char *)aln_shared)[256 + (lane == 7)] = 1;"),
              "wrote behind the block's 256 bytes of shared memory, at offset 256");
  EXPECT_EQ(message("((int *)aln_shared)[thread] = thread;"), "");
}

TEST(SharedMemory, IsNotZeroBeforeABlockWritesIt) {
  const std::string body = "if (((int *)aln_shared)[thread] == 0) __shfl_sync(0, thread, 0);";
  EXPECT_EQ(message(body), "");
}

TEST(SharedMemory, CountingFindsReadsBehindItsEndToo) {
  EXPECT_SAYS(message("out[thread] = ((int *)aln_shared)[64 + thread];", Dialect::cuda, 64, {}, {.count = true}),
              "behind the end of the block's shared memory");
}

TEST(Counting, FindsMisalignedAccesses) {
  EXPECT_SAYS(message("out[thread] = *(int *)((char *)aln_shared + 2);", Dialect::cuda, 64, {}, {.count = true}),
              "not aligned to its size");
}

TEST(Launch, IsRefusedWithWrongNumbers) {
  const simt::Module module =
      simt::compile("extern \"C\" __global__ void __launch_bounds__(64) entry(int a, float b) {}\n", Dialect::cuda);
  int a = 1;
  float b = 2;
  const auto both = simt::pointers(a, b);
  const auto one = simt::pointers(a);
  const auto say = [&](const std::string &name, int grid, int block, std::span<void *const> arguments, int warp) {
    try {
      module.launch(name, grid, block, 0, arguments, {0, warp});
    } catch (const std::runtime_error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(say("entry", 1, 64, both, 32), "");
  EXPECT_SAYS(say("other", 1, 64, both, 32), "no such kernel");
  EXPECT_SAYS(say("entry", 1, 96, both, 32), "exceed the launch bound 64");
  EXPECT_SAYS(say("entry", 0, 64, both, 32), "a grid has 1 block or more");
  EXPECT_SAYS(say("entry", 1, 64, one, 32), "1 arguments for 2 parameters");
  EXPECT_SAYS(say("entry", 1, 64, both, 64), "or 64 under HIP");
}

}  // namespace
