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
// faster.
bool wants_strips(const kernels::Manifest &kernels);

// `kernels` with the strips of `beside`, both of one spec; `kernels` as they are where either wants none. Bit-sliced
// strips stay: they hold twice the letters.
std::unique_ptr<CpuKernels> with_strips(std::unique_ptr<CpuKernels> kernels, std::unique_ptr<CpuKernels> beside);

}  // namespace alnsmith::rt::sources
