// Reads a spec or a matrix whole. Only regular files are opened, so that a pipe or a device named by
// mistake neither blocks nor fills memory.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/json_depth.h"
#include "spec/yaml_tree.h"

namespace alnsmith::spec {
namespace {

constexpr size_t max_nesting = 1000;  // of a spec, a matrix or a tuned table

}  // namespace

Result<std::string> read_text_file(const std::string &path) {
  if (path.find('\0') != path.npos) return error_in(path, "a path holds no NUL byte; check the path");
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return error_in(path, "no such file; check the path");
  if (!std::filesystem::is_regular_file(status)) return error_in(path, "not a regular file; give a text file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return error_in(path, std::string("cannot be read (") + std::strerror(errno) + "); check its permissions");
  }
  std::string text(max_file_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return error_in(path, "reading failed; check the disk");
  text.resize(static_cast<size_t>(stream.gcount()));
  if (text.size() > max_file_bytes) return error_in(path, "larger than 1 MiB; give a shorter file");
  if (deeper_than(max_nesting, text)) return error_in(path, "brackets nested too deep; remove some");
  return text;
}

}  // namespace alnsmith::spec
