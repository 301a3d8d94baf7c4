// What messages are asked for.
#pragma once

#include <string>

namespace alnsmith::testing {

inline bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

}  // namespace alnsmith::testing
