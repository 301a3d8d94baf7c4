// The machine code of a compiled kernel, listed by nvdisasm or llvm-objdump and read back.
#pragma once

#include "alnsmith/result.hpp"
#include "internal.h"
#include "models/disassembly.h"

namespace alnsmith::check {

// An error says what is missing: nvdisasm, llvm-objdump.
Result<models::Listing> disassemble(const internal::DeviceBinary &binary);

}  // namespace alnsmith::check
