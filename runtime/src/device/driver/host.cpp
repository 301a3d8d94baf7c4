// /proc/meminfo.  See host.h.
#include "device/driver/host.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace alnsmith::rt::driver {

HostMemory host_memory() {
  HostMemory memory;
  memory.total =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  memory.free = memory.total;
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; file >> key >> kib; std::getline(file, unit))
    if (key == "MemAvailable:") memory.free = kib << 10;
  return memory;
}

}  // namespace alnsmith::rt::driver
