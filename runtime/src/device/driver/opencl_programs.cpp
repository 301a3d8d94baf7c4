// Kernel texts to programs of an OpenCL driver.  In: OpenCL C, or SPIR-V where it begins with SPIR-V's magic number.
// Text is built with the options that its first lines name ("compile with ..."), else with the device's standard.
//
// What the driver made of a text is kept in the user's cache, opencl-<key>; it names text, device, driver and options.
// A binary that the driver refuses is made anew from the text.
#include <cstring>

#include "base/files.h"
#include "device/driver/driver_error.h"
#include "device/driver/opencl.h"

namespace alnsmith::rt::driver {
namespace {

bool is_spirv(const std::string &binary) {
  constexpr std::uint32_t kMagic = 0x07230203;
  return binary.size() > sizeof kMagic && std::memcmp(binary.data(), &kMagic, sizeof kMagic) == 0;
}

std::string build_options(const std::string &text, const std::string &standard) {
  const std::string key = "compile with ";
  std::size_t end = 0;
  for (int line = 0; line < 3 && end != std::string::npos; ++line) end = text.find('\n', end + (line > 0));
  const std::string stamp = text.substr(0, end);
  const std::size_t at = stamp.find(key);
  if (at == std::string::npos) return standard;
  return stamp.substr(at + key.size(), stamp.find('\n', at) - at - key.size());
}

std::string key_of(const std::string &text, const DeviceInfo &device, const std::string &options) {
  return "opencl-" +
         sha256_hex("opencl 1\n" + sha256_hex(text) + "\n" + device.name + "\n" + device.driver + "\n" + options);
}

}  // namespace

cl_int OpenClExecutor::build(cl_program program, const std::string &options) {
  return cl_.clBuildProgram(program, 1, &device_.device, options.c_str(), nullptr, nullptr);
}

cl_program OpenClExecutor::kept_program(const std::string &name, const std::string &options) {
  const auto binary = cache_->load(name);
  if (!binary) return nullptr;
  const auto *bytes = reinterpret_cast<const unsigned char *>(binary->data());
  const std::size_t size = binary->size();
  cl_int refused = CL_SUCCESS, code = CL_SUCCESS;
  cl_program made = cl_.clCreateProgramWithBinary(context_, 1, &device_.device, &size, &bytes, &refused, &code);
  if (code != CL_SUCCESS) return nullptr;
  if (refused == CL_SUCCESS && build(made, options) == CL_SUCCESS) return made;
  cl_.clReleaseProgram(made);
  return nullptr;
}

// What cannot be had or kept is built again next time.
void OpenClExecutor::keep(cl_program program, const std::string &name) {
  std::size_t size = 0;
  if (cl_.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return;
  std::string binary(size, '\0');
  char *bytes = binary.data();
  if (cl_.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, static_cast<void *>(&bytes), nullptr) ==
      CL_SUCCESS)
    (void)cache_->store(name, binary);
}

Result<cl_program> OpenClExecutor::program(const std::string &binary) {
  if (const auto known = programs_.find(binary); known != programs_.end()) return known->second;
  const bool spirv = is_spirv(binary);
  if (spirv && !device_.takes_spirv) return refuse("the device takes no SPIR-V: give it OpenCL C");
  const std::string options = spirv ? "" : build_options(binary, device_.standard);
  const std::string name = cache_ && !device_.own_cache ? key_of(binary, info(), options) : "";
  cl_program made = name.empty() ? nullptr : kept_program(name, options);
  if (!made) {
    auto built = program_of_text(binary, spirv, options);
    if (!built) return built;
    made = *built;
    if (!name.empty()) keep(made, name);
  }
  programs_.emplace(binary, made);
  return made;
}

Result<cl_program> OpenClExecutor::program_of_text(const std::string &binary, bool spirv, const std::string &options) {
  cl_int code = CL_SUCCESS;
  const char *text = binary.data();
  const std::size_t size = binary.size();
  cl_program made = spirv ? cl_.clCreateProgramWithIL(context_, text, size, &code)
                          : cl_.clCreateProgramWithSource(context_, 1, &text, &size, &code);
  if (code != CL_SUCCESS) return fail("reading the kernel text", code, Failure::other);
  code = build(made, options);
  if (code == CL_SUCCESS) return made;
  std::size_t length = 0;
  cl_.clGetProgramBuildInfo(made, device_.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
  std::string log(length, '\0');
  cl_.clGetProgramBuildInfo(made, device_.device, CL_PROGRAM_BUILD_LOG, length, log.data(), nullptr);
  cl_.clReleaseProgram(made);
  return fail("building the kernel text with '" + options + "'", code, Failure::other, log);
}

}  // namespace alnsmith::rt::driver
