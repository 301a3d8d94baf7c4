// Embedded files by name, and texts with holes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "backend/embedded.h"

namespace alnsmith::backend {

inline std::string_view file_text(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const auto &[file, text] : files)
    if (file == name) return text;
  return {};
}

// Replaces {{name}} by its value.
inline std::string fill(std::string_view text, const std::map<std::string, std::string> &values) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("{{", at);
    out += text.substr(at, open - at);
    if (open == std::string_view::npos) return out;
    const std::size_t close = text.find("}}", open);
    out += values.at(std::string(text.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
}

}  // namespace alnsmith::backend
