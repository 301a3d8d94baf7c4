// Prints IR as C++ over the operations of a prelude: one function, readable, the same bytes for the same input.
#pragma once

#include <string>

#include "ir/ir.h"

namespace alnsmith::backend {

// `extern "C" int name(const aln_args_v1 *args)`.
std::string print_function(const ir::Function &function, const std::string &name);

}  // namespace alnsmith::backend
