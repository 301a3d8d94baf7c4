// Which OpenCL devices there are, over all platforms.  In: the loader's calls. Out: usable devices in a fixed order.
#include <algorithm>
#include <cstdlib>

#include "device/driver/driver_error.h"
#include "device/driver/host.h"
#include "device/driver/opencl_calls.h"
#include "device/driver/platforms.h"

namespace alnsmith::rt::driver {
namespace {

template <class T>
T device_value(const OpenClCalls &cl, cl_device_id device, cl_device_info what) {
  T value = 0;
  return cl.clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{0};
}

std::string device_text(const OpenClCalls &cl, cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (cl.clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (cl.clGetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS) return "";
  return on_one_line(text);
}

// "OpenCL 1.2 words" -> 102.
int version_number(const std::string &text) {
  const std::size_t at = text.find(' ');
  if (at == std::string::npos) return 0;
  char *end = nullptr;
  const long major = std::strtol(text.c_str() + at, &end, 10);
  return static_cast<int>(major * 100 + (*end == '.' ? std::strtol(end + 1, nullptr, 10) : 0));
}

// Threads in lock step, where NVIDIA's or AMD's extension tells; others do not know these queries.
int lock_step(const OpenClCalls &cl, cl_device_id device) {
  constexpr cl_device_info kWarpSizeNv = 0x4003, kWavefrontWidthAmd = 0x4043;
  for (const cl_device_info what : {kWarpSizeNv, kWavefrontWidthAmd})
    if (const auto width = device_value<cl_uint>(cl, device, what); width > 0) return static_cast<int>(width);
  return 1;
}

OpenClDevice describe(const OpenClCalls &cl, cl_device_id device, int index) {
  OpenClDevice found;
  found.device = device;
  found.takes_spirv = cl.clCreateProgramWithIL && !device_text(cl, device, CL_DEVICE_IL_VERSION).empty();
  DeviceInfo &info = found.info;
  info.kind = DeviceKind::opencl;
  info.index = index;
  info.id = "opencl:" + std::to_string(index);
  info.name = device_text(cl, device, CL_DEVICE_NAME);
  info.target = "opencl";
  info.driver = device_text(cl, device, CL_DEVICE_VERSION) + ", driver " + device_text(cl, device, CL_DRIVER_VERSION);
  found.own_cache = info.driver.find("PoCL") != std::string::npos || info.driver.find("pocl") != std::string::npos;
  info.memory = device_value<cl_ulong>(cl, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.processors = static_cast<int>(device_value<cl_uint>(cl, device, CL_DEVICE_MAX_COMPUTE_UNITS));
  info.warp = lock_step(cl, device);
  info.shared_memory = device_value<cl_ulong>(cl, device, CL_DEVICE_LOCAL_MEM_SIZE);
  info.unified = device_value<cl_bool>(cl, device, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  info.gpu = (device_value<cl_device_type>(cl, device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
  // Kernels exchange by shuffles where a GPU has sub-groups with them; a driver may know these from 3.0 on only.
  const bool shuffles =
      device_text(cl, device, CL_DEVICE_EXTENSIONS).find("cl_khr_subgroup_shuffle") != std::string::npos;
  if (info.gpu && shuffles && version_number(device_text(cl, device, CL_DEVICE_VERSION)) >= 300)
    found.standard = "-cl-std=CL3.0";
  // OpenCL cannot tell what is free; where it is the host's memory, the host can.
  info.free_memory = info.unified ? std::min(info.memory, host_memory().free) : info.memory;
  return found;
}

bool usable(const OpenClCalls &cl, cl_device_id device) {
  return device_value<cl_bool>(cl, device, CL_DEVICE_AVAILABLE) != CL_FALSE &&
         device_value<cl_bool>(cl, device, CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE &&
         version_number(device_text(cl, device, CL_DEVICE_VERSION)) >= 102;
}

}  // namespace

std::vector<OpenClDevice> opencl_devices(const OpenClCalls &cl, std::string &problem) {
  cl_uint count = 0;
  const cl_int code = cl.clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(code == CL_SUCCESS ? count : 0);
  if (platforms.empty() || cl.clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) {
    problem = "no OpenCL platform" + (code == CL_SUCCESS ? std::string() : ", " + opencl_error_name(code)) +
              ": install the device's OpenCL driver, or pocl-opencl-icd for the CPU" + hidden_by({"OCL_ICD_VENDORS"});
    return {};
  }
  std::vector<OpenClDevice> found;
  std::size_t unusable = 0;
  for (cl_platform_id platform : platforms) {
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(count);
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) continue;
    for (cl_device_id device : devices) {
      if (usable(cl, device))
        found.push_back(describe(cl, device, static_cast<int>(found.size())));
      else
        ++unusable;
    }
  }
  if (found.empty())
    problem = unusable == 0
                  ? "the OpenCL platforms have no device: look at `clinfo`"
                  : "no OpenCL device is available with a compiler of OpenCL C 1.2 or later: update the driver";
  return found;
}

PlatformReport list_opencl() {
  PlatformReport report{DeviceKind::opencl, kOpenClLibrary, "", {}};
  const auto cl = open_opencl_calls();
  if (!cl) {
    report.problem = cl.error().message;
    return report;
  }
  for (OpenClDevice &device : opencl_devices(*cl, report.problem)) report.devices.push_back(std::move(device.info));
  return report;
}

}  // namespace alnsmith::rt::driver
