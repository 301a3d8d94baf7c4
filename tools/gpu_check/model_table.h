// The model of every kernel in a folder, without a device: what docs/performance.md shows.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::check {

// Markdown, a row for each kernel of the shipped specs whose machine code was read. `result`: a file of gpu-check-run,
// whose pipes count; empty: assumed rates, of an H200.
Result<std::string> model_table(const std::string &folder, const std::string &target, const std::string &result);

}  // namespace alnsmith::check
