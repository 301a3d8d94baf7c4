#include "write_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace alnsmith {

Status write_file(const std::string &path, const std::string &text) {
  auto failed = [&](const std::string &why) { return Error{path + ": cannot be written: " + why}; };
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      return failed(std::strerror(errno));
    return Ok{};
  }
  {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream old;
    old << in.rdbuf();
    if (in && old.str() == text) return Ok{};
  }
  const std::string beside = path + ".new." + std::to_string(::getpid());
  // "x": a link that lies there already is not followed.
  std::FILE *file = std::fopen(beside.c_str(), "wbx");
  if (!file) return failed(std::strerror(errno));
  const bool wrote = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!wrote || !closed) {
    const int why = wrote ? errno : write_error;
    std::remove(beside.c_str());
    return failed(std::strerror(why));
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    const int why = errno;
    std::remove(beside.c_str());
    return failed(std::strerror(why));
  }
  return Ok{};
}

}  // namespace alnsmith
