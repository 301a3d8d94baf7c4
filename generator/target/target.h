// The targets that the generator prints for: the rows of targets.def, CPUs and devices alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "targets/targets.h"

namespace alnsmith::backend {

enum class Language { cuda, hip, opencl };

// What only devices have: a row, and its family's (targets.def).
struct Device {
  Language language = Language::cuda;
  std::string_view extension;  // of a file of kernels
  int warp = 0;                // threads in lock step; 0: as many as an alignment's lanes
  int shared_bytes = 0;        // that a block can have
  std::string_view local, bordered, traced, others, tiles, profile_tiles, traced_tiles;  // targets.def
  int block_warps = 0;
  bool block_border = true;
  // Words per lane of the memory through which a group exchanges (opencl.inc writes two rows in turn).
  int exchange_rows() const { return language == Language::opencl ? 2 : 0; }
  // All that can be asked for.
  std::string arithmetics() const {
    std::string all;
    for (const std::string_view some : {local, traced, others})
      if (!some.empty()) all += (all.empty() ? "" : " ") + std::string(some);
    return all;
  }
  bool operator==(const Device &) const = default;
};

struct Target {
  std::string name;        // "x86-64-v4", "cuda:sm_90"
  std::string identifier;  // the same inside a C name
  int vector_bytes = 0;    // 0: one lane, plain C++
  int registers = 0;       // vector registers
  int linear_k = 0, affine_k = 0;
  std::string preludes;    // embedded ones, one behind another
  std::string_view gates;  // those of bit-sliced kernels (circuits/gate_sets.h); "": none
  const targets::Cpu *cpu = nullptr;
  std::optional<Device> device;

  // Of a CPU, for a compiler of its own machine.
  std::string flags() const;
  // Whether all lanes of a vector can share an alignment: its preludes have the operations for it.
  bool strips() const { return preludes.find("vector_group.inc") != std::string::npos; }
  int lanes(int bits) const { return vector_bytes ? vector_bytes * 8 / bits : 1; }
};

std::span<const Target> targets();         // of CPUs
std::span<const Target> device_targets();  // of GPUs and OpenCL
// In the grammar of targets.h, as specs write them; with what variants follow (`hip:gfx90a:xnack-`, `x86-64-v4+vbmi`,
// `opencl:spirv64`) the kernels are the same. Null: none that kernels are generated for.
const Target *find_target(std::string_view name);
std::string target_names();  // "scalar, x86-64-v2, ...", for messages

}  // namespace alnsmith::backend
