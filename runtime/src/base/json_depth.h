// How deep a JSON text is nested, before it is parsed: printing, copying and comparing a tree recur, so a text of
// others must not decide how much stack they take. Header only; the library, the generator and the program ask it.
#pragma once

#include <cstddef>
#include <string_view>

namespace alnsmith {

// Brackets within texts are no nesting, and must not hide any.
inline bool deeper_than(std::size_t most, std::string_view text) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace alnsmith
