// Reading a C++ compiler's assembly for x86-64: what a kernel's hot loop needs.
#pragma once

#include <string>

namespace alnsmith::models {

// Vector registers and spills of one function's row loop: the innermost loop with the most vector maxima (layouts in
// which an outer loop jumps backwards into its middle look like loops, too).
struct LoopCensus {
  int instructions = 0, registers = 0, spill_stores = 0, spill_loads = 0;
};
// `assembly`: AT&T syntax of GCC or Clang for x86-64.
LoopCensus hot_loop_census(const std::string &assembly, const std::string &function);

}  // namespace alnsmith::models
