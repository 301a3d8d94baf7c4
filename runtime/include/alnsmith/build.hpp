/// @file
/// Kernels made ahead of use: generated as text, then compiled into a folder that Aligner::open searches
/// (Sources::kernel_dirs), so that a machine without generator and compiler can run them.
///
/// Thread-safe; nothing exits, aborts or prints. `alnsmith tune` makes its candidates with it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/forms.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

/// The kernels of one spec, target and form, as the generator printed them.
struct KernelTexts {
  std::string target;    ///< "x86-64-v4", "cuda:sm_90"
  std::string text;      ///< one translation unit
  std::string manifest;  ///< of these kernels, JSON (docs/manifest.md)
  std::string limits;    ///< GCUPS that the models say each kernel can reach, JSON (`alnsmith-generate text --limits`)
  std::vector<std::string> entries;  ///< in the plan's order: of each form the narrowest arithmetic first
};

/// Asks `sources.generator` which kernels come of a spec and a target.
/// @param spec its file is read
/// @param sources generator, templates_dir, tuned_dir and choice are read
/// @param target an instruction set or a device's
/// @param form whose kernels; nothing: those of all forms
/// @param cancelled may be empty; asked often
/// @return target, manifest and entries; an error is the generator's line: this choice cannot be made. Exit code 130:
///   cancelled
Result<KernelTexts> plan_kernels(const SpecRef &spec, const Sources &sources, const std::string &target,
                                 std::optional<Form> form, const std::function<bool()> &cancelled);

/// Fills in the texts of a plan.
/// @param spec as for the plan
/// @param sources as for the plan
/// @param plan of plan_kernels()
/// @param cancelled may be empty; asked often
/// @return the plan with text and limits; an error is the generator's line
Result<KernelTexts> generate_kernels(const SpecRef &spec, const Sources &sources, KernelTexts plan,
                                     const std::function<bool()> &cancelled);

/// What compile_kernels() made.
struct CompiledKernels {
  std::vector<std::string> files;  ///< names in the folder
  std::string compiler;            ///< "clang++-22: Debian clang version 22.1.0"
};

/// Compiles texts into a folder, under the names that Aligner::open looks for.
/// @param spec its name and hash are part of the names
/// @param texts of generate_kernels()
/// @param sources `compiler` is a C++ compiler, or nvrtc, nvcc or clang for CUDA; empty: the one that run-time
///   generation would take
/// @param folder is there
/// @param cancelled may be empty; asked often
/// @return the files; a device's kernel that spills registers is planned again with a narrower tile, or an error where
///   spec or choice give its k, as at run time
Result<CompiledKernels> compile_kernels(const SpecRef &spec, const KernelTexts &texts, const Sources &sources,
                                        const std::string &folder, const std::function<bool()> &cancelled);

/// The bytes of a file that is loaded or decides what is loaded: read only where file and folders belong to the user or
/// root and nobody else may write to them, the rule of packs (docs/security.md).
/// @param path a regular file of up to 2 GiB
/// @param sha256 64 hex digits that they must hash to; empty: whatever they hold
/// @return the bytes; an error names the file or folder that breaks the rule
Result<std::string> trusted_bytes(const std::string &path, const std::string &sha256);

/// The hash that trusted_bytes() compares.
/// @param bytes any
/// @return their SHA-256, 64 lower-case hex digits
std::string sha256_of(std::string_view bytes);

}  // namespace alnsmith
#pragma GCC visibility pop
