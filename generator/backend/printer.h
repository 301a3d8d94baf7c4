// Prints IR over the operations of a prelude: one function, readable, the same bytes for the same input.
#pragma once

#include <string>
#include <string_view>

#include "ir/ir.h"

namespace alnsmith::backend {

// The comment in front of what scores most rows (hot_row in templates/ops.def), on a line of its own.
constexpr std::string_view hot_row_comment = "// hot row";

// What differs between languages.
struct Style {
  std::string head;         // up to and including the opening brace
  std::string suffix;       // of the prelude's types and functions, where a language has no namespaces
  std::string before_loop;  // a line before every loop
  bool operators = true;    // lanes have operators; else they are functions too
  bool device = false;      // a device's kernel: fields of the argument block are parameters, nothing is returned
  std::string before_inner_loop = {};  // before a loop that holds no other and carries many values; empty: as above
};

// `extern "C" int name(const aln_args_v1 *args)`; `linkage` in place of `extern "C"`; `args`: the argument block's
// type.
Style cpu_style(const std::string &name, const std::string &linkage = "extern \"C\"",
                const std::string &args = "aln_args_v1");

std::string print_function(const ir::Function &function, const Style &style);

}  // namespace alnsmith::backend
