// Kernels under AddressSanitizer: right ones run, on several host threads and after errors, and each access outside of
// what a kernel was given ends the process with a report.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simt.h"

namespace {

simt::Module compiled(const std::string &body) {
  simt::Build build;
  build.address = true;
  return simt::compile(
      "struct __align__(16) aln_quad { unsigned x, y, z, w; };\nextern __shared__ aln_quad aln_shared[];\n"
      "extern \"C\" __global__ void __launch_bounds__(64) entry(int *in, int *out, int n) {\n"
      "const int thread = threadIdx.x;\nint *words = (int *)aln_shared;\n" +
          body + "\n}\n",
      simt::Dialect::cuda, build);
}

// Four blocks of 64 threads on arrays of 64 ints, with 100 bytes of shared memory; the message of a failed launch.
std::string run(const simt::Module &module, int n, const simt::Settings &settings = {}) {
  std::vector<int> in(64, 3), out(64);
  int *pin = in.data(), *pout = out.data();
  const auto arguments = simt::pointers(pin, pout, n);
  try {
    module.launch("entry", 4, 64, 100, arguments, settings);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

TEST(Address, RightKernelsRun) {
  const simt::Module module = compiled(
      "int own[8]; for (int i = 0; i < 8; ++i) own[i] = in[thread] + i * n;\n"
      "if (thread < 25) words[thread] = own[thread & 7]; __syncthreads();\n"
      "int x = words[thread % 25]; for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);\n"
      "if (blockIdx.x == 0) out[thread] = x + own[n & 7];");
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(run(module, 3, {seed, 32, 1 + static_cast<int>(seed % 3)}), "");
}

TEST(Address, StacksAreUsableAfterAnError) {
  const simt::Module module = compiled(
      "int own[64]; for (int i = 0; i < 64; ++i) own[i] = in[i] * thread;\n"
      "if (thread == n) return; __syncthreads(); out[thread] = own[(thread * 7) & 63];");
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(run(module, i).find("has exited"), std::string::npos);
    EXPECT_EQ(run(module, 64), "");
  }
}

TEST(AddressDeathTest, GlobalMemory) {
  EXPECT_DEATH(run(compiled("out[thread] = in[thread + n];"), 1), "heap-buffer-overflow");
  EXPECT_DEATH(run(compiled("out[thread - n] = 1;"), 1), "heap-buffer-overflow");
}

TEST(AddressDeathTest, SharedMemory) {
  EXPECT_EQ(run(compiled("if (thread < 25) words[thread] = 1;"), 0), "");
  EXPECT_DEATH(run(compiled("out[thread] = words[25 * (thread == n)];"), 9), "use-after-poison");
  EXPECT_DEATH(run(compiled("if (thread == n) ((char *)words)[100] = 1;"), 9), "use-after-poison");
}

TEST(AddressDeathTest, ArraysOfAThread) {
  EXPECT_DEATH(run(compiled("volatile int own[8]; own[thread & 7] = 1; out[thread] = own[n];"), 8),
               "stack-buffer-overflow");
}

TEST(AddressDeathTest, TablesOfTheKernel) {
  EXPECT_DEATH(run(compiled("static const int table[4] = {1, 2, 3, 4}; out[thread] = table[n];"), 4),
               "global-buffer-overflow");
}

}  // namespace
