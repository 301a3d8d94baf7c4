#include "write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/files.h"

namespace alnsmith {

Status write_text(const std::string &path, const std::string &text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      return Error{path + ": cannot be written: " + std::strerror(errno)};
    return Ok{};
  }
  if (const auto old = rt::read_file(path); old && *old == text) return Ok{};
  return rt::write_file(path, text, 0666);
}

}  // namespace alnsmith
