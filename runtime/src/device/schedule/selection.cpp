// Which devices a list of names means, and opening them.  See schedule.hpp.
#include <algorithm>
#include <set>

#include "device/schedule/schedule.hpp"

namespace alnsmith::rt {
std::vector<std::string> automatic_devices(const std::vector<PlatformReport> &platforms,
                                           std::vector<std::string> &provenance) {
  std::vector<std::string> ids, of_opencl;
  for (const PlatformReport &platform : platforms) {
    for (const DeviceInfo &device : platform.devices)
      if (device.gpu) (platform.kind == DeviceKind::opencl ? of_opencl : ids).push_back(device.id);
    if (!platform.problem.empty())
      provenance.push_back("auto: " + std::string(device_kind_name(platform.kind)) + ": " + platform.problem);
  }
  return ids.empty() ? of_opencl : ids;
}

Result<DeviceSet> open_devices(const std::vector<std::string> &names, const SpecRef &spec, const Sources &sources,
                               std::size_t most_memory, const std::function<bool()> &cancelled) {
  DeviceSet set;
  if (names.empty()) return set;
  const bool automatic = names.size() == 1 && names[0] == "auto";
  std::set<std::string> seen;
  for (const std::string &name : names) {
    if (name == "auto" && !automatic) return Error{"device auto: cannot be listed with others", 2};
    if (!seen.insert(name).second) return Error{"device " + name + ": is listed twice", 2};
  }
  const std::vector<std::string> ids = automatic ? automatic_devices(list_devices(), set.provenance) : names;
  set.cpu = std::find(ids.begin(), ids.end(), "cpu") != ids.end();
  set.alone = !automatic && ids.size() == 1 && !set.cpu;
  for (const std::string &id : ids) {
    if (id == "cpu") continue;
    auto device = Device::open(id, spec, sources, most_memory, cancelled);
    if (device) {
      const auto lines = (*device)->notes();
      set.notes.insert(set.notes.end(), lines.begin(), lines.end());
      set.devices.push_back(*std::move(device));
      continue;
    }
    const Error &error = device.error();
    if (set.alone || error.exit_code == 130 || (error.exit_code == 2 && !automatic)) return error;
    set.notes.push_back(error.message + "; the run goes on without it");
  }
  set.cpu = set.cpu || set.devices.empty();
  return set;
}

}  // namespace alnsmith::rt
