// When bit-sliced kernels pay, whose vectors hold a bit of each lane.
#pragma once

#include <cstddef>
#include <span>

#include "align/batch.hpp"
#include "kernels/manifest.hpp"

namespace alnsmith::rt {

// Whether a batch takes less in a bit-sliced kernel, and no more than `available` bytes, than its pairs do, so many at
// a time, in the lanes of `other`.
bool sliced_pays(const KernelInfo &sliced, const KernelInfo &other, std::span<const Item> batch, std::size_t available);

}  // namespace alnsmith::rt
