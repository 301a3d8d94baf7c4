// Kernels of a generic spec in the service of another one: the same alphabet, alignment, gap model and outputs, whose
// scoring values are passed at run time.
//
// In:  a source of kernels that leave their scoring to the call, and what the served spec fixes of it. Out: a source
// whose manifest says that spec's name, values and lengths, so that calls are checked and scored as with its own
// kernels; a note says `generic kernels`.
#pragma once

#include <memory>

#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// Null, with a line in `skipped`, where the kernels do not leave to the call what the spec fixes, or give outputs in
// another alphabet's matrix.
template <class Kernel>
std::unique_ptr<KernelSource<Kernel>> serve_spec(std::unique_ptr<KernelSource<Kernel>> kernels, const SpecRef &spec,
                                                 std::vector<std::string> &skipped);

extern template std::unique_ptr<CpuKernels> serve_spec(std::unique_ptr<CpuKernels>, const SpecRef &,
                                                       std::vector<std::string> &);
extern template std::unique_ptr<DeviceKernels> serve_spec(std::unique_ptr<DeviceKernels>, const SpecRef &,
                                                          std::vector<std::string> &);

}  // namespace alnsmith::rt::sources
