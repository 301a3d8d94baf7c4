// Kernels for CPUs out of compiled files, and the order in which sources are asked.
#pragma once

#include "base/isa.h"
#include "base/process.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

Result<std::unique_ptr<CpuKernels>> open_kernel_file(const std::string &path, Isa widest);

// Asks cache, folders of compiled kernels and the generator for `widest`, then for each narrower target. Where nothing
// can be generated, the kernels that the cache holds of earlier runs: first a target's if all are there, then
// generic kernels (generic_kernels.h), at last a part of its own. Where cores run vectors of `vector` bytes as one and
// the target's are wider, strips are those of a narrower one, if that is there as well (strips_beside.h).
Result<std::unique_ptr<CpuKernels>> find_cpu_kernels(const SpecRef &spec, const Sources &sources, Isa widest,
                                                     const Cancelled &cancelled, int vector = core_vector());

}  // namespace alnsmith::rt::sources
