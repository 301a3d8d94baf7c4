// libnvrtc.so.13: a "compiler" whose cubin is the text, for the fake libcuda.so.1.  The text is compiled for the CPU,
// so that mistakes show where a user would see them; the log is one that ptxas could have written.
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt.h"

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Code : int { OK = 0, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6 };

struct Program {
  std::string text, log, binary;
};

constexpr int ARCHITECTURES[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

std::string ptxas_log(const std::vector<std::string> &kernels, const std::string &architecture) {
  std::string log = "ptxas info    : 0 bytes gmem\n";
  for (const std::string &kernel : kernels) {
    log += "ptxas info    : Compiling entry function '" + kernel + "' for '" + architecture +
           "'\nptxas info    : Function properties for " + kernel +
           "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info    : Used 64 registers, used 1 barriers\n";
  }
  return log;
}

int give(const std::string &bytes, char *to) {
  std::memcpy(to, bytes.data(), bytes.size());
  return OK;
}

}  // namespace

FAKE_EXPORT int nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 0;
  return OK;
}
FAKE_EXPORT int nvrtcGetNumSupportedArchs(int *count) {
  *count = static_cast<int>(std::size(ARCHITECTURES));
  return OK;
}
FAKE_EXPORT int nvrtcGetSupportedArchs(int *list) {
  std::memcpy(list, ARCHITECTURES, sizeof ARCHITECTURES);
  return OK;
}
FAKE_EXPORT const char *nvrtcGetErrorString(int code) {
  switch (code) {
    case OK:
      return "NVRTC_SUCCESS";
    case INVALID_INPUT:
      return "NVRTC_ERROR_INVALID_INPUT";
    case INVALID_PROGRAM:
      return "NVRTC_ERROR_INVALID_PROGRAM";
    case INVALID_OPTION:
      return "NVRTC_ERROR_INVALID_OPTION";
    case COMPILATION:
      return "NVRTC_ERROR_COMPILATION";
    default:
      return "NVRTC_ERROR unknown";
  }
}

FAKE_EXPORT int nvrtcCreateProgram(void **program, const char *text, const char *, int headers, const char *const *,
                                   const char *const *) {
  if (!text || headers != 0) return INVALID_INPUT;
  *program = new Program{text, "", ""};
  return OK;
}
FAKE_EXPORT int nvrtcDestroyProgram(void **program) {
  delete static_cast<Program *>(*program);
  *program = nullptr;
  return OK;
}
FAKE_EXPORT int nvrtcCompileProgram(void *handle, int count, const char *const *options) {
  auto *const program = static_cast<Program *>(handle);
  std::string architecture;
  const std::string wanted = "--gpu-architecture=";
  for (int i = 0; i < count; ++i) {
    if (std::string(options[i]).starts_with(wanted)) architecture = std::string(options[i]).substr(wanted.size());
  }
  if (architecture.empty()) return INVALID_OPTION;
  try {
    simt::check(program->text, simt::Dialect::cuda);
    program->log = ptxas_log(simt::kernel_names(program->text, simt::Dialect::cuda), architecture);
    program->binary = program->text + '\0';
    return OK;
  } catch (const std::runtime_error &error) {
    program->log = error.what();
    return COMPILATION;
  }
}

// Logs and PTX end with a zero byte that is counted; so does this cubin.
FAKE_EXPORT int nvrtcGetProgramLogSize(void *program, std::size_t *size) {
  *size = static_cast<Program *>(program)->log.size() + 1;
  return OK;
}
FAKE_EXPORT int nvrtcGetProgramLog(void *program, char *log) {
  return give(static_cast<Program *>(program)->log + '\0', log);
}
FAKE_EXPORT int nvrtcGetPTXSize(void *program, std::size_t *size) {
  *size = static_cast<Program *>(program)->binary.size();
  return OK;
}
FAKE_EXPORT int nvrtcGetPTX(void *program, char *text) { return give(static_cast<Program *>(program)->binary, text); }
FAKE_EXPORT int nvrtcGetCUBINSize(void *program, std::size_t *size) { return nvrtcGetPTXSize(program, size); }
FAKE_EXPORT int nvrtcGetCUBIN(void *program, char *binary) { return nvrtcGetPTX(program, binary); }
