// CUDA by programs: nvcc, or clang for PTX with ptxas for the rest.  See tools.h.
//
// PTX comes with the registers and spills that ptxas reports for its own architecture, as with NVRTC; without ptxas
// clang still makes PTX, and its kernels are not known.
#include "compile/tools.h"
#include "targets/targets.h"

namespace alnsmith::rt::compile {
namespace {

std::string real_arch(const DeviceTarget &target) { return "sm_" + target.arch.substr(target.arch.find('_') + 1); }
bool wants_ptx(const DeviceTarget &target) { return target.arch.starts_with("compute_"); }

// Of an architecture without a row: the newest that this clang is told of.
int ptx_version(const std::string &arch) {
  const targets::Device *row = targets::find_device(targets::Kind::cuda, arch);
  return row ? row->ptx : 90;
}

class NvccCompiler : public DeviceCompiler {
 public:
  NvccCompiler(std::string path, const ProgramVersion &version, const DeviceTarget &target,
               const CompileOptions &options)
      : path_(std::move(path)), arch_(real_arch(target)), ptx_(wants_ptx(target)) {
    target_ = "cuda:" + target.arch;
    name_ = version.name;
    identity_ = version.identity;
    text_name_ = options.name.empty() ? "kernel.cu" : options.name;
    flags_ = {"-x", "cu", "-std=c++17", "-O3", "-arch=" + arch_, "-cubin", "-Xptxas", "-v"};
  }

  Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const override {
    const WorkFolder folder;
    if (auto ok = folder.write(text_name_, text); !ok) return failure(ok.error().message);
    auto cubin = run(folder, {}, "kernel.cubin", cancelled);
    if (!cubin) return cubin.error();
    auto kernels = models::ptxas_resources(cubin->log, arch_);
    if (ptx_) {
      auto ptx = run(folder, "-ptx", "kernel.ptx", cancelled);
      if (!ptx) return ptx.error();
      cubin->bytes = std::move(ptx->bytes);
    }
    auto binary = result(ptx_ ? BinaryKind::ptx : BinaryKind::cubin, std::move(cubin->bytes), cubin->log);
    binary.kernels = std::move(kernels);
    return binary;
  }

 private:
  Result<Compiled> run(const WorkFolder &folder, const std::string &instead_of_cubin, const std::string &output,
                       const Cancelled &cancelled) const {
    std::vector<std::string> argv = {path_};
    for (const std::string &flag : flags_)
      argv.push_back(flag == "-cubin" && !instead_of_cubin.empty() ? instead_of_cubin : flag);
    argv.insert(argv.end(), {folder.file(text_name_), "-o", folder.file(output)});
    auto done = run_compiler(argv, folder, output, cancelled);
    if (done || done.error().exit_code == 130) return done;
    return failure(done.error().message);
  }

  std::string path_, arch_;
  bool ptx_;
};

class CudaClang : public DeviceCompiler {
 public:
  CudaClang(std::string clang, const ProgramVersion &version, std::string ptxas, const ProgramVersion *ptxas_version,
            const DeviceTarget &target, const CompileOptions &options)
      : clang_(std::move(clang)), ptxas_(std::move(ptxas)), arch_(real_arch(target)), ptx_(wants_ptx(target)) {
    target_ = "cuda:" + target.arch;
    name_ = version.name + (ptxas_version ? " with " + ptxas_version->name : "");
    identity_ = version.identity + (ptxas_version ? "\n" + ptxas_version->identity : "");
    text_name_ = options.name.empty() ? "kernel.cu" : options.name;
    // No toolkit is looked at, so that the same clang gives the same PTX everywhere.
    flags_ = {"-x",
              "cuda",
              "-std=c++17",
              "-O3",
              "--cuda-device-only",
              "--cuda-path=/dev/null",
              "-nocudainc",
              "-nocudalib",
              "-Wno-unknown-cuda-version",
              "--cuda-gpu-arch=" + arch_,
              "--cuda-feature=+ptx" + std::to_string(ptx_version(arch_)),
              "-S"};
  }

  Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const override {
    const WorkFolder folder;
    if (auto ok = folder.write(text_name_, text); !ok) return failure(ok.error().message);
    std::vector<std::string> argv = {clang_};
    argv.insert(argv.end(), flags_.begin(), flags_.end());
    argv.insert(argv.end(), {folder.file(text_name_), "-o", folder.file("kernel.ptx")});
    auto ptx = run_compiler(argv, folder, "kernel.ptx", cancelled);
    if (!ptx) return ptx.error().exit_code == 130 ? ptx.error() : failure(ptx.error().message);
    if (ptxas_.empty()) return result(BinaryKind::ptx, std::move(ptx->bytes), ptx->log);
    auto cubin = run_compiler(
        {ptxas_, "-v", "-O3", "-arch=" + arch_, folder.file("kernel.ptx"), "-o", folder.file("kernel.cubin")}, folder,
        "kernel.cubin", cancelled);
    if (!cubin) return cubin.error().exit_code == 130 ? cubin.error() : failure(cubin.error().message);
    auto binary = result(ptx_ ? BinaryKind::ptx : BinaryKind::cubin, std::move(ptx_ ? ptx->bytes : cubin->bytes),
                         ptx->log + cubin->log);
    binary.kernels = models::ptxas_resources(cubin->log, arch_);
    return binary;
  }

 private:
  std::string clang_, ptxas_, arch_;
  bool ptx_;
};

}  // namespace

FoundCompiler find_nvcc(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled) {
  const std::string path = find_cuda_program("nvcc");
  if (path.empty()) return Error{"no nvcc"};
  const auto version = program_version_of(path, options, cancelled);
  if (!version) return version.error();
  return std::unique_ptr<DeviceCompiler>(std::make_unique<NvccCompiler>(path, *version, target, options));
}

FoundCompiler find_cuda_clang(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled) {
  const std::string clang = find_clang(), ptxas = find_cuda_program("ptxas");
  if (clang.empty()) return Error{std::string("no ") + kClangNames};
  if (ptxas.empty() && !wants_ptx(target)) return Error{"no ptxas for " + clang};
  const auto version = program_version_of(clang, options, cancelled);
  if (!version) return version.error();
  if (ptxas.empty())
    return std::unique_ptr<DeviceCompiler>(
        std::make_unique<CudaClang>(clang, *version, ptxas, nullptr, target, options));
  const auto assembler = program_version_of(ptxas, options, cancelled);
  if (!assembler) return assembler.error();
  return std::unique_ptr<DeviceCompiler>(
      std::make_unique<CudaClang>(clang, *version, ptxas, &*assembler, target, options));
}

}  // namespace alnsmith::rt::compile
