// Kernels for CPUs that earlier runs left in the user's cache, where nothing can be generated.
#pragma once

#include <memory>

#include "base/cache.h"
#include "sources/cache_index.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// Whether a kernel of a shared object is what a plan says of it.
bool same_kernel(const kernels::KernelInfo &planned, const kernels::KernelInfo &loaded);

// The kernels of the spec that the cache holds for `target`: all that belong together or, where `partial`, those that
// are there, with a note that says so. Null where there are none; what does not load is added to `skipped`. `wanted`:
// as of CacheIndex::find().
std::unique_ptr<CpuKernels> open_cached_kernels(const Cache &cache, const SpecRef &spec, Isa target, bool partial,
                                                std::vector<std::string> &skipped,
                                                const CacheIndex::Filter &wanted = {});

// Of a part of a plan's kernels, for users: what there is, what follows, and the mend.
std::string partial_note(std::size_t there, std::size_t planned, const std::string &target);

}  // namespace alnsmith::rt::sources
