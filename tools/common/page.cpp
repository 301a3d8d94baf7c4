// See page.h.
#include "common/page.h"

namespace alnsmith::tool {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string fill_page(std::string_view skeleton, std::span<const std::pair<std::string_view, std::string>> values) {
  std::string out;
  for (const auto &[name, value] : values) {
    const std::size_t at = skeleton.find(name);
    out += skeleton.substr(0, at);
    out += value;
    skeleton.remove_prefix(at + name.size());
  }
  return out += skeleton;
}

}  // namespace alnsmith::tool
