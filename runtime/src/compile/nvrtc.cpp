// NVRTC, NVIDIA's compiler as a library, opened at run time: needs no driver, no toolkit's headers and no host
// compiler.
//
// Searched: ALNSMITH_NVRTC, the loader's path, CUDA's folders (tools.h). Compiling for sm_90 gives PTX too,
// so PTX comes with the registers and spills of its own architecture.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "base/library.h"
#include "compile/compiler.h"
#include "compile/tools.h"

namespace alnsmith::rt::compile {
namespace {

using Program = void *;

// The functions used, with NVRTC's signatures; a result of 0 is success.
struct Nvrtc {
  int (*version)(int *, int *) = nullptr;
  int (*count_archs)(int *) = nullptr;
  int (*archs)(int *) = nullptr;
  int (*create)(Program *, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*destroy)(Program *) = nullptr;
  int (*compile)(Program, int, const char *const *) = nullptr;
  int (*log_size)(Program, std::size_t *) = nullptr;
  int (*log)(Program, char *) = nullptr;
  int (*ptx_size)(Program, std::size_t *) = nullptr;
  int (*ptx)(Program, char *) = nullptr;
  int (*cubin_size)(Program, std::size_t *) = nullptr;
  int (*cubin)(Program, char *) = nullptr;
  const char *(*explain)(int) = nullptr;
  int (*on_progress)(Program, int (*)(void *, void *), void *) = nullptr;  // from 12.8 on; may be null
};

template <class Function>
bool bind(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool bind_all(void *library, Nvrtc &api) {
  bind(library, "nvrtcSetFlowCallback", api.on_progress);
  return bind(library, "nvrtcVersion", api.version) && bind(library, "nvrtcGetNumSupportedArchs", api.count_archs) &&
         bind(library, "nvrtcGetSupportedArchs", api.archs) && bind(library, "nvrtcCreateProgram", api.create) &&
         bind(library, "nvrtcDestroyProgram", api.destroy) && bind(library, "nvrtcCompileProgram", api.compile) &&
         bind(library, "nvrtcGetProgramLogSize", api.log_size) && bind(library, "nvrtcGetProgramLog", api.log) &&
         bind(library, "nvrtcGetPTXSize", api.ptx_size) && bind(library, "nvrtcGetPTX", api.ptx) &&
         bind(library, "nvrtcGetCUBINSize", api.cubin_size) && bind(library, "nvrtcGetCUBIN", api.cubin) &&
         bind(library, "nvrtcGetErrorString", api.explain);
}

// Opens the first library that is there and stays open with the process: NVRTC keeps threads and tables of its own.
Result<void *> open_nvrtc() {
  if (const char *given = std::getenv("ALNSMITH_NVRTC"); given && *given) {
    bool absent = false;
    const auto library = open_library(given, &absent);
    if (!library)
      return Error{"ALNSMITH_NVRTC: " + (absent ? std::string("cannot open ") + given : library.error().message)};
    return library;
  }
  std::vector<std::string> places = {""};
  for (const std::string &folder : cuda_folders())
    for (const char *lib : {"/lib64/", "/lib/"}) places.push_back(folder + lib);
  Error problem{"no libnvrtc.so.13 or .12"};
  for (const std::string &place : places)
    for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
      bool absent = false;
      const auto library = open_library(place + name, &absent);
      if (library) return library;
      if (!absent) problem = library.error();
    }
  return problem;
}

std::string path_of(const Nvrtc &api) {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<void *>(api.version), &info) && info.dli_fname ? info.dli_fname : "libnvrtc";
}

// NVRTC looks for its other half on the loader's path only; opened from beside it, it is found by its name.
void open_builtins(const Nvrtc &api) {
  int major = 0, minor = 0;
  const std::string path = path_of(api);
  if (path.find('/') == std::string::npos || api.version(&major, &minor) != 0) return;
  const std::string beside = path.substr(0, path.rfind('/') + 1) + "libnvrtc-builtins.so.";
  (void)bool(open_library(beside + std::to_string(major) + "." + std::to_string(minor)));  // an older one has none
}

std::vector<int> known_archs(const Nvrtc &api) {
  int count = 0;
  if (api.count_archs(&count) != 0 || count <= 0) return {};
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (api.archs(archs.data()) != 0) archs.clear();
  return archs;
}

// A size and a getter of NVRTC to a string; PTX and logs end with a NUL, which is dropped.
std::string fetch(Program program, int (*size_of)(Program, std::size_t *), int (*get)(Program, char *), bool text) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0) return {};
  std::string bytes(size, '\0');
  if (size == 0 || get(program, bytes.data()) != 0) return {};
  while (text && !bytes.empty() && bytes.back() == '\0') bytes.pop_back();
  return bytes;
}

struct Progress {
  const Cancelled &cancelled;
  std::atomic<bool> stopped{false};
  // NVRTC wants the same answer once it was yes.
  static int ask(void *self, void *) {
    auto &progress = *static_cast<Progress *>(self);
    if (!progress.stopped && progress.cancelled && progress.cancelled()) progress.stopped = true;
    return progress.stopped ? 1 : 0;
  }
};

class NvrtcCompiler : public DeviceCompiler {
 public:
  NvrtcCompiler(const Nvrtc &api, const DeviceTarget &target, const CompileOptions &options) : api_(api) {
    int major = 0, minor = 0;
    api.version(&major, &minor);
    const std::string path = path_of(api);
    target_ = "cuda:" + target.arch;
    text_name_ = options.name.empty() ? "kernel.cu" : options.name;
    name_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor) + " (" + path + ")";
    identity_ = name_ + "\n" + file_identity(path);
    arch_ = "sm_" + target.arch.substr(target.arch.find('_') + 1);
    wants_ptx_ = target.arch.starts_with("compute_");
    flags_ = {"--gpu-architecture=" + arch_, "--std=c++17", "--ptxas-options=-v"};
  }

  Result<DeviceBinary> compile(const std::string &text, const Cancelled &cancelled) const override {
    const Error interrupted{"interrupted", 130};
    if (cancelled && cancelled()) return interrupted;
    Program program = nullptr;
    if (const int code = api_.create(&program, text.c_str(), text_name_.c_str(), 0, nullptr, nullptr); code != 0)
      return failure(api_.explain(code));
    Progress progress{cancelled};
    if (api_.on_progress) api_.on_progress(program, &Progress::ask, &progress);
    std::vector<const char *> words;
    for (const std::string &flag : flags_) words.push_back(flag.c_str());
    const int code = api_.compile(program, static_cast<int>(words.size()), words.data());
    const std::string log = fetch(program, api_.log_size, api_.log, true);
    std::string bytes = code != 0    ? std::string()
                        : wants_ptx_ ? fetch(program, api_.ptx_size, api_.ptx, true)
                                     : fetch(program, api_.cubin_size, api_.cubin, false);
    api_.destroy(&program);
    if (cancelled && cancelled()) return interrupted;
    if (code != 0) return failure(log.empty() ? api_.explain(code) : complaint(log));
    if (bytes.empty()) return failure("it made no binary; its log: " + complaint(log));
    auto binary = result(wants_ptx_ ? BinaryKind::ptx : BinaryKind::cubin, std::move(bytes), log);
    binary.kernels = models::ptxas_resources(log, arch_);
    return binary;
  }

 private:
  Nvrtc api_;
  std::string arch_;
  bool wants_ptx_ = false;
};

}  // namespace

FoundCompiler find_nvrtc(const DeviceTarget &target, const CompileOptions &options) {
  const auto library = open_nvrtc();
  if (!library) return library.error();
  Nvrtc api;
  if (!bind_all(*library, api)) return Error{"libnvrtc is older than 12: install CUDA 12 or 13"};
  open_builtins(api);
  const std::vector<int> archs = known_archs(api);
  const int wanted = models::cuda_capability(target.arch);
  auto compiler = std::make_unique<NvrtcCompiler>(api, target, options);
  if (std::find(archs.begin(), archs.end(), wanted) == archs.end()) {
    std::string known;
    for (int arch : archs) known += (known.empty() ? "sm_" : ", sm_") + std::to_string(arch);
    return Error{compiler->name() + " does not know " + target.arch + ", only " + known};
  }
  return std::unique_ptr<DeviceCompiler>(std::move(compiler));
}

}  // namespace alnsmith::rt::compile
