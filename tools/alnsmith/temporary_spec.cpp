// A spec that exists for one run only, as a temporary file.
#include "temporary_spec.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace alnsmith::tool {

Result<TemporarySpec> TemporarySpec::write(const std::string &text) {
  std::error_code failed;
  std::string path = std::filesystem::temp_directory_path(failed) / "alnsmith-spec-XXXXXX.yaml";
  const int fd = failed ? -1 : ::mkostemps(path.data(), 5, 0);
  if (fd < 0)
    return Error{
        fmt::format("the spec as the command line changes it cannot be written: {}: set TMPDIR", std::strerror(errno))};
  TemporarySpec out(path);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (::close(fd) != 0 || !written) return Error{fmt::format("{}: cannot be written: {}", path, std::strerror(errno))};
  return out;
}

TemporarySpec::~TemporarySpec() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace alnsmith::tool
