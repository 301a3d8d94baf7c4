// Kernels of two targets as one source: where a core runs the widest vectors as halves, one after the other, its
// kernels of mapping `strips` are those of the target whose vectors it runs as one. They do as many cells a second, and
// a row waits half as long for the one before it (docs/performance.md).
#pragma once

#include <optional>

#include "sources/kernel_source.h"

namespace alnsmith::rt::sources {

// The target whose strips a core that runs `vector` bytes as one takes in place of those of `target`.
std::optional<Isa> strips_target(Isa target, int vector);

// Whether kernels have strips that may be others': not where scores come from a matrix, which wide vectors look up
// faster, nor where all of a matrix is scored in 32 bits.
bool wants_strips(const kernels::Manifest &kernels);

// `kernels` with the strips (KernelInfo::strips(): bit-sliced ones stay, as they hold twice the letters) of `beside`,
// both of one spec, in place of their own, if there are any. `kernels` as they are where `beside` has none to give,
// stores other outputs, or has no strip as wide as theirs.
std::unique_ptr<CpuKernels> with_strips(std::unique_ptr<CpuKernels> kernels, std::unique_ptr<CpuKernels> beside);

}  // namespace alnsmith::rt::sources
