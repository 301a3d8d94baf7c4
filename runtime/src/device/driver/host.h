// The host's memory, for devices that share it and for pinned buffers.
#pragma once

#include <cstddef>

namespace alnsmith::rt::driver {

struct HostMemory {
  std::size_t total = 0;  // bytes
  std::size_t free = 0;   // bytes that can be had without swapping
};
HostMemory host_memory();

}  // namespace alnsmith::rt::driver
