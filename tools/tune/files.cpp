// See files.h.
#include "tune/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "common/text.h"

namespace alnsmith::tool::tune {

// Called from several threads, unlike Output. A file of that name that is there already, a link of somebody else's
// among them, is neither followed nor written to.
Status write_whole(const std::string &path, const std::string &text) {
  static std::atomic<unsigned> counter{0};
  std::string beside;
  int fd = -1;
  for (int turn = 0; fd < 0 && turn < 100; ++turn) {
    beside = fmt::format("{}.tmp-{}-{}", path, ::getpid(), counter++);
    fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  const auto failed = [&](int code) {
    return Error{fmt::format("{}: cannot be written: {}", printable(path, 400), std::strerror(code))};
  };
  if (fd < 0) return failed(errno);
  int code = 0;
  for (std::string_view rest = text; code == 0 && !rest.empty();) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
    if (n <= 0 && errno != EINTR) code = n < 0 ? errno : EIO;
  }
  if (::close(fd) != 0 && code == 0) code = errno;
  if (code == 0 && std::rename(beside.c_str(), path.c_str()) != 0) code = errno;
  if (code == 0) return Ok{};
  ::unlink(beside.c_str());
  return failed(code);
}

Result<std::string> read_whole(const std::string &path, std::size_t limit) {
  const auto failed = [&](const std::string &why) {
    return Error{fmt::format("{}: cannot be read: {}", printable(path, 400), why)};
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) return failed(std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    text.append(buffer.data(), n);
    if (text.size() > limit) return failed(fmt::format("larger than {} MiB; give a shorter file", limit >> 20));
  }
  if (std::ferror(file.get())) return failed(std::strerror(errno));
  return text;
}

}  // namespace alnsmith::tool::tune
