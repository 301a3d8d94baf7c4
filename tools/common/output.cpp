// Where results go: stdout, or a file that appears only when it is complete.
#include "common/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/interrupt.h"
#include "common/text.h"

namespace alnsmith::tool {
namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 20;
constexpr int kClosedPipe = 141;  // what a shell reports for a program that SIGPIPE ended

// The file that `path` names once symbolic links are followed, so that a link stays a link.
std::string resolved(const std::string &path) {
  char *real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string out(real);
  std::free(real);
  return out;
}

}  // namespace

Result<Output> Output::open(const std::string &path) {
  Output out;
  if (path.empty() || path == "-") {
    out.fd_ = ::dup(STDOUT_FILENO);
    out.label_ = "stdout";
    if (out.fd_ < 0) return Error{fmt::format("stdout cannot be written: {}", std::strerror(errno))};
    return out;
  }
  out.label_ = printable(path, 400);
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    out.fd_ = S_ISDIR(info.st_mode) ? -1 : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (S_ISDIR(info.st_mode)) errno = EISDIR;
  } else {
    if (exists && ::access(path.c_str(), W_OK) != 0)
      return Error{fmt::format("{}: cannot be written: {}", out.label_, std::strerror(errno))};
    out.final_ = resolved(path);
    std::string name = out.final_ + ".XXXXXX";
    const InterruptsHeld held;
    out.fd_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (out.fd_ >= 0) {
      out.temporary_ = name;
      set_unfinished_file(name);
      const mode_t mask = ::umask(0);
      ::umask(mask);
      ::fchmod(out.fd_, exists ? info.st_mode & 07777 : 0666 & ~mask);
    }
  }
  if (out.fd_ < 0) return Error{fmt::format("{}: cannot be written: {}", out.label_, std::strerror(errno))};
  return out;
}

Output::Output(Output &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      label_(std::move(other.label_)),
      temporary_(std::exchange(other.temporary_, {})),
      final_(std::move(other.final_)),
      buffer_(std::move(other.buffer_)),
      error_(std::move(other.error_)) {}

Output::~Output() {
  if (fd_ >= 0) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  set_unfinished_file("");
}

void Output::text(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kFlushAt) (void)flush();
}

Status Output::failure(int code) {
  if (code == EPIPE)
    error_ = {"", kClosedPipe};  // the reader has seen enough: no message
  else
    error_ = {fmt::format("{}: cannot be written: {}", label_, std::strerror(code)), 1};
  return error_;
}

Status Output::flush() {
  std::string_view rest = buffer_;
  while (error_.exit_code == 0 && !rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n > 0)
      rest.remove_prefix(static_cast<std::size_t>(n));
    else if (n < 0 && errno == EINTR && !interrupted())
      continue;
    else if (n < 0 && errno == EINTR)
      error_ = interrupted_error();
    else
      (void)failure(n < 0 ? errno : EIO);
  }
  buffer_.clear();
  if (error_.exit_code != 0) return error_;
  return Ok{};
}

Status Output::finish() {
  if (Status flushed = flush(); !flushed) return flushed;
  if (::close(std::exchange(fd_, -1)) != 0) return failure(errno);  // where network file systems report a full disk
  if (temporary_.empty()) return Ok{};
  const InterruptsHeld held;
  if (::rename(temporary_.c_str(), final_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  set_unfinished_file("");
  return Ok{};
}

}  // namespace alnsmith::tool
