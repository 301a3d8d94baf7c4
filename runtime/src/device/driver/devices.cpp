// Which devices there are, and opening one by its name.  In: "cuda:0". Out: its executor, or one line that says why
// not.
#include <charconv>

#include "device/driver/platforms.h"

namespace alnsmith {

std::string_view device_kind_name(DeviceKind kind) {
  constexpr std::string_view kNames[] = {"cpu", "cuda", "hip", "opencl"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<PlatformReport> list_devices() {
  return {rt::driver::list_cuda(), rt::driver::list_hip(), rt::driver::list_opencl()};
}

namespace rt::driver {

Error no_such_device(DeviceKind kind, int index, std::size_t count) {
  const std::string name(device_kind_name(kind));
  return Error{name + ":" + std::to_string(index) + ": there is no such device: this machine has " + name + ":0" +
               (count > 1 ? " to " + name + ":" + std::to_string(count - 1) : "")};
}

Result<std::unique_ptr<Executor>> open_device(const std::string &id, std::shared_ptr<const Cache> cache) {
  if (id == "cpu") return open_cpu();
  const std::size_t colon = id.find(':');
  const std::string kind = id.substr(0, colon);
  int index = -1;
  if (colon != std::string::npos) {
    const char *const last = id.data() + id.size();
    const auto [end, code] = std::from_chars(id.data() + colon + 1, last, index);
    if (code != std::errc{} || end != last) index = -1;
  }
  if (index >= 0) {
    if (kind == "cuda") return open_cuda(index);
    if (kind == "hip") return open_hip(index);
    if (kind == "opencl") return open_opencl(index, std::move(cache));
  }
  return Error{"'" + id + "' names no device: use cpu, cuda:N, hip:N or opencl:N; `alnsmith devices` lists them", 2};
}

}  // namespace rt::driver
}  // namespace alnsmith
