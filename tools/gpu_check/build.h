// Specs to kernels in a folder: generated, compiled for each target, their loops read back.
//
// In:  a spec file and targets ("cuda:sm_90"). Out: manifest and binaries in <folder>/kernels, and the index's entries.
//      Needs alnsmith-generate and a device compiler; nvdisasm is looked for and may be missing.
#pragma once

#include "alnsmith/alnsmith.hpp"
#include "index.h"
#include "internal.h"
#include "spec/spec.h"

namespace alnsmith::check {

class Builder {
 public:
  struct Settings {
    std::string folder, generator;
    bool fake = false;  // the text itself in place of the binary
    bool ptx = false;   // PTX too, for later architectures
  };
  explicit Builder(Settings settings) : settings_(std::move(settings)), cache_("") {}

  // `path` is a file of `spec`. The values of what the spec leaves to the call are call_scoring's.
  Result<KernelEntry> build(const spec::Spec &spec, const std::string &path, const std::string &target, bool ptx) const;
  Result<PipeFile> build_pipes(const std::string &target) const;

 private:
  Result<internal::PlannedTexts> generate(const spec::Spec &spec, const std::string &path, const std::string &target,
                                          const internal::Spilled &spilled) const;
  Result<internal::DeviceBinary> compile(const std::string &text, const std::string &target,
                                         const std::string &name) const;

  Settings settings_;
  internal::Cache cache_;
};

// What gpu-check gives for everything that a spec leaves to the call; the matrix has the alphabet's rows.
Scoring call_scoring(const spec::Spec &spec);

}  // namespace alnsmith::check
