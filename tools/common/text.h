// Small text helpers of the command line: sizes, printable quoting.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// "2G", "512M", "64K" or plain bytes; K, M and G are powers of 1,024. Errors are usage errors.
Result<std::size_t> parse_size(std::string_view text);

// `text` on one line: control and non-ASCII bytes as \xNN, and cut after `limit` bytes. For messages.
std::string printable(std::string_view text, std::size_t limit = 80);

// A JSON text that is nested deeper than any that this program writes: not to be made a tree of, as printing and
// copying trees recur.
bool too_deep(std::string_view json);

// One byte for a message: 'J', or byte 0x0a where it does not print.
std::string printable_letter(char letter);

}  // namespace alnsmith::tool
