// How much memory a kernel gets for the way back from the ends of alignments to their begins (templates/trace.h).
#pragma once

#include <cstddef>

#include "kernels/manifest.h"

namespace alnsmith::rt::align {

// What is kept of a batch of these longest lengths: as many strips, or stages, a section, as there is room for.
struct KeptForWayBack {
  int strips = 0;
  std::size_t bytes = 0;
};
// All strips, where that takes little; else as many as take the least, sections running once more before the way goes
// through them. Depends on the lengths alone.
KeptForWayBack kept_for(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max);

// The same of form `split`: as many stages, a section; all where that takes at most `allowed` bytes and is not much.
KeptForWayBack kept_stages(const kernels::KernelInfo &kernel, std::size_t query, std::size_t target,
                           std::size_t allowed);
// Bytes of a border between stages, and of what stages keep, their borders included; patches of one.
std::size_t split_border(const kernels::KernelInfo &kernel, std::size_t target);
std::size_t kept_bytes(const kernels::KernelInfo &kernel, std::size_t stages, std::size_t target);
std::size_t split_patches(const kernels::KernelInfo &kernel, std::size_t target);

// Whether kernels that fill lanes with pairs can use all of it, whose elements they count in 32 bits.
bool way_back_counts(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max);

// Runs of a CIGAR that there is room for at first.
std::size_t cigar_room(std::size_t register_max, std::size_t stream_max);

}  // namespace alnsmith::rt::align
