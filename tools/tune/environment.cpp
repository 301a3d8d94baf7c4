// See environment.h.
#include "tune/environment.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <string_view>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/devices.hpp"
#include "common/text.h"
#include "models/cpu_model.h"
#include "targets/targets.h"
#include "tune/calibrate.h"

namespace alnsmith::tool::tune {
namespace {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) {
      const std::size_t colon = line.find(": ");
      return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
  return {};
}

// Cores that this process may use.
std::uint64_t cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint64_t>(CPU_COUNT(&set)) : 0;
}

// By the names of models/cpu_model.h. What was measured here goes before what was measured elsewhere, but kernels that
// were prepared on another machine, or before the calibration, have limits of the latter only.
std::vector<std::string> modelled_cores(const std::string &cpu) {
  std::vector<std::string> names;
  if (const auto own = known_core(); own && !own->empty()) names.emplace_back(models::measured_core);
  if (const std::string_view model = targets::model_of_core(cpu); !model.empty()) names.emplace_back(model);
  return names;
}

}  // namespace

Result<Machine> find_machine(const std::string &device) {
  Machine machine;
  machine.device = device;
  utsname system{};
  ::uname(&system);
  machine.environment.cpu = cpu_name();
  machine.environment.cpu_class = cpu_class();
  machine.environment.cores = cores();
  machine.environment.os = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  if (device == "cpu") {
    const auto isa = best_isa();
    if (!isa) return isa.error();
    machine.target = isa_name(*isa);
    machine.cores = modelled_cores(machine.environment.cpu_class);
    return machine;
  }
  std::string problems;
  for (const PlatformReport &platform : list_devices()) {
    for (const DeviceInfo &info : platform.devices) {
      if (info.id != device) continue;
      machine.target = info.target;
      machine.environment.device_name = info.name;
      machine.environment.driver = info.driver;
      return machine;
    }
    if (device.starts_with(device_kind_name(platform.kind)) && !platform.problem.empty())
      problems = ": " + printable(platform.problem, 300);
  }
  return Error{fmt::format("--device {}: there is no such device{} (`alnsmith devices` lists them)", printable(device),
                           problems)};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace alnsmith::tool::tune
