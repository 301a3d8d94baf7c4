// Choosing a compiler, and what all of them share.  See device_compiler.h.
#include "compile/device_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "compile/tools.h"

namespace alnsmith::rt::compile {
namespace {

// The first of CUDA's compilers that is there, or the one asked for.
FoundCompiler find_cuda(const DeviceTarget &target, const std::string &named, const CompileOptions &options,
                        const Cancelled &cancelled) {
  const char *variable = std::getenv("ALNSMITH_CUDA_COMPILER");
  const std::string wanted = !options.cuda_compiler.empty() ? options.cuda_compiler : variable ? variable : "";
  std::string missing;
  for (const std::string choice : {"nvrtc", "nvcc", "clang"}) {
    if (!wanted.empty() && wanted != choice) continue;
    auto found = choice == "nvrtc"  ? find_nvrtc(target, options)
                 : choice == "nvcc" ? find_nvcc(target, options, cancelled)
                                    : find_cuda_clang(target, options, cancelled);
    if (found || found.error().exit_code == 130) return found;
    missing += (missing.empty() ? "" : "; ") + found.error().message;
  }
  if (missing.empty()) return Error{"ALNSMITH_CUDA_COMPILER is '" + wanted + "': choose nvrtc, nvcc or clang", 2};
  return Error{named + ": no CUDA compiler (" + missing + "): run tools/setup cuda, or install a CUDA toolkit"};
}

}  // namespace

std::string_view suffix(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::cubin:
      return "cubin";
    case BinaryKind::ptx:
      return "ptx";
    case BinaryKind::code_object:
      return "co";
    case BinaryKind::opencl_c:
      return "cl";
    case BinaryKind::spirv:
      return "spv";
  }
  return "";
}

DeviceBinary DeviceCompiler::result(BinaryKind kind, std::string bytes, std::string log) const {
  DeviceBinary binary;
  binary.kind = kind;
  binary.bytes = std::move(bytes);
  binary.log = std::move(log);
  binary.compiler = name_;
  binary.identity = identity_;
  binary.flags = flags_;
  return binary;
}

Result<std::unique_ptr<DeviceCompiler>> find_device_compiler(const std::string &target, const CompileOptions &options,
                                                             const Cancelled &cancelled) {
  const auto parsed = parse_device_target(target);
  if (!parsed) return parsed.error();
  if (cancelled && cancelled()) return Error{"interrupted", 130};
  if (parsed->kind == DeviceKind::cuda) return find_cuda(*parsed, target, options, cancelled);
  if (parsed->kind == DeviceKind::opencl) return find_opencl(*parsed, options, cancelled);
  return find_hip_clang(*parsed, options, cancelled);
}

Result<DeviceBinary> compile_device(const std::string &text, const std::string &target, const CompileOptions &options,
                                    const Cancelled &cancelled) {
  const auto compiler = find_device_compiler(target, options, cancelled);
  if (!compiler) return compiler.error();
  return (*compiler)->compile(text, cancelled);
}

Status check_resources(const DeviceBinary &binary, const std::string &target) {
  for (const auto &[entry, resources] : binary.kernels)
    if (auto ok = check_resources(resources, entry, target); !ok) return ok;
  return Ok{};
}

Result<LargestFitting> largest_fitting(std::vector<int> candidates, const std::string &target,
                                       const std::function<Result<DeviceBinary>(int k)> &compile) {
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  std::vector<std::string> refused;
  for (int k : candidates) {
    auto binary = compile(k);
    if (!binary) return binary.error();
    const auto fits = check_resources(*binary, target);
    if (fits) return LargestFitting{k, *std::move(binary), std::move(refused)};
    refused.push_back("k = " + std::to_string(k) + ": " + fits.error().message);
  }
  if (refused.empty()) return Error{target + ": no k to choose from"};
  return Error{target + ": no k fits; " + refused.back()};
}

}  // namespace alnsmith::rt::compile
