// The targets, one table row each: what a backend knows of a CPU.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace alnsmith::backend {

struct Target {
  std::string_view name;        // "x86-64-v4"
  std::string_view identifier;  // the same inside a C name
  int vector_bytes;             // 0: one lane, plain C++
  int registers;                // vector registers
  std::string_view flags;       // of the compiler, for GCC and Clang
  std::string_view prelude;     // embedded prelude
  // Register tile k by gap model (linear, affine): the largest whose H, F, letters and temporaries fit.
  int linear_k, affine_k;

  int lanes(int bits) const { return vector_bytes ? vector_bytes * 8 / bits : 1; }
};

std::span<const Target> targets();
const Target *find_target(std::string_view name);
std::string target_names();  // "scalar, x86-64-v2, ...", for messages

}  // namespace alnsmith::backend
