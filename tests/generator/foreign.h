// A process of another machine, under qemu-user, that runs kernels of a shared object (kernel_runner.cpp).
#pragma once

#include <string>

#include "compiled.h"

namespace compiled {

class Foreign {
 public:
  // Compiles the runner into `folder` and starts it with the folder's all.so. Throws std::runtime_error.
  Foreign(const alnsmith::targets::Machine &machine, const std::string &folder);
  ~Foreign();
  Foreign(const Foreign &) = delete;

  bool has(const std::string &entry);
  int call(const std::string &entry, Region block, std::span<const Region> memory);

 private:
  bool send(const void *bytes, std::size_t count);
  bool receive(void *bytes, std::size_t count);
  int to_ = -1, from_ = -1, process_ = -1;
};

// "qemu-aarch64"
std::string emulator(const alnsmith::targets::Machine &machine);

}  // namespace compiled
