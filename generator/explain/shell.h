// What the reports need of the shell: programs' output, and text put together.
#pragma once

#include <cstdio>
#include <string>

namespace alnsmith {

inline std::string format(const char *pattern, auto... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

// Standard output of a program, empty if it fails. `arguments` hold no quotes: they are built here.
inline std::string output_of(const std::string &command) {
  std::string text;
  if (std::FILE *pipe = popen(command.c_str(), "r")) {
    char buffer[65536];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    if (pclose(pipe) != 0) text.clear();
  }
  return text;
}

inline std::string quoted(const std::string &path) {
  std::string out = "'";
  for (char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace alnsmith
