// What a compiled kernel needs of its device, and the rule that a kernel must live in registers.
//
// In:  ptxas's -v lines (NVRTC, nvcc and ptxas print the same), the metadata note of an AMD code object, or clang's
//      assembly for AMD.
// Out: Resources by entry. A kernel that spills or has local memory is refused: it runs many times slower, and a
//      smaller k does not.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::models {

struct Resources {
  int registers = 0;          // 32-bit registers per thread; AMD: vector registers, accumulation registers included
  int scalar_registers = 0;   // AMD: a wave's; else 0
  int scalar_spills = 0;      // AMD: scalar registers kept in lanes of a vector register: no memory is touched
  int spill_store_bytes = 0;  // of the code, not of a run; AMD: 4 a spilled vector register
  int spill_load_bytes = 0;
  int local_bytes = 0;         // stack, spills included, a thread
  int shared_bytes = 0;        // static, a block
  int max_dynamic_shared = 0;  // bytes that a launch may add to them
  int warp = 0;                // threads in lock step
  int max_threads = 0;         // a block may have, as compiled; 0: not said
};

// By entry, from ptxas's lines for `arch` ("sm_90").
std::map<std::string, Resources> ptxas_resources(std::string_view log, std::string_view arch);

// By kernel name, from the assembly that clang writes: vector registers and their spills alone.
std::map<std::string, Resources> amd_listing_resources(const std::string &assembly);

// By kernel name, from an ELF file's NT_AMDGPU_METADATA note.
Result<std::map<std::string, Resources>> amd_resources(std::string_view code_object, std::string_view arch);

// 90 of "sm_90" and "compute_90"; 0 where `arch` is none of CUDA's.
int cuda_capability(std::string_view arch);

// Bytes of shared memory that a block of `arch` ("sm_90", "gfx942") can have at most.
int max_shared_memory(std::string_view arch);

// Refuses spills and local memory: "cuda:sm_90: kernel NAME: 255 registers, 96 bytes spilled, ...: take a smaller k".
Status check_resources(const Resources &resources, const std::string &entry, const std::string &target);

}  // namespace alnsmith::models
