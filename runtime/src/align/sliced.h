// When bit-sliced kernels pay, whose vectors hold a bit of each lane.
#pragma once

#include <cstddef>
#include <span>

#include "align/batch.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::align {

// Whether a batch of `items` takes less in a bit-sliced kernel, and no more than `available` bytes, than its pairs do,
// so many at a time, in the lanes of `other`.
bool sliced_pays(const kernels::KernelInfo &sliced, const kernels::KernelInfo &other, std::span<const Item> items,
                 const Batch &batch, std::size_t available);

}  // namespace alnsmith::rt::align
