// Where compilers for devices lie, and a place for their files; shared by compile_*.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "base/process.h"
#include "compile/device_compiler.h"

namespace alnsmith::rt::compile {

// "hip:gfx90a:xnack-" is hip and "gfx90a:xnack-"; an error for what is no device target.
struct DeviceTarget {
  DeviceKind kind = DeviceKind::cuda;
  std::string arch;
};
Result<DeviceTarget> parse_device_target(const std::string &target);

// Folders that may hold CUDA's bin/ and lib64/ or lib/: CUDA_HOME and CUDA_PATH, else /usr/local/cuda;
// and the one that `tools/setup cuda` fills (ALNSMITH_CUDA_DIR, else ~/.local/share/alnsmith/cuda).
std::vector<std::string> cuda_folders();

// A program of CUDA (nvcc, ptxas, nvdisasm) on PATH or in those folders; empty if there is none.
std::string find_cuda_program(const std::string &name);

// ALNSMITH_CLANG, else clang-22 down to clang-19, whose targets are known; empty if there is none.
std::string find_clang();
extern const char *const kClangNames;  // for messages

// "NAME X.Y" from the program's --version, and its identity for keys.
struct ProgramVersion {
  std::string name, identity;
};
Result<ProgramVersion> program_version_of(const std::string &path, const CompileOptions &options,
                                          const Cancelled &cancelled);

// A private folder that goes with its files when the object does.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;
  const std::string &path() const { return path_; }  // empty if it could not be made
  Status made() const;                               // the error says what to do where it could not
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  // A file in it; an error, too, where there is no folder: without one its files would be those of the root.
  Status write(const std::string &name, std::string_view text) const;
  // Compilers name the file that they read; messages should name what the user knows.
  std::string without_path(std::string text) const;

 private:
  std::string path_;
};

// Runs `argv` on `text`, written as `input` into `folder`; what it wrote into `output`, and in `log` what it said.
struct Compiled {
  std::string bytes, log;
};
Result<Compiled> run_compiler(const std::vector<std::string> &argv, const WorkFolder &folder, const std::string &output,
                              const Cancelled &cancelled);

// One for each compiler; `why` says what is missing where the result is null.
using FoundCompiler = Result<std::unique_ptr<DeviceCompiler>>;
FoundCompiler find_nvrtc(const DeviceTarget &target, const CompileOptions &options);
FoundCompiler find_nvcc(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled);
FoundCompiler find_cuda_clang(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled);
FoundCompiler find_hip_clang(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled);
FoundCompiler find_opencl(const DeviceTarget &target, const CompileOptions &options, const Cancelled &cancelled);

}  // namespace alnsmith::rt::compile
