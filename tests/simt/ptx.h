// The rows of device/ptx_table.inc as the rewriter sees them, and a single asm statement turned into a call.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lexer.h"

namespace simt {

struct PtxRow {
  const char *name;         // function in simt::ptx
  const char *instruction;  // "add.s16x2"
  char result;              // 'r', 'h' or 'f'
  const char *operands;     // "rr"
};
std::span<const PtxRow> ptx_rows();

// The replacement of an asm statement whose `asm` is tokens[at]; `at` is moved behind its semicolon. Throws naming the
// line where the statement is not of the one form that a text may use:
//   asm("add.s16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
std::string call_of_asm(std::string_view text, const std::vector<Token> &tokens, std::size_t &at);

}  // namespace simt
