// See own_file.h.
#include "tune/own_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/text.h"

namespace alnsmith::tool::tune {

namespace fs = std::filesystem;

Status make_folder(const std::string &folder) {
  fs::path part;
  for (const fs::path &name : fs::path(folder)) {
    part /= name;
    std::error_code ignored;
    if (fs::is_directory(part, ignored) || ::mkdir(part.c_str(), 0755) == 0) continue;
    const int why = errno;
    if (!fs::is_directory(part, ignored))  // which another process may have made meanwhile
      return Error{fmt::format("{}: cannot be made: {}", printable(part.string(), 400), std::strerror(why))};
  }
  return Ok{};
}

FolderLock::FolderLock(const std::string &folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (folder_ >= 0 && ::flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FolderLock::~FolderLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace alnsmith::tool::tune
