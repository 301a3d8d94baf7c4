// See say.h.
#include "say.h"

#include <iostream>

#include "explain/shell.h"

namespace alnsmith {

void say(const std::string &message) {
  std::string shown;
  for (const char c : message)
    shown += (c >= ' ' && c <= '~') || c == '\n' ? std::string(1, c) : format("\\x%02x", c & 0xff);
  std::cerr << "alnsmith-generate: " << shown << "\n";
}

int fail(const Error &error) {
  say(error.message);
  return error.exit_code;
}

}  // namespace alnsmith
