// OpenCL: the text itself goes to the device's driver; Clang may check it, or make SPIR-V of it.  See
// tools.h.
#include "compile/tools.h"

namespace alnsmith::rt::compile {
namespace {

class OpenclCompiler : public DeviceCompiler {
 public:
  OpenclCompiler(std::string clang, const ProgramVersion &version, const DeviceTarget &target,
                 const CompileOptions &options)
      : clang_(std::move(clang)), spirv_(target.arch == "spirv64") {
    target_ = spirv_ ? "opencl:spirv64" : "opencl";
    name_ = version.name;
    identity_ = version.identity;
    text_name_ = options.name.empty() ? "kernel.cl" : options.name;
    if (spirv_)  // version 1.0: whatever takes SPIR-V takes that
      flags_ = {"-x", "cl", "-cl-std=CL3.0", "-O2", "--target=spirv64v1.0", "-fintegrated-objemitter", "-c"};
    else if (!clang_.empty())
      flags_ = {"-x",
                "cl",
                "-cl-std=CL1.2",
                "--target=spir64-unknown-unknown",
                "-fsyntax-only",
                "-Xclang",
                "-finclude-default-header"};
  }

  Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const override {
    if (cancelled && cancelled()) return Error{"interrupted", 130};
    if (clang_.empty()) return result(BinaryKind::opencl_c, text, std::string("not checked: no ") + kClangNames);
    const WorkFolder folder;
    if (auto ok = folder.write(text_name_, text); !ok) return failure(ok.error().message);
    std::vector<std::string> argv = {clang_};
    argv.insert(argv.end(), flags_.begin(), flags_.end());
    argv.push_back(folder.file(text_name_));
    if (spirv_) argv.insert(argv.end(), {"-o", folder.file("kernel.spv")});
    // A check writes nothing; what it was given is what the device gets.
    auto done = run_compiler(argv, folder, spirv_ ? "kernel.spv" : text_name_, cancelled);
    if (!done) return done.error().exit_code == 130 ? done.error() : failure(done.error().message);
    return result(spirv_ ? BinaryKind::spirv : BinaryKind::opencl_c, std::move(done->bytes), done->log);
  }

 private:
  std::string clang_;
  bool spirv_;
};

}  // namespace

FoundCompiler find_opencl(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled) {
  const bool spirv = target.arch == "spirv64";
  const std::string clang = spirv || options.check ? find_clang() : std::string();
  ProgramVersion version{"the device's driver", ""};
  if (!clang.empty()) {
    auto found = program_version_of(clang, options, cancelled);
    if (!found) return found.error();
    version = *std::move(found);
  } else if (spirv) {
    return Error{std::string("opencl:spirv64: no SPIR-V compiler (") + kClangNames +
                 "): run tools/setup hip, or set ALNSMITH_CLANG"};
  }
  return std::unique_ptr<DeviceCompiler>(std::make_unique<OpenclCompiler>(clang, version, target, options));
}

}  // namespace alnsmith::rt::compile
