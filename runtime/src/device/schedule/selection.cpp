// Which devices a list of names means, and opening them.  See schedule.h.
#include <algorithm>
#include <set>

#include "device/schedule/schedule.h"

namespace alnsmith::rt::schedule {
std::vector<std::string> automatic_devices(const std::vector<PlatformReport> &platforms,
                                           std::vector<std::string> &reasons) {
  std::vector<std::string> ids, of_opencl;
  for (const PlatformReport &platform : platforms) {
    std::vector<std::string> &found = platform.kind == DeviceKind::opencl ? of_opencl : ids;
    const std::size_t before = found.size();
    for (const DeviceInfo &device : platform.devices)
      if (device.gpu) found.push_back(device.id);
    const std::string kind(device_kind_name(platform.kind));
    if (!platform.problem.empty())
      reasons.push_back(kind + ": " + platform.problem);
    else if (found.size() == before)
      reasons.push_back(kind + ": none of its devices is a GPU");
  }
  return ids.empty() ? of_opencl : ids;
}

namespace {

// What "auto" says where it ends on the CPU.
std::string without_gpu(const std::vector<std::string> &reasons) {
  std::string why;
  for (const std::string &reason : reasons) why += (why.empty() ? "" : "; ") + reason;
  return "device auto: no GPU is found, so the CPU aligns alone (" + why + ")";
}

}  // namespace

Result<DeviceSet> open_devices(const std::vector<std::string> &names, const SpecRef &spec, const Sources &sources,
                               std::size_t most_memory, const Cancelled &cancelled) {
  DeviceSet set;
  if (names.empty()) return set;
  const bool automatic = names.size() == 1 && names[0] == "auto";
  std::set<std::string> seen;
  for (const std::string &name : names) {
    if (name == "auto" && !automatic) return Error{"device auto: cannot be listed with others", 2};
    if (!seen.insert(name).second) return Error{"device " + name + ": is listed twice", 2};
  }
  std::vector<std::string> reasons;
  const std::vector<std::string> ids = automatic ? automatic_devices(list_devices(), reasons) : names;
  for (const std::string &reason : reasons) set.provenance.push_back("auto: " + reason);
  if (ids.empty()) set.warnings.push_back(without_gpu(reasons));
  set.cpu = std::find(ids.begin(), ids.end(), "cpu") != ids.end();
  set.alone = !automatic && ids.size() == 1 && !set.cpu;
  for (const std::string &id : ids) {
    if (id == "cpu") continue;
    auto device = Device::open(id, spec, sources, most_memory, cancelled);
    if (device) {
      const auto lines = (*device)->warnings();
      set.warnings.insert(set.warnings.end(), lines.begin(), lines.end());
      set.devices.push_back(*std::move(device));
      continue;
    }
    const Error &error = device.error();
    if (set.alone || error.exit_code == 130 || (error.exit_code == 2 && !automatic)) return error;
    set.warnings.push_back(error.message + "; the run goes on without it");
  }
  set.cpu = set.cpu || set.devices.empty();
  return set;
}

}  // namespace alnsmith::rt::schedule
