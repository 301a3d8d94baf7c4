// Kernels for devices: one spec, one device target, binaries obtained when a call needs them.
//
// In:  a spec, the sources of Aligner::open, the target of a device ("cuda:sm_90", "hip:gfx90a:xnack-", "opencl").
// Out: the manifest, and for each kernel what Executor::load takes. Asked in this order: the user's cache, folders of
//      compiled kernels and their packs (device_files.h), generation; where nothing can be generated, for want of a
//      generator or of a compiler, what cpu_kernels.h says of the cache and of generic kernels.
#pragma once

#include "base/process.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

Result<std::unique_ptr<DeviceKernels>> find_device_kernels(const SpecRef &spec, const Sources &sources,
                                                           const std::string &target, const Cancelled &cancelled);

}  // namespace alnsmith::rt::sources
