// AMD devices through libamdhip64, HIP's runtime: which there are, and opening one.
//
// Nothing of ROCm is included or linked. The versions 5, 6 and 7 of the library have the same calls but for the
// device properties, of which only the architecture's name is read: it lies at one of two known offsets.
#include <array>
#include <cstring>

#include "base/library.h"
#include "device/driver/driver.h"
#include "device/driver/driver_error.h"
#include "device/driver/platforms.h"

namespace alnsmith::rt::driver {
namespace {

constexpr const char *kLibrary = "libamdhip64.so";
constexpr int kOldestRuntime = 50000000;  // HIP 5.0

struct HipCalls : DriverCalls {
  int (*init)(unsigned flags) = nullptr;
  int (*runtime_version)(int *version) = nullptr;
  const char *(*error_name)(int code) = nullptr;
  const char *(*error_string)(int code) = nullptr;
  int (*device_count)(int *count) = nullptr;
  int (*device_name)(char *name, int size, int device) = nullptr;
  int (*device_attribute)(int *value, int attribute, int device) = nullptr;
  int (*device_memory)(std::size_t *bytes, int device) = nullptr;
  int (*properties)(void *properties, int device) = nullptr;
  int (*set_device)(int device) = nullptr;
  int (*device_flags)(unsigned flags) = nullptr;
  int (*module_load)(void **module, const void *image) = nullptr;
  std::size_t architecture_offset = 0;  // in what `properties` writes
};

// hipDeviceAttribute_t.
enum Attribute : int { kIntegrated = 16, kMultiprocessors = 63, kSharedPerBlock = 74, kWarpSize = 87 };

void find_calls(Library &library, HipCalls &hip) {
  library.find(hip.init, "hipInit");
  library.find(hip.error_name, "hipGetErrorName");
  library.find(hip.error_string, "hipGetErrorString");
  library.find(hip.device_count, "hipGetDeviceCount");
  library.find(hip.device_name, "hipDeviceGetName");
  library.find(hip.device_attribute, "hipDeviceGetAttribute");
  library.find(hip.device_memory, "hipDeviceTotalMem");
  library.find(hip.set_device, "hipSetDevice");
  library.find(hip.device_flags, "hipSetDeviceFlags");
  library.find(hip.memory_info, "hipMemGetInfo");
  library.find(hip.allocate, "hipMalloc");
  library.find(hip.free, "hipFree");
  library.find(hip.host_allocate, "hipHostMalloc");
  library.find(hip.host_free, "hipHostFree");
  library.find(hip.copy_in, "hipMemcpyHtoDAsync");
  library.find(hip.copy_out, "hipMemcpyDtoHAsync");
  library.find(hip.stream_create, "hipStreamCreateWithFlags");
  library.find(hip.stream_destroy, "hipStreamDestroy");
  library.find(hip.event_create, "hipEventCreateWithFlags");
  library.find(hip.event_record, "hipEventRecord");
  library.find(hip.event_synchronize, "hipEventSynchronize");
  library.find(hip.event_destroy, "hipEventDestroy");
  library.find(hip.module_load, "hipModuleLoadData");
  library.find(hip.module_unload, "hipModuleUnload");
  library.find(hip.module_function, "hipModuleGetFunction");
  library.find(hip.occupancy, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
  library.find(hip.launch, "hipModuleLaunchKernel");
  // hipGetDeviceProperties is the old layout; from HIP 6 on the new one has a name of its own.
  void *const current = library.symbol("hipGetDevicePropertiesR0600");
  hip.properties = reinterpret_cast<decltype(hip.properties)>(current);
  hip.architecture_offset = current ? 1160 : 396;
  if (!current) library.find(hip.properties, "hipGetDeviceProperties");
}

std::string version_text(int version) {
  return "HIP " + std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100);
}

std::string words_of(const HipCalls &hip, int code) {
  const char *name = hip.error_name(code), *text = hip.error_string(code);
  if (!name) return "HIP error " + std::to_string(code);
  return std::string(name) + (text && std::strcmp(name, text) != 0 ? " (" + std::string(text) + ")" : "");
}

struct Hip {
  HipCalls calls;
  std::string library;
  std::string version;
  int devices = 0;
};

// The library, opened and initialised, with at least one device.
Result<Hip> open_runtime() {
  const std::string mend = "install ROCm's HIP runtime (5.0 or later) if this machine has an AMD GPU";
  auto library = Library::open({"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", kLibrary}, mend);
  if (!library) return library.error();
  Hip hip;
  hip.library = library->name();
  int version = 0;
  if (!library->find(hip.calls.runtime_version, "hipRuntimeGetVersion") || hip.calls.runtime_version(&version) != 0)
    return Error{hip.library + " does not tell its version, so it is no usable runtime: " + mend};
  hip.version = version_text(version);
  if (version < kOldestRuntime)
    return Error{hip.library + " is too old: it is " + hip.version + ", and " + version_text(kOldestRuntime) +
                 " is needed: update ROCm"};
  find_calls(*library, hip.calls);
  if (!library->missing().empty()) return Error{hip.library + " lacks " + library->missing() + ": " + mend};
  int code = hip.calls.init(0);
  if (code == 0) code = hip.calls.device_count(&hip.devices);
  if (code == 0 && hip.devices == 0) code = kDriverNoDevice;
  if (code == 0) return hip;
  const std::string node =
      node_problem("/dev/kfd", "this machine or container has no AMD GPU, or the kernel module amdgpu is not loaded",
                   "add the user to the groups render and video");
  return Error{hip.library + " finds no device: " + words_of(hip.calls, code) + (node.empty() ? "" : "; " + node) +
               hidden_by({"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})};
}

class HipDevice : public DriverDevice {
 public:
  static Result<std::unique_ptr<HipDevice>> open(const Hip &hip, int index);

  const DriverCalls &calls() const override { return hip_.calls; }
  const DeviceInfo &info() const override { return info_; }
  int enter() override { return hip_.calls.set_device(info_.index); }
  std::string words(int code) const override { return words_of(hip_.calls, code); }
  int load(void **module, const std::string &image, std::string &) override {
    return hip_.calls.module_load(module, image.data());
  }
  int allow_shared_memory(void *) override { return 0; }  // AMD's drivers give it without being asked

 private:
  explicit HipDevice(const Hip &hip) : hip_(hip) {}
  int attribute(int which) const {
    int value = 0;
    return hip_.calls.device_attribute(&value, which, info_.index) == 0 ? value : 0;
  }
  int describe();

  Hip hip_;
  DeviceInfo info_;
};

Result<std::unique_ptr<HipDevice>> HipDevice::open(const Hip &hip, int index) {
  std::unique_ptr<HipDevice> device(new HipDevice(hip));
  device->info_.index = index;
  device->info_.id = "hip:" + std::to_string(index);
  int code = device->enter();
  if (code == 0) {
    // Where the device is in use already, the flag may be refused; the events that we wait on sleep by themselves.
    (void)hip.calls.device_flags(kDriverScheduleBlocking);
    code = device->describe();
  }
  if (code != 0) return device_error(device->info_.id, "opening the device", device->words(code), Failure::other);
  return device;
}

int HipDevice::describe() {
  const HipCalls &hip = hip_.calls;
  // Larger than the properties of any version; the name is ended by the zeros behind it at the latest.
  std::array<char, 8192> properties{};
  if (const int code = hip.properties(properties.data(), info_.index); code != 0) return code;
  const char *const architecture = properties.data() + hip.architecture_offset;
  info_.kind = DeviceKind::hip;
  info_.target = "hip:" + std::string(architecture, ::strnlen(architecture, 256));
  std::array<char, 256> name{};
  if (hip.device_name(name.data(), static_cast<int>(name.size()) - 1, info_.index) == 0) info_.name = name.data();
  info_.driver = hip_.version;
  (void)hip.device_memory(&info_.memory, info_.index);
  std::size_t total = 0;
  (void)hip.memory_info(&info_.free_memory, &total);
  info_.processors = attribute(kMultiprocessors);
  info_.warp = attribute(kWarpSize);
  info_.shared_memory = static_cast<std::size_t>(attribute(kSharedPerBlock));
  info_.gpu = true;
  info_.unified = attribute(kIntegrated) != 0;
  return 0;
}

}  // namespace

PlatformReport list_hip() {
  PlatformReport report{DeviceKind::hip, kLibrary, "", {}};
  const auto hip = open_runtime();
  if (!hip)
    report.problem = hip.error().message;
  else
    report.library = hip->library;
  for (int index = 0; hip && index < hip->devices; ++index) {
    const auto device = HipDevice::open(*hip, index);
    if (device)
      report.devices.push_back((*device)->info());
    else if (report.problem.empty())
      report.problem = device.error().message;
  }
  return report;
}

Result<std::unique_ptr<Executor>> open_hip(int index) {
  const auto hip = open_runtime();
  if (!hip) return Error{"hip:" + std::to_string(index) + ": " + hip.error().message};
  if (index >= hip->devices) return no_such_device(DeviceKind::hip, index, static_cast<std::size_t>(hip->devices));
  auto device = HipDevice::open(*hip, index);
  if (!device) return device.error();
  return make_driver_executor(*std::move(device));
}

}  // namespace alnsmith::rt::driver
