// Kernels that were compiled into the program: a source over the tables of alnsmith/linked.h.
#pragma once

#include <memory>

#include "alnsmith/linked.h"
#include "base/isa.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// The unit for the widest target that is at most `widest`; units that do not fit their manifest are passed over, and
// `provenance` says so. An error if none is left.
// `vector`: as of find_cpu_kernels().
Result<std::unique_ptr<CpuKernels>> open_linked_kernels(const alnsmith_linked_kernels &kernels, Isa widest,
                                                        int vector = core_vector());

}  // namespace alnsmith::rt::sources
