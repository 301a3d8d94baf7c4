// Shipped specs, generated for a device and compiled: one row per kernel of what it needs and what its loop is made of.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compile/device_compiler.h"
#include "models/disassembly.h"

namespace alnsmith::test {

std::vector<std::string> shipped_specs();   // names, sorted
std::vector<std::string> device_targets();  // that the generator knows, PTX included

struct KernelRow {
  std::string spec, target, entry;
  std::string form, mapping, arithmetic;
  int p = 0, k = 0, packing = 0;
  bool affine = false;
  std::optional<models::Resources> resources;  // not of OpenCL
  std::optional<models::Loop> loop;            // the loop over rows, where there is a disassembler
  int rows = 1;                                // matrix rows a lane scores in one turn of it

  // Instructions for one cell of each alignment that shares a register: a cell pair where two do.
  double instructions_per_cell() const { return loop ? double(loop->instructions) / (rows * k) : 0; }
};

struct Generated {
  std::string text;
  std::vector<KernelRow> kernels;  // without resources and loop
};
// `turn`: of kernels that differ by their tile alone one of the widest, which; nothing: all kernels.
Result<Generated> generate(const std::string &spec, const std::string &target,
                           std::optional<std::size_t> turn = std::nullopt);

// Compiles and fills in resources and loops. `said` gets what could not be looked at: no nvdisasm.
Result<rt::compile::DeviceBinary> compile_generated(Generated &generated, const std::string &spec,
                                                    const std::string &target,
                                                    const rt::compile::CompileOptions &options, std::string &said);

}  // namespace alnsmith::test
