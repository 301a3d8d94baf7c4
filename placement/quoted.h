// Text of input files: within messages, on one line, not too long; and whether it is UTF-8, as JSON wants it.
#pragma once

#include <string>
#include <string_view>

namespace alnsmith::placement {

// 'name'; control and non-ASCII bytes as \xNN, cut after 80 bytes.
std::string in_quotes(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace alnsmith::placement
