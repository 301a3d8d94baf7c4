// Device kernel text to what a device loads: cubin, PTX, AMD code object, SPIR-V; OpenCL C stays text.
//
// In:  a text as alnsmith-generate prints it (one file, includes nothing) and a device target:
//      cuda:sm_90 (cuda:sm_90a, ...) a cubin, cuda:compute_90 PTX, hip:gfx90a:sramecc+:xnack- a code object,
//      opencl the text itself, opencl:spirv64 SPIR-V.
// Out: the bytes, what the compiler said, what each kernel needs of the device, and what belongs into a cache's key.
// Errors are one line that names target, compiler, and file and line of the text where there is one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/devices.hpp"
#include "alnsmith/result.hpp"
#include "base/cache.h"
#include "base/process.h"
#include "models/resources.h"

namespace alnsmith::rt::compile {

enum class BinaryKind { cubin, ptx, code_object, opencl_c, spirv };

std::string_view suffix(BinaryKind kind);  // of a file, without the dot: cubin, ptx, co, cl, spv

struct DeviceBinary {
  std::string bytes;
  BinaryKind kind = BinaryKind::cubin;
  std::string log;                                   // the compiler's own words, ptxas's figures among them
  std::string compiler;                              // "NVRTC 13.0 (/usr/local/cuda/lib64/libnvrtc.so.13)"
  std::string identity;                              // of the compiler, for keys: path, size, time of change, version
  std::vector<std::string> flags;                    // without input and output
  std::map<std::string, models::Resources> kernels;  // by entry; empty where only the device's driver knows
  std::string cached_as;                             // its name in the cache; empty where it is not kept there
};

struct CompileOptions {
  std::string name;              // of the text, for messages; empty: "kernel.cu", "kernel.hip", "kernel.cl"
  int warp = 0;                  // hip, gfx10 and later: 32 or 64 threads in lock step; 0: the architecture's own
  std::string cuda_compiler;     // nvrtc, nvcc or clang; empty: ALNSMITH_CUDA_COMPILER, else the first that is there
  bool check = false;            // opencl: parse the text with Clang, if there is one
  const Cache *cache = nullptr;  // remembers compilers' versions
};

// A compiler for one target, found once and used for many texts; by several threads at once too.
class DeviceCompiler {
 public:
  virtual ~DeviceCompiler() = default;
  // `cancelled` may be empty; it may be asked from another thread. Cancelled: an error with exit code 130.
  virtual Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const = 0;

  const std::string &name() const { return name_; }
  const std::string &identity() const { return identity_; }
  const std::vector<std::string> &flags() const { return flags_; }
  const std::string &target() const { return target_; }

 protected:
  DeviceBinary result(BinaryKind kind, std::string bytes, std::string log) const;
  Error failure(const std::string &what) const { return Error{target_ + ": " + name_ + ": " + what}; }

  std::string target_, name_, identity_, text_name_;
  std::vector<std::string> flags_;
};

// Looks for CUDA's compilers in the order NVRTC, nvcc, clang with ptxas; for HIP and SPIR-V for clang-22 to clang-19.
Result<std::unique_ptr<DeviceCompiler>> find_device_compiler(const std::string &target, const CompileOptions &options,
                                                             const Cancelled &cancelled);

// find_device_compiler and compile at once.
Result<DeviceBinary> compile_device(const std::string &text, const std::string &target, const CompileOptions &options,
                                    const Cancelled &cancelled);

// The same, but a binary that `cache` holds for the same text, target, compiler and flags is taken from there, and a
// new one is kept. A cache that cannot be written is no error.
Result<DeviceBinary> compile_device_cached(const std::string &text, const std::string &target,
                                           const CompileOptions &options, const Cache &cache,
                                           const Cancelled &cancelled);

// What compile_device_cached keeps as `name`; nothing where the cache has no such file, or a damaged one.
std::optional<DeviceBinary> load_cached_binary(const Cache &cache, const std::string &name);

// The error of the first kernel that spills; see check_resources in models/resources.h.
Status check_resources(const DeviceBinary &binary, const std::string &target);

// The largest of `candidates` whose kernels fit, and its binary. `compile` makes the text for a k and compiles it; its
// error ends the search. Every candidate from the largest down is tried: spilling need not grow with k.
struct LargestFitting {
  int k = 0;
  DeviceBinary binary;
  std::vector<std::string> refused;  // why, one line each
};
Result<LargestFitting> largest_fitting(std::vector<int> candidates, const std::string &target,
                                       const std::function<Result<DeviceBinary>(int k)> &compile);

}  // namespace alnsmith::rt::compile
