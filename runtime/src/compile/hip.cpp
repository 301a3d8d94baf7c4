// HIP by clang and LLVM's linker alone, no ROCm: one code object for one architecture.  See tools.h.
#include <filesystem>

#include "compile/tools.h"

namespace alnsmith::rt::compile {
namespace {

namespace fs = std::filesystem;

// gfx10 and later run 32 threads in lock step and can run 64; before, it is always 64.
bool may_choose_warp(const std::string &arch) {
  const std::string number = arch.substr(3, arch.find_first_of(":-", 3) - 3);
  return number.size() >= 4 && number[0] == '1';
}

class HipClang : public DeviceCompiler {
 public:
  HipClang(std::string clang, const ProgramVersion &version, const DeviceTarget &target, const CompileOptions &options)
      : clang_(std::move(clang)), arch_(target.arch), warp_(options.warp) {
    target_ = "hip:" + arch_;
    name_ = version.name;
    identity_ = version.identity;
    text_name_ = options.name.empty() ? "kernel.hip" : options.name;
    // Without an identifier made of the input's path, so that the same text gives the same bytes.
    flags_ = {"-x",
              "hip",
              "-std=c++17",
              "-O3",
              "--cuda-device-only",
              "--offload-arch=" + arch_,
              "-nogpuinc",
              "-nogpulib",
              "--no-gpu-bundle-output",
              "-fuse-cuid=none"};
    if (warp_ != 0 && may_choose_warp(arch_))
      flags_.push_back(warp_ == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
  }

  Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const override {
    const WorkFolder folder;
    if (auto ok = folder.write(text_name_, text); !ok) return failure(ok.error().message);
    std::vector<std::string> argv = {clang_};
    argv.insert(argv.end(), flags_.begin(), flags_.end());
    argv.insert(argv.end(), {folder.file(text_name_), "-o", folder.file("kernel.co")});
    auto object = run_compiler(argv, folder, "kernel.co", cancelled);
    if (!object) return object.error().exit_code == 130 ? object.error() : failure(object.error().message);
    auto kernels = models::amd_resources(object->bytes, arch_);
    if (!kernels) return failure(kernels.error().message);
    for (const auto &[entry, resources] : *kernels)
      if (warp_ != 0 && resources.warp != warp_)
        return failure("kernel " + entry + " is compiled for " + std::to_string(resources.warp) +
                       " threads in lock step, not " + std::to_string(warp_));
    auto binary = result(BinaryKind::code_object, std::move(object->bytes), object->log);
    binary.kernels = *std::move(kernels);
    return binary;
  }

 private:
  std::string clang_, arch_;
  int warp_;
};

}  // namespace

FoundCompiler find_hip_clang(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled) {
  const std::string named = "hip:" + target.arch;
  if (options.warp != 0 && options.warp != 32 && options.warp != 64)
    return Error{named + ": a warp has 32 or 64 threads, not " + std::to_string(options.warp), 2};
  if (options.warp == 32 && !may_choose_warp(target.arch))
    return Error{named + ": this architecture runs 64 threads in lock step; generate for warp 64"};
  const std::string clang = find_clang();
  if (clang.empty())
    return Error{named + ": no HIP compiler (" + kClangNames + "): run tools/setup hip, or set ALNSMITH_CLANG"};
  const auto version = program_version_of(clang, options, cancelled);
  if (!version) return version.error();
  std::error_code error;
  if (!fs::exists(fs::canonical(clang, error).parent_path() / "ld.lld", error))
    return Error{named + ": " + version->name + " has no ld.lld beside it: run tools/setup hip, or install its lld"};
  return std::unique_ptr<DeviceCompiler>(std::make_unique<HipClang>(clang, *version, target, options));
}

}  // namespace alnsmith::rt::compile
