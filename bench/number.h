// Numbers on a command line.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace bench {

// False where `text` is anything but one number that `to` can hold.
template <class T>
bool read_number(const std::string &text, T &to) {
  const char *end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, to);
  return code == std::errc() && stop == end;
}

}  // namespace bench
