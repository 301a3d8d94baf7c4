// The table of targets.
#include "target/target.h"

#include <array>

namespace alnsmith::backend {

namespace {
constexpr Target table[] = {
    {"scalar", "scalar", 0, 16, "", "scalar.inc", 4, 2, ""},
    {"x86-64-v2", "x86_64_v2", 16, 16, "-march=x86-64-v2", "vector.inc", 8, 4, "__SSE4_1__"},
    {"x86-64-v3", "x86_64_v3", 32, 16, "-march=x86-64-v3", "vector.inc", 8, 4, "__AVX2__"},
    {"x86-64-v4", "x86_64_v4", 64, 32, "-march=x86-64-v4 -mprefer-vector-width=512", "vector.inc", 10, 8,
     "__AVX512BW__"},
};

// The architectures differ in what their packed 16-bit maxima can do. Turing has none in PTX; Ampere and Ada have them
// in half precision; Hopper and the big Blackwell fuse an addition or a third operand into integer ones (DPX), so that
// additions are better done as half-precision subnormals (hybrid); the small Blackwell has neither.
constexpr const char *tiles = "8x16 8x32 16x32 32x32";
constexpr Device turing{Language::cuda, "cu", 32, 64 << 10, "int32", "int32", "fp32", tiles, 8};
constexpr Device ampere{Language::cuda, "cu", 32, 163 << 10, "half2 int32", "half2 int32", "fp32", tiles, 8};
constexpr Device ada{Language::cuda, "cu", 32, 99 << 10, "half2 int32", "half2 int32", "fp32", tiles, 8};
constexpr Device hopper{Language::cuda,       "cu",         32,    227 << 10, "hybrid s16x2 int32",
                        "hybrid s16x2 int32", "half2 fp32", tiles, 8};
constexpr Device blackwell{Language::cuda, "cu", 32, 99 << 10, "half2 s16x2 int32", "half2 int32", "fp32", tiles, 8};
// Vega and CDNA run 64 threads in lock step, RDNA 32; all have packed 16-bit integers.
constexpr Device gcn{Language::hip, "hip", 64, 64 << 10, "s16x2 int32", "s16x2 int32", "half2 fp32", tiles, 4};
constexpr Device rdna{Language::hip, "hip", 32, 64 << 10, "s16x2 int32", "s16x2 int32", "half2 fp32", tiles, 8};
// Exchange through local memory, a group of lanes in a work-group: portable, not fast. Borders stay in global memory:
// a choice of memories at run time holds barriers in one branch only, which PoCL 3.1 compiles wrongly (one lane's mask
// for all lanes) or not at all.
constexpr Device portable{Language::opencl, "cl",   0,          32 << 10, "s16x2 int32",
                          "s16x2 int32",    "fp32", "8x8 8x32", 1,        false};

constexpr Target device_table[] = {
    {"cuda:sm_75", "cuda_sm_75", 0, 255, "", "cuda.inc", 0, 0, "", &turing},
    {"cuda:sm_80", "cuda_sm_80", 0, 255, "", "cuda.inc", 0, 0, "", &ampere},
    {"cuda:sm_86", "cuda_sm_86", 0, 255, "", "cuda.inc", 0, 0, "", &ada},
    {"cuda:sm_89", "cuda_sm_89", 0, 255, "", "cuda.inc", 0, 0, "", &ada},
    {"cuda:sm_90", "cuda_sm_90", 0, 255, "", "cuda.inc", 0, 0, "", &hopper},
    {"cuda:sm_100", "cuda_sm_100", 0, 255, "", "cuda.inc", 0, 0, "", &hopper},
    {"cuda:sm_120", "cuda_sm_120", 0, 255, "", "cuda.inc", 0, 0, "", &blackwell},
    {"cuda:compute_75", "cuda_compute_75", 0, 255, "", "cuda.inc", 0, 0, "", &turing},
    {"cuda:compute_80", "cuda_compute_80", 0, 255, "", "cuda.inc", 0, 0, "", &ada},
    {"hip:gfx906", "hip_gfx906", 0, 256, "", "hip.inc", 0, 0, "", &gcn},
    {"hip:gfx908", "hip_gfx908", 0, 256, "", "hip.inc", 0, 0, "", &gcn},
    {"hip:gfx90a", "hip_gfx90a", 0, 256, "", "hip.inc", 0, 0, "", &gcn},
    {"hip:gfx942", "hip_gfx942", 0, 256, "", "hip.inc", 0, 0, "", &gcn},
    {"hip:gfx1030", "hip_gfx1030", 0, 256, "", "hip.inc", 0, 0, "", &rdna},
    {"hip:gfx1100", "hip_gfx1100", 0, 256, "", "hip.inc", 0, 0, "", &rdna},
    {"hip:gfx1201", "hip_gfx1201", 0, 256, "", "hip.inc", 0, 0, "", &rdna},
    {"opencl", "opencl", 0, 0, "", "opencl.inc", 0, 0, "", &portable},
};
}  // namespace

std::span<const Target> targets() { return table; }
std::span<const Target> device_targets() { return device_table; }

const Target *find_target(std::string_view name) {
  for (const Target &t : table)
    if (t.name == name) return &t;
  for (const Target &t : device_table)
    if (name == t.name || (name.starts_with(t.name) && name[t.name.size()] == ':')) return &t;
  return nullptr;
}

std::string target_names() {
  std::string names;
  for (const auto list : {targets(), device_targets()})
    for (const Target &t : list) names += (names.empty() ? "" : ", ") + std::string(t.name);
  return names;
}

}  // namespace alnsmith::backend
