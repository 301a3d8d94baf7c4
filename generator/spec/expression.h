// Integer expressions over `query` and `target` (the sequences' lengths), as a band's bounds are written.
//
// In: text with + - * and parentheses. Out: the same expression with blanks normalised, so that two spellings
// give one canonical form; or `rule; mend` without a place.
#pragma once

#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::spec {

Result<std::string> normal_expression(std::string_view text);

}  // namespace alnsmith::spec
