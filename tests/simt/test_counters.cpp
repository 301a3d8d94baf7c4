// Counted traffic of access patterns whose cost is known.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt.h"

namespace {

using simt::Counters;
using simt::Dialect;

// One block of 64 threads, `n` at hand; `out` has 1 MiB, 128-byte aligned; `aln_shared` has 32 KiB.
Counters count(const std::string &body, int n = 0, Dialect dialect = Dialect::cuda, simt::Settings settings = {}) {
  const std::string head =
      dialect == Dialect::cuda
          ? "struct __align__(16) aln_quad { unsigned x, y, z, w; };\nextern __shared__ aln_quad aln_shared[];\n"
            "static const int constants[64] = {1, 2, 3};\n"
            "extern \"C\" __global__ void __launch_bounds__(64) entry(int *out, int n) {\n"
            "const int thread = threadIdx.x, lane = thread & 31;\nint *words = (int *)aln_shared;\n"
          : "typedef unsigned aln_quad __attribute__((ext_vector_type(4)));\n"
            "extern __attribute__((shared)) aln_quad aln_shared[];\n"
            "extern \"C\" __attribute__((global)) void entry(int *out, int n) {\n"
            "const int thread = __builtin_amdgcn_workitem_id_x();\nint *words = (int *)aln_shared;\n";
  const simt::Module module = simt::compile(head + body + "\n}\n", dialect, {.count = true});
  std::vector<int> memory(262144 + 32);
  auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  int *out = memory.data() + (128 - address % 128) % 128 / 4;
  const auto arguments = simt::pointers(out, n);
  return module.launch("entry", 1, 64, 32768, arguments, settings);
}

TEST(Global, NeighboursShareSectors) {
  const Counters c = count("out[thread] = thread;");
  EXPECT_EQ(c.global_store.accesses, 2u);  // two warps
  EXPECT_EQ(c.global_store.bytes, 256u);
  EXPECT_EQ(c.global_store.transactions, 8u);
  EXPECT_EQ(c.global_load.accesses, 0u);
  EXPECT_EQ(c.shared_store.accesses + c.shared_load.accesses, 0u);
}

TEST(Global, FarApartEachHasItsOwn) {
  EXPECT_EQ(count("out[thread * n] = thread;", 8).global_store.transactions, 64u);
  EXPECT_EQ(count("out[thread * n] = thread;", 2).global_store.transactions, 16u);
  EXPECT_EQ(count("out[thread + n] = thread;", 1).global_store.transactions, 10u);  // across the boundary: 5 per warp
}

TEST(Global, OneAddressIsOneSector) {
  const Counters c = count("words[thread] = out[n];");
  EXPECT_EQ(c.global_load.accesses, 2u);
  EXPECT_EQ(c.global_load.transactions, 2u);
}

TEST(Global, BytesAndQuads) {
  EXPECT_EQ(count("((unsigned char *)out)[thread] = 1;").global_store.transactions, 2u);
  const Counters c = count("aln_shared[thread] = ((aln_quad *)out)[thread];");
  EXPECT_EQ(c.global_load.accesses, 2u);
  EXPECT_EQ(c.global_load.bytes, 1024u);
  EXPECT_EQ(c.global_load.transactions, 32u);
}

TEST(Global, ALoopIsCountedTurnByTurn) {
  const Counters c = count("for (int i = 0; i < n; ++i) out[i * 64 + thread] = i;", 10);
  EXPECT_EQ(c.global_store.accesses, 20u);
  EXPECT_EQ(c.global_store.transactions, 80u);
}

TEST(Global, LongLoopsWithoutARendezvousAreMatchedUp) {
  const Counters c = count("for (int i = 0; i < n; ++i) out[(i & 1023) * 64 + thread] = i;", 30000);
  EXPECT_EQ(c.global_store.accesses, 60000u);
  EXPECT_EQ(c.global_store.transactions, 240000u);
}

TEST(Global, LanesThatSkipAnAccessAreInactive) {
  const Counters c = count("if (lane < 8) out[thread] = 1;");
  EXPECT_EQ(c.global_store.accesses, 2u);
  EXPECT_EQ(c.global_store.transactions, 2u);
  const Counters loop =
      count("for (int i = 0; i < lane; ++i) out[(i & 3) * 64 + thread] = i; __syncthreads(); out[thread] = 0;");
  EXPECT_EQ(loop.global_store.accesses, 2u * (31 + 1));
}

TEST(Constants, AreNoGlobalMemory) {
  const Counters c = count("words[thread] = constants[thread & (n + 31)];");
  EXPECT_EQ(c.constant_load.accesses, 2u);
  EXPECT_EQ(c.global_load.accesses, 0u);
}

TEST(Banks, StrideOneHasNoConflict) {
  const Counters c = count("words[thread] = thread; __syncthreads(); out[thread] = words[thread ^ 1];");
  EXPECT_EQ(c.shared_store.accesses, 2u);
  EXPECT_EQ(c.shared_store.transactions, 2u);
  EXPECT_EQ(c.shared_load.transactions, 2u);
  EXPECT_EQ(c.shared_load.conflicts + c.shared_store.conflicts, 0u);
  EXPECT_EQ(c.shared_load16.accesses, 0u);
}

TEST(Banks, StrideDecidesTheConflicts) {
  for (const auto &[stride, passes] :
       std::vector<std::pair<int, unsigned>>{{2, 2}, {3, 1}, {4, 4}, {32, 32}, {33, 1}}) {
    const Counters c = count("words[thread * n] = thread;", stride);
    EXPECT_EQ(c.shared_store.transactions, 2 * passes) << "stride " << stride;
    EXPECT_EQ(c.shared_store.conflicts, 2 * (passes - 1)) << "stride " << stride;
  }
}

TEST(Banks, AWordForAllIsNoConflict) {
  const Counters c = count("out[thread] = words[n] + words[lane / 4];", 5);
  EXPECT_EQ(c.shared_load.accesses, 4u);
  EXPECT_EQ(c.shared_load.conflicts, 0u);
}

TEST(Banks, BytesOfOneWordAreNoConflict) {
  EXPECT_EQ(count("out[thread] = ((unsigned char *)aln_shared)[thread];").shared_load.conflicts, 0u);
  EXPECT_EQ(count("out[thread] = ((unsigned char *)aln_shared)[lane * 128];").shared_load.conflicts, 2u * 31);
}

TEST(Banks, EightBytesGoInTwoPhases) {
  const Counters c = count("((long long *)out)[thread] = ((long long *)aln_shared)[lane];");
  EXPECT_EQ(c.shared_load.accesses, 2u);
  EXPECT_EQ(c.shared_load.transactions, 4u);
  EXPECT_EQ(c.shared_load.conflicts, 0u);
}

TEST(Quads, InARowHaveNoConflict) {
  const Counters c = count("((aln_quad *)out)[thread] = aln_shared[lane];");
  EXPECT_EQ(c.shared_load16.accesses, 2u);
  EXPECT_EQ(c.shared_load16.transactions, 8u);  // four phases a warp
  EXPECT_EQ(c.shared_load16.conflicts, 0u);
  EXPECT_EQ(c.shared_load.accesses, 2u);
  EXPECT_EQ(c.global_store.transactions, 32u);
}

TEST(Quads, OfARowOf32WordsHaveEightfoldConflicts) {
  const Counters c = count("((aln_quad *)out)[thread] = aln_shared[lane * 8];");
  EXPECT_EQ(c.shared_load16.transactions, 64u);
  EXPECT_EQ(c.shared_load16.conflicts, 56u);
}

TEST(Quads, ReadThroughALocalCopyCountOnce) {
  const Counters c = count("const aln_quad q = aln_shared[lane]; out[thread] = q.x + q.y * q.z - q.w;");
  EXPECT_EQ(c.shared_load16.accesses, 2u);
  EXPECT_EQ(c.shared_load.bytes, 1024u);
}

TEST(Quads, AreVectorsInHip) {
  const simt::Settings wide{0, 64};
  const Counters c = count("((aln_quad *)out)[thread] = aln_shared[thread];", 0, Dialect::hip, wide);
  EXPECT_EQ(c.shared_load16.accesses, 1u);
  EXPECT_EQ(c.shared_load16.transactions, 8u);
  EXPECT_EQ(c.shared_load16.conflicts, 0u);
  EXPECT_EQ(c.global_store.transactions, 32u);
}

TEST(Quads, AreStructsInHipToo) {
  const simt::Module module = simt::compile(
      "struct __attribute__((aligned(16))) aln_quad { unsigned x, y, z, w; };\n"
      "extern __attribute__((shared)) aln_quad aln_shared[];\n"
      "extern \"C\" __attribute__((global)) void entry(unsigned *out) {\n"
      "  const aln_quad q = aln_shared[__builtin_amdgcn_workitem_id_x() * 8];\n"
      "  out[__builtin_amdgcn_workitem_id_x()] = q.x + q.y + q.z + q.w;\n}\n",
      Dialect::hip, {.count = true});
  std::vector<unsigned> out(64);
  unsigned *pointer = out.data();
  const auto arguments = simt::pointers(pointer);
  const Counters c = module.launch("entry", 1, 64, 16384, arguments, {0, 64});
  EXPECT_EQ(c.shared_load16.accesses, 1u);
  EXPECT_EQ(c.shared_load16.transactions, 64u);
  EXPECT_EQ(c.shared_load16.conflicts, 56u);
}

TEST(Counters, DoNotDependOnTheOrderOfLanes) {
  const std::string body =
      "for (int i = 0; i < 9; ++i) { words[(thread * i) & 127] = i; __syncthreads(); out[thread] += words[lane * i]; }";
  const Counters natural = count(body);
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const Counters other = count(body, 0, Dialect::cuda, {seed});
    EXPECT_EQ(natural.shared_load.transactions, other.shared_load.transactions);
    EXPECT_EQ(natural.shared_store.transactions, other.shared_store.transactions);
    EXPECT_EQ(natural.global_load.transactions, other.global_load.transactions);
    EXPECT_EQ(natural.barriers, other.barriers);
  }
}

}  // namespace
