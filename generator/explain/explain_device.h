// `generate --explain` for devices.
#pragma once

#include <map>
#include <string>

#include "backend/unit.h"
#include "plan/plan.h"

namespace alnsmith {

struct DeviceRegisters {
  int registers = 0, spilled = 0;  // spilled: bytes (CUDA) or registers (HIP)
};
// From what nvcc says under -Xptxas -v, or from the assembly that clang writes for AMD; by kernel.
std::map<std::string, DeviceRegisters> registers_of(const std::string &compiler_output);

std::string explain_device(const plan::Plan &plan, const backend::Unit &unit, const std::string &path);

}  // namespace alnsmith
