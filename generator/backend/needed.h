// The definitions of a prelude that something uses.
//
// In: a prelude's text and the text of those who use it. Out: the prelude without the definitions that neither they nor
// what is kept mention. A definition begins in the first column, with the comment above it; an #if around definitions
// is kept or left out as a whole. Operators are kept: nothing mentions them by name.
#pragma once

#include <string>
#include <string_view>

namespace alnsmith::backend {

std::string needed(std::string_view prelude, std::string_view users);

}  // namespace alnsmith::backend
