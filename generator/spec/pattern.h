// Regular expressions (ECMAScript, as JSON schemas use), kept in one file: <regex> is slow to compile.
#pragma once

#include <string>

namespace alnsmith::spec {

// Whether the whole text matches. A text of more than 1000 bytes never does: std::regex recurses per byte.
bool matches(const std::string &text, const std::string &pattern);

}  // namespace alnsmith::spec
