// The CPU among the devices: it describes itself, and says that device kernels do not run on it.
//
// CPU kernels have another argument block and are run by Aligner's own threads; an executor that copied into "device
// memory" for them would only slow them down.
#include <fstream>
#include <thread>

#include "alnsmith/alnsmith.hpp"
#include "device/driver/host.h"
#include "device/driver/platforms.h"

namespace alnsmith {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const std::size_t at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
  return "CPU";
}

}  // namespace

Result<DeviceInfo> cpu_device() {
  const auto isa = best_isa();
  if (!isa) return isa.error();
  const rt::driver::HostMemory memory = rt::driver::host_memory();
  DeviceInfo info;
  info.id = "cpu";
  info.name = cpu_name();
  info.target = std::string(isa_name(*isa));
  info.memory = memory.total;
  info.free_memory = memory.free;
  info.processors = static_cast<int>(std::thread::hardware_concurrency());
  info.warp = 1;
  info.unified = true;
  return info;
}

namespace rt::driver {
namespace {

class CpuExecutor : public Executor {
 public:
  explicit CpuExecutor(DeviceInfo info) : info_(std::move(info)) {}
  const DeviceInfo &info() const override { return info_; }
  std::size_t free_memory() override { return host_memory().free; }
  Result<std::unique_ptr<Memory>> allocate(std::size_t) override { return refuse(); }
  Result<std::unique_ptr<Memory>> allocate_pinned(std::size_t) override { return refuse(); }
  Result<std::unique_ptr<DeviceQueue>> queue() override { return refuse(); }
  Result<std::unique_ptr<DeviceKernel>> load(const std::string &, const std::string &) override { return refuse(); }
  Failure failure() const override { return failure_; }

 private:
  Error refuse() {
    failure_ = Failure::other;
    return {"cpu: device kernels do not run on the CPU itself: open its kernels with Aligner, or an OpenCL device"};
  }
  DeviceInfo info_;
  Failure failure_ = Failure::none;
};

}  // namespace

Result<std::unique_ptr<Executor>> open_cpu() {
  auto info = cpu_device();
  if (!info) return info.error();
  return std::unique_ptr<Executor>(std::make_unique<CpuExecutor>(*std::move(info)));
}

}  // namespace rt::driver
}  // namespace alnsmith
