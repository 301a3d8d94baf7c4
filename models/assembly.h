// Reading a C++ compiler's assembly: what a kernel's hot loop needs.
#pragma once

#include <string>
#include <string_view>

namespace alnsmith::models {

// Vector registers and spills of one function's hot loop: the innermost one around the comment `hot_row_assembly`.
constexpr std::string_view hot_row_assembly = "# hot row";
struct LoopCensus {
  int instructions = 0, registers = 0, spill_stores = 0, spill_loads = 0;
};
// Nothing where the function has no such comment, or the loop holds another one. `assembly`: of GCC or Clang for
// `machine`, x86_64 in AT&T syntax or aarch64; of others nothing is counted.
LoopCensus hot_loop_census(const std::string &assembly, const std::string &function, std::string_view machine);

}  // namespace alnsmith::models
