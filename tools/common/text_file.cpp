// See text_file.h.
#include "common/text_file.h"

#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "common/text.h"

namespace alnsmith::tool {

Result<std::string> read_text_file(const std::string &path, std::size_t most_bytes) {
  const std::string shown = printable(path, 400);
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return Error{fmt::format("{}: {}", shown, std::strerror(errno))};
  if (S_ISDIR(info.st_mode)) return Error{fmt::format("{}: is a folder: name a file", shown)};
  BGZF *file = bgzf_open(path.c_str(), "r");
  if (file == nullptr) return Error{fmt::format("{}: cannot be read: {}", shown, std::strerror(errno))};
  std::string text, buffer(std::size_t{1} << 16, '\0');
  ssize_t got = 0;
  while (text.size() <= most_bytes && (got = bgzf_read(file, buffer.data(), buffer.size())) > 0)
    text.append(buffer, 0, static_cast<std::size_t>(got));
  const bool closed = bgzf_close(file) == 0;
  if (got < 0 || !closed) return Error{fmt::format("{}: is damaged, or cut short: fetch it again", shown)};
  if (text.size() > most_bytes)
    return Error{fmt::format("{}: is larger than its share of --memory, {} bytes: raise it", shown, most_bytes)};
  return text;
}

}  // namespace alnsmith::tool
