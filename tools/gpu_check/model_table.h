// The model of every kernel in a folder, without a device: what docs/performance.md shows.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::check {

struct ModelDevice {
  int processors = 132;  // an H200
  double clock_hz = 1.98e9;
};

// Markdown, a row for each kernel of the shipped specs whose machine code was read.
Result<std::string> model_table(const std::string &folder, const std::string &target, const ModelDevice &device);

}  // namespace alnsmith::check
