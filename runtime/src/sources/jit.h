// Kernels generated and compiled when a call first needs them, kept in the user's cache.
#pragma once

#include <memory>

#include "base/process.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// What generation for one target found in the cache or has to ask; shared by the steps of find_cpu_kernels.
class Generation {
 public:
  // Errors say why generation is not possible at all: no generator, no spec file, no compiler.
  static Result<std::unique_ptr<Generation>> prepare(const SpecRef &spec, const Sources &sources,
                                                     const Cancelled &cancelled);
  virtual ~Generation() = default;
  // A source if the cache knows the plan for `target`: no program is started.
  virtual std::unique_ptr<CpuKernels> cached(Isa target) = 0;
  // A source after asking the generator for the plan; its error is the generator's line.
  virtual Result<std::unique_ptr<CpuKernels>> plan(Isa target, const Cancelled &cancelled) = 0;
};

}  // namespace alnsmith::rt::sources
