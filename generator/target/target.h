// The targets, one table row each: what a backend knows of a CPU or a device.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::backend {

enum class Language { cuda, hip, opencl };

// What only devices have.
struct Device {
  Language language;
  std::string_view extension;  // of a file of kernels
  int warp;                    // threads in lock step; 0: as many as an alignment's lanes
  int shared_bytes;            // that a block can have
  // Arithmetics by level, the narrowest first; local alignments, then those with borders.
  std::string_view local, bordered;
  std::string_view others;   // that can be asked for besides
  std::string_view tiles;    // p x k of mapping `wavefront`, the narrowest first
  int block_warps;           // of a block of mapping `block`
  bool block_border = true;  // which keeps a short border in the block's own memory
};

struct Target {
  std::string_view name;        // "x86-64-v4", "cuda:sm_90"
  std::string_view identifier;  // the same inside a C name
  int vector_bytes;             // 0: one lane, plain C++
  int registers;                // vector registers
  std::string_view flags;       // of the compiler, for GCC and Clang
  std::string_view prelude;     // embedded prelude
  // Register tile k by gap model (linear, affine): the largest whose H, F, letters and temporaries fit. With
  // more states the planner takes its share of affine_k.
  int linear_k, affine_k;
  // A macro that the compiler defines where it may use these vectors: targets that have one can share a text.
  std::string_view macro;
  const Device *device = nullptr;

  int lanes(int bits) const { return vector_bytes ? vector_bytes * 8 / bits : 1; }
};

std::span<const Target> targets();         // of CPUs
std::span<const Target> device_targets();  // of GPUs and OpenCL
// Features of a device (`hip:gfx90a:xnack-`) are ignored: the text is the same.
const Target *find_target(std::string_view name);
std::string target_names();  // "scalar, x86-64-v2, ...", for messages

}  // namespace alnsmith::backend
