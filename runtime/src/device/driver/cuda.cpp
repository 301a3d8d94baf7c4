// CUDA devices through libcuda.so.1, NVIDIA's driver: which there are, and opening one.
//
// Nothing of the toolkit is included or linked: the calls are looked up by their names in the library, with the
// version suffix where the unversioned name is an older call ("_v2" took 64-bit sizes). The primary context is used,
// so that a program with other CUDA code shares one context with us.
#include <algorithm>
#include <array>

#include "base/library.h"
#include "device/driver/driver.h"
#include "device/driver/driver_error.h"
#include "device/driver/platforms.h"

namespace alnsmith::rt::driver {
namespace {

constexpr const char *kLibrary = "libcuda.so.1";
constexpr int kOldestDriver = 12000;  // CUDA 12.0: 525

struct CudaCalls : DriverCalls {
  int (*init)(unsigned flags) = nullptr;
  int (*driver_version)(int *version) = nullptr;
  int (*error_name)(int code, const char **text) = nullptr;
  int (*error_string)(int code, const char **text) = nullptr;
  int (*device_count)(int *count) = nullptr;
  int (*device_get)(int *device, int index) = nullptr;
  int (*device_name)(char *name, int size, int device) = nullptr;
  int (*device_attribute)(int *value, int attribute, int device) = nullptr;
  int (*device_memory)(std::size_t *bytes, int device) = nullptr;
  int (*context_flags)(int device, unsigned flags) = nullptr;
  int (*context_retain)(void **context, int device) = nullptr;
  int (*context_release)(int device) = nullptr;
  int (*context_set)(void *context) = nullptr;
  int (*module_load)(void **module, const void *image, unsigned count, int *options, std::uintptr_t *values) = nullptr;
  int (*function_get)(int *value, int attribute, void *function) = nullptr;
  int (*function_set)(void *function, int attribute, int value) = nullptr;
};

// CUdevice_attribute, CUfunction_attribute, CUjit_option.
enum Number : int {
  kSharedPerBlock = 8,
  kWarpSize = 10,
  kMultiprocessors = 16,
  kIntegrated = 18,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kSharedPerBlockOptin = 97,
  kFunctionShared = 1,
  kFunctionMaxDynamicShared = 8,
  kJitErrorLog = 5,
  kJitErrorLogSize = 6,
};

void find_calls(Library &library, CudaCalls &cuda) {
  library.find(cuda.init, "cuInit");
  library.find(cuda.error_name, "cuGetErrorName");
  library.find(cuda.error_string, "cuGetErrorString");
  library.find(cuda.device_count, "cuDeviceGetCount");
  library.find(cuda.device_get, "cuDeviceGet");
  library.find(cuda.device_name, "cuDeviceGetName");
  library.find(cuda.device_attribute, "cuDeviceGetAttribute");
  library.find(cuda.device_memory, "cuDeviceTotalMem_v2");
  library.find(cuda.context_flags, "cuDevicePrimaryCtxSetFlags_v2");
  library.find(cuda.context_retain, "cuDevicePrimaryCtxRetain");
  library.find(cuda.context_release, "cuDevicePrimaryCtxRelease_v2");
  library.find(cuda.context_set, "cuCtxSetCurrent");
  library.find(cuda.memory_info, "cuMemGetInfo_v2");
  library.find(cuda.allocate, "cuMemAlloc_v2");
  library.find(cuda.free, "cuMemFree_v2");
  library.find(cuda.host_allocate, "cuMemHostAlloc");
  library.find(cuda.host_free, "cuMemFreeHost");
  library.find(cuda.copy_in, "cuMemcpyHtoDAsync_v2");
  library.find(cuda.copy_out, "cuMemcpyDtoHAsync_v2");
  library.find(cuda.stream_create, "cuStreamCreate");
  library.find(cuda.stream_destroy, "cuStreamDestroy_v2");
  library.find(cuda.event_create, "cuEventCreate");
  library.find(cuda.event_record, "cuEventRecord");
  library.find(cuda.event_synchronize, "cuEventSynchronize");
  library.find(cuda.event_destroy, "cuEventDestroy_v2");
  library.find(cuda.module_load, "cuModuleLoadDataEx");
  library.find(cuda.module_unload, "cuModuleUnload");
  library.find(cuda.module_function, "cuModuleGetFunction");
  library.find(cuda.function_get, "cuFuncGetAttribute");
  library.find(cuda.function_set, "cuFuncSetAttribute");
  library.find(cuda.occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  library.find(cuda.launch, "cuLaunchKernel");
}

std::string version_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string words_of(const CudaCalls &cuda, int code) {
  const char *name = nullptr, *text = nullptr;
  if (cuda.error_name(code, &name) != 0 || !name) return "CUDA error " + std::to_string(code);
  if (cuda.error_string(code, &text) != 0 || !text) return name;
  return std::string(name) + " (" + text + ")";
}

struct Cuda {
  CudaCalls calls;
  std::string version;
  int devices = 0;
};

// The library, opened and initialised, with at least one device.
Result<Cuda> open_driver() {
  const std::string mend = "install NVIDIA's driver (525 or later) if this machine has an NVIDIA GPU";
  auto library = Library::open({kLibrary}, mend);
  if (!library) return library.error();
  Cuda cuda;
  int version = 0;
  if (!library->find(cuda.calls.driver_version, "cuDriverGetVersion") || cuda.calls.driver_version(&version) != 0)
    return Error{std::string(kLibrary) + " does not tell its version, so it is no usable driver: " + mend};
  cuda.version = version_text(version);
  if (version < kOldestDriver)
    return Error{std::string(kLibrary) + " is too old: it is for " + cuda.version + ", and " +
                 version_text(kOldestDriver) + " is needed: update NVIDIA's driver to 525 or later"};
  find_calls(*library, cuda.calls);
  if (!library->missing().empty()) return Error{std::string(kLibrary) + " lacks " + library->missing() + ": " + mend};
  int code = cuda.calls.init(0);
  if (code == 0) code = cuda.calls.device_count(&cuda.devices);
  if (code == 0 && cuda.devices == 0) code = kDriverNoDevice;
  if (code == 0) return cuda;
  const std::string node =
      node_problem("/dev/nvidiactl", "this machine or container has no NVIDIA GPU, or its kernel module is not loaded",
                   "ask the administrator for access to /dev/nvidia*");
  return Error{std::string(kLibrary) + " finds no device: " + words_of(cuda.calls, code) +
               (node.empty() ? "" : "; " + node) + hidden_by({"CUDA_VISIBLE_DEVICES"})};
}

class CudaDevice : public DriverDevice {
 public:
  // Retains the device's context.
  static Result<std::unique_ptr<CudaDevice>> open(const Cuda &cuda, int index);
  ~CudaDevice() override {
    if (context_) cuda_.calls.context_release(device_);
  }
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const DriverCalls &calls() const override { return cuda_.calls; }
  const DeviceInfo &info() const override { return info_; }
  int enter() override { return cuda_.calls.context_set(context_); }
  std::string words(int code) const override { return words_of(cuda_.calls, code); }
  int load(void **module, const std::string &image, std::string &log) override;
  int allow_shared_memory(void *function) override;

 private:
  explicit CudaDevice(const Cuda &cuda) : cuda_(cuda) {}
  int attribute(int which) const {
    int value = 0;
    return cuda_.calls.device_attribute(&value, which, device_) == 0 ? value : 0;
  }
  void describe(int index);

  Cuda cuda_;
  int device_ = 0;
  void *context_ = nullptr;
  DeviceInfo info_;
};

Result<std::unique_ptr<CudaDevice>> CudaDevice::open(const Cuda &cuda, int index) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(cuda));
  int code = cuda.calls.device_get(&device->device_, index);
  if (code == 0) {
    device->describe(index);
    // A context that others already use may refuse other flags; the events that we wait on sleep by themselves.
    (void)cuda.calls.context_flags(device->device_, kDriverScheduleBlocking);
    code = cuda.calls.context_retain(&device->context_, device->device_);
  }
  if (code == 0) code = device->enter();
  if (code != 0)
    return device_error("cuda:" + std::to_string(index), "opening the device", device->words(code), Failure::other);
  std::size_t total = 0;
  (void)cuda.calls.memory_info(&device->info_.free_memory, &total);
  return device;
}

void CudaDevice::describe(int index) {
  info_.kind = DeviceKind::cuda;
  info_.index = index;
  info_.id = "cuda:" + std::to_string(index);
  std::array<char, 256> name{};
  if (cuda_.calls.device_name(name.data(), static_cast<int>(name.size()) - 1, device_) == 0) info_.name = name.data();
  info_.target = "cuda:sm_" + std::to_string(attribute(kCapabilityMajor)) + std::to_string(attribute(kCapabilityMinor));
  info_.driver = cuda_.version;
  (void)cuda_.calls.device_memory(&info_.memory, device_);
  info_.processors = attribute(kMultiprocessors);
  info_.warp = attribute(kWarpSize);
  info_.shared_memory = static_cast<std::size_t>(std::max(attribute(kSharedPerBlock), attribute(kSharedPerBlockOptin)));
  info_.gpu = true;
  info_.unified = attribute(kIntegrated) != 0;
}

int CudaDevice::load(void **module, const std::string &image, std::string &log) {
  std::array<char, 4096> text{};
  std::array<int, 2> options = {kJitErrorLog, kJitErrorLogSize};
  std::array<std::uintptr_t, 2> values = {reinterpret_cast<std::uintptr_t>(text.data()), text.size() - 1};
  const int code = cuda_.calls.module_load(module, image.c_str(), 2, options.data(), values.data());
  log = text.data();
  return code;
}

// More than 48 KiB of dynamic shared memory must be asked for, kernel by kernel.
int CudaDevice::allow_shared_memory(void *function) {
  int fixed = 0;
  const int code = cuda_.calls.function_get(&fixed, kFunctionShared, function);
  if (code != 0) return code;
  return cuda_.calls.function_set(function, kFunctionMaxDynamicShared, static_cast<int>(info_.shared_memory) - fixed);
}

}  // namespace

PlatformReport list_cuda() {
  PlatformReport report{DeviceKind::cuda, kLibrary, "", {}};
  const auto cuda = open_driver();
  if (!cuda) report.problem = cuda.error().message;
  for (int index = 0; cuda && index < cuda->devices; ++index) {
    const auto device = CudaDevice::open(*cuda, index);
    if (device)
      report.devices.push_back((*device)->info());
    else if (report.problem.empty())
      report.problem = device.error().message;
  }
  return report;
}

Result<std::unique_ptr<Executor>> open_cuda(int index) {
  const auto cuda = open_driver();
  if (!cuda) return Error{"cuda:" + std::to_string(index) + ": " + cuda.error().message};
  if (index >= cuda->devices) return no_such_device(DeviceKind::cuda, index, static_cast<std::size_t>(cuda->devices));
  auto device = CudaDevice::open(*cuda, index);
  if (!device) return device.error();
  return make_driver_executor(*std::move(device));
}

}  // namespace alnsmith::rt::driver
