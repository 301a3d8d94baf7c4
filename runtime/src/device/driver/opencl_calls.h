// The OpenCL 1.2 calls that the executor uses, taken from the ICD loader at run time, and what their codes mean.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS  // clCreateCommandQueue: the one that 1.2 devices have
#include <CL/cl.h>

#include <string>
#include <vector>

#include "base/library.h"
#include "device/driver/executor.h"

namespace alnsmith::rt::driver {

#define ALN_OPENCL_CALLS(X)     \
  X(clGetPlatformIDs)           \
  X(clGetDeviceIDs)             \
  X(clGetDeviceInfo)            \
  X(clCreateContext)            \
  X(clReleaseContext)           \
  X(clCreateCommandQueue)       \
  X(clReleaseCommandQueue)      \
  X(clCreateBuffer)             \
  X(clReleaseMemObject)         \
  X(clCreateProgramWithSource)  \
  X(clCreateProgramWithBinary)  \
  X(clBuildProgram)             \
  X(clGetProgramInfo)           \
  X(clGetProgramBuildInfo)      \
  X(clReleaseProgram)           \
  X(clCreateKernel)             \
  X(clGetKernelInfo)            \
  X(clGetKernelWorkGroupInfo)   \
  X(clSetKernelArg)             \
  X(clReleaseKernel)            \
  X(clEnqueueNDRangeKernel)     \
  X(clEnqueueReadBuffer)        \
  X(clEnqueueWriteBuffer)       \
  X(clEnqueueMapBuffer)         \
  X(clEnqueueUnmapMemObject)    \
  X(clEnqueueMigrateMemObjects) \
  X(clFlush)                    \
  X(clGetEventInfo)             \
  X(clSetEventCallback)         \
  X(clWaitForEvents)            \
  X(clReleaseEvent)

struct OpenClCalls {
#define ALN_CALL(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  ALN_OPENCL_CALLS(ALN_CALL)
#undef ALN_CALL
  decltype(::clCreateProgramWithIL) *clCreateProgramWithIL = nullptr;  // OpenCL 2.1; null with older loaders
};

inline const char *const kOpenClLibrary = "libOpenCL.so.1";
Result<OpenClCalls> open_opencl_calls();

// "CL_OUT_OF_RESOURCES (-5)".
std::string opencl_error_name(cl_int code);

// `usual`: what the codes mean that are not clear by themselves, at the step that failed.
Failure opencl_failure(cl_int code, Failure usual);

// A device that kernels can run on, as its driver describes it. In the order of platforms and their devices, which is
// the numbering of "opencl:N".
struct OpenClDevice {
  cl_device_id device = nullptr;
  DeviceInfo info;
  bool takes_spirv = false;
  // PoCL's: what it compiles it keeps by itself, and when a kernel is first started; to be asked for binaries costs it
  // more than compiling, and they lack what was compiled for the start.
  bool own_cache = false;
  std::string standard = "-cl-std=CL1.2";  // that texts are built with; a later one where only it has shuffles
};
// In: the calls. Out: the devices; `problem` is set where there are none.
std::vector<OpenClDevice> opencl_devices(const OpenClCalls &cl, std::string &problem);

}  // namespace alnsmith::rt::driver
