// Kernels made ahead of use: generated as text, then compiled into a folder that Aligner::open searches
// (Sources::kernel_dirs), so that a machine without generator and compiler can run them.
//
// Thread-safe; nothing exits, aborts or prints. `alnsmith tune` makes its candidates with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

// The kernels of one spec, target and form, as the generator printed them.
struct KernelTexts {
  std::string target;                // "x86-64-v4", "cuda:sm_90"
  std::string text;                  // one translation unit
  std::string manifest;              // of these kernels, JSON (docs/manifest.md)
  std::string limits;                // what the models say that each kernel can reach, JSON; see `text --limits`
  std::vector<std::string> entries;  // in the plan's order: of each form the narrowest arithmetic first
};

// Asks `sources.generator` which kernels of `form` ("pairs", "shared"; empty: both) come of spec and target, with
// `sources.choice` where that is set: target, manifest and entries. `target`: an instruction set or a device's. The
// error is the generator's line: this choice cannot be made. Exit code 130: cancelled.
Result<KernelTexts> plan_kernels(const SpecRef &spec, const Sources &sources, const std::string &target,
                                 const std::string &form, const std::function<bool()> &cancelled);

// The plan with text and limits; the error is the generator's line.
Result<KernelTexts> generate_kernels(const SpecRef &spec, const Sources &sources, KernelTexts plan,
                                     const std::function<bool()> &cancelled);

struct CompiledKernels {
  std::vector<std::string> files;  // in the folder
  std::string compiler;            // "clang++-22: Debian clang version 22.1.0"
};

// Compiles `texts` into `folder`, which is there, under the names that the stores look for. `sources.compiler`: a C++
// compiler, or nvrtc, nvcc or clang for CUDA; empty: the one that run-time generation would take. A device's kernel
// that spills registers is an error, as it is at run time.
Result<CompiledKernels> compile_kernels(const SpecRef &spec, const KernelTexts &texts, const Sources &sources,
                                        const std::string &folder, const std::function<bool()> &cancelled);

}  // namespace alnsmith
#pragma GCC visibility pop
