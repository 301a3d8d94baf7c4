// Where measurements are made: the machine, the device, the versions; and which of the model's cores it is.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "tune/record.h"

namespace alnsmith::tool::tune {

struct Machine {
  std::string device;  // "cpu", "cuda:0"
  std::string target;  // what kernels for it are generated for: "x86-64-v4", "cuda:sm_90"
  Environment environment;
  // Whose limits count, those that come first before the others: "measured core", "AMD Zen 4"; empty: not modelled.
  // Devices: the only one there is.
  std::vector<std::string> cores;
};

// `device`: "cpu" or as `alnsmith devices` lists it; the error says that it is not there. The environment's generator
// and compiler are left to the caller.
Result<Machine> find_machine(const std::string &device);

std::string utc_now();  // "2026-11-21T17:20:00Z"

}  // namespace alnsmith::tool::tune
