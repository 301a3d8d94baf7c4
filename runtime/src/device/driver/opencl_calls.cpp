// The OpenCL loader, and the names and meanings of error codes.  See opencl_calls.h.
#include "device/driver/opencl_calls.h"

#include <utility>

namespace alnsmith::rt::driver {
namespace {

constexpr std::pair<cl_int, const char *> kNames[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_MAP_FAILURE, "CL_MAP_FAILURE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_INVALID_EVENT, "CL_INVALID_EVENT"},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

}  // namespace

Result<OpenClCalls> open_opencl_calls() {
  auto library = Library::open({kOpenClLibrary}, "install the OpenCL loader (Debian: ocl-icd-libopencl1)");
  if (!library) return library.error();
  OpenClCalls cl;
#define ALN_CALL(name) library->find(cl.name, #name);
  ALN_OPENCL_CALLS(ALN_CALL)
#undef ALN_CALL
  if (!library->missing().empty())
    return Error{std::string(kOpenClLibrary) + " is too old: it lacks " + library->missing() +
                 ": install a loader of OpenCL 1.2 or later (Debian: ocl-icd-libopencl1)"};
  cl.clCreateProgramWithIL =
      reinterpret_cast<decltype(cl.clCreateProgramWithIL)>(library->symbol("clCreateProgramWithIL"));
  return cl;
}

std::string opencl_error_name(cl_int code) {
  for (const auto &[known, name] : kNames)
    if (known == code) return std::string(name) + " (" + std::to_string(code) + ")";
  return "OpenCL error " + std::to_string(code);
}

Failure opencl_failure(cl_int code, Failure usual) {
  switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
      return Failure::memory;
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_INVALID_COMMAND_QUEUE:  // what some drivers answer once a kernel has crashed
      return Failure::lost;
    default:
      return usual;
  }
}

}  // namespace alnsmith::rt::driver
