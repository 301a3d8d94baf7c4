// See small_kernels.h.
#include "small_kernels.h"

namespace alnsmith::test {
namespace {

// The words that CUDA's compilers know and clang without headers does not.
constexpr const char *kCudaPrelude = R"(
#if defined(__clang__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#else
#define THREAD threadIdx.x
#endif
#define BARRIER asm volatile("bar.sync 0;" ::: "memory")
)";

constexpr const char *kHipPrelude = R"(
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define THREAD __builtin_amdgcn_workitem_id_x()
#define BARRIER __builtin_amdgcn_s_barrier()
)";

constexpr const char *kOpenClPrelude = R"(
#define __launch_bounds__(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define THREAD (int)get_local_id(0)
)";

constexpr const char *kSmall = R"(
extern "C" __global__ void __launch_bounds__(128) small(int n, int *x) {
  const int t = THREAD;
  if (t < n) x[t] += n;
}
extern "C" __global__ void __launch_bounds__(128) shared(int n, int *x) {
  __shared__ int s[256];
  const int t = THREAD;
  s[t ^ n] = t;
  BARRIER;
  x[t] += s[t];
}
)";

constexpr const char *kTile = R"(
KERNEL __launch_bounds__(1024) tile(int n, BUFFER int *x) {
  int v[LIVE];
  const int t = THREAD;
#pragma unroll
  for (int i = 0; i < LIVE; ++i) v[i] = x[i * n + t];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int i = 0; i < LIVE; ++i) v[i] = v[i] * v[(i + 7) % LIVE] + j;
  }
#pragma unroll
  for (int i = 0; i < LIVE; ++i) x[i * n + t] = v[i];
}
)";

constexpr const char *kLocal = R"(
extern "C" __global__ void __launch_bounds__(128) local(int n, int *x) {
  int v[64];
  for (int i = 0; i < 64; ++i) v[x[i] & 63] = i;
  x[THREAD] = v[n & 63];
}
)";

constexpr const char *kRowsCuda = R"(
typedef unsigned u32;
#define OPERATION(NAME, WORDS) \
  static __device__ inline u32 NAME(u32 a, u32 b) { u32 d; asm(WORDS : "=r"(d) : "r"(a), "r"(b)); return d; }
OPERATION(half_add, "add.f16x2 %0, %1, %2;")
OPERATION(half_max, "max.f16x2 %0, %1, %2;")
OPERATION(short_add, "add.s16x2 %0, %1, %2;")
OPERATION(short_max, "max.s16x2 %0, %1, %2;")
#define ROWS(NAME, ADD, MAX)                                                                             \
  extern "C" __global__ void __launch_bounds__(128) NAME(int rows, const u32 *score, u32 gap, u32 *out) { \
    u32 h[CELLS];                                                                                        \
    for (int i = 0; i < CELLS; ++i) h[i] = 0;                                                            \
    for (int row = 0; row < rows; ++row) {                                                               \
      u32 diagonal = 0, left = 0;                                                                        \
      for (int i = 0; i < CELLS; ++i) {                                                                  \
        const u32 match = ADD(diagonal, score[(row * CELLS + i) * 128 + THREAD]);                        \
        diagonal = h[i];                                                                                 \
        left = h[i] = MAX(MAX(match, ADD(left, gap)), ADD(h[i], gap));                                   \
      }                                                                                                  \
    }                                                                                                    \
    for (int i = 0; i < CELLS; ++i) out[i * 128 + THREAD] = h[i];                                        \
  }
ROWS(half2, half_add, half_max)
#if __CUDA_ARCH__ >= 900  // PTX has packed 16-bit integers from there on
ROWS(hybrid, half_add, short_max)
ROWS(s16x2, short_add, short_max)
#endif
)";

constexpr const char *kRowsHip = R"(
typedef short pair __attribute__((ext_vector_type(2)));
extern "C" __global__ void __launch_bounds__(128) s16x2(int rows, const pair *score, int gap, pair *out) {
  pair h[CELLS], cost = (short)gap;
  for (int i = 0; i < CELLS; ++i) h[i] = 0;
  for (int row = 0; row < rows; ++row) {
    pair diagonal = 0, left = 0;
    for (int i = 0; i < CELLS; ++i) {
      const pair match = diagonal + score[(row * CELLS + i) * 128 + THREAD];
      diagonal = h[i];
      left = h[i] = __builtin_elementwise_max(__builtin_elementwise_max(match, left + cost), h[i] + cost);
    }
  }
  for (int i = 0; i < CELLS; ++i) out[i * 128 + THREAD] = h[i];
}
)";

std::string define(const std::string &name, const std::string &value) { return "#define " + name + " " + value + "\n"; }

std::string tile(int live, const char *prelude, const std::string &kernel, const std::string &buffer) {
  return define("LIVE", std::to_string(live)) + define("KERNEL", kernel) + define("BUFFER", buffer) + prelude + kTile;
}

}  // namespace

std::string small_cuda() { return std::string(kCudaPrelude) + kSmall; }
std::string small_hip() { return std::string(kHipPrelude) + kSmall; }
std::string small_opencl() {
  return "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void small(int n, __global int *x) {\n"
         "  const int t = (int)get_local_id(0);\n"
         "  if (t < n) x[t] += n;\n"
         "}\n";
}
std::string tile_cuda(int live) { return tile(live, kCudaPrelude, "extern \"C\" __global__ void", ""); }
std::string tile_hip(int live) { return tile(live, kHipPrelude, "extern \"C\" __global__ void", ""); }
std::string tile_opencl(int live) { return tile(live, kOpenClPrelude, "__kernel void", "__global"); }
std::string local_cuda() { return std::string(kCudaPrelude) + kLocal; }
std::string local_hip() { return std::string(kHipPrelude) + kLocal; }
std::string rows_cuda() { return define("CELLS", std::to_string(kRowCells)) + kCudaPrelude + kRowsCuda; }
std::string rows_hip() { return define("CELLS", std::to_string(kRowCells)) + kHipPrelude + kRowsHip; }

}  // namespace alnsmith::test
