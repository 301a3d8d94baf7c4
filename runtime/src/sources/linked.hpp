// Kernels that were compiled into the program: a store over the tables of alnsmith/linked.h.
#pragma once

#include <memory>

#include "alnsmith/linked.h"
#include "sources/store.hpp"

namespace alnsmith::rt {

// The unit for the widest target that is at most `widest`; units that do not fit their manifest are passed over, and
// `provenance` says so. An error if none is left.
Result<std::unique_ptr<Store>> open_linked_store(const alnsmith_linked_kernels &kernels, Isa widest);

}  // namespace alnsmith::rt
