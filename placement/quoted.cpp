// See quoted.hpp.
#include "quoted.hpp"

namespace alnsmith::placement {

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    if (c >= 0x20 && c < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
      out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
  }
  if (text.size() > kMost) out += "...";
  return out + "'";
}

}  // namespace alnsmith::placement
