// See recorder.h.
#include "tune/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/text.h"

namespace alnsmith::tool::tune {
namespace {

Error failure(const std::string &path) {
  return Error{fmt::format("{}: cannot be written: {}", printable(path, 400), std::strerror(errno))};
}

Status write_all(int fd, std::string_view text, const std::string &path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failure(path);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return Ok{};
}

}  // namespace

Result<Recorder> Recorder::open(const std::string &path, bool resume) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return failure(path);
  Recorder made(fd, path, {});
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
    return Error{fmt::format("{}: another run writes to it; name another file with --out", printable(path, 400))};
  struct stat info{};
  if (::fstat(fd, &info) != 0) return failure(path);
  if (!S_ISREG(info.st_mode)) return Error{fmt::format("{}: is no regular file", printable(path, 400))};
  made.made_ = info.st_size == 0;
  if (made.made_) return made;
  if (!resume)
    return Error{fmt::format("{}: holds results already: go on with --resume, or name another file with --out",
                             printable(path, 400)),
                 2};
  auto recording = read_recording(path);
  if (!recording) return recording.error();
  if (recording->torn && ::ftruncate(fd, static_cast<off_t>(recording->whole)) != 0) return failure(path);
  if (recording->open_ended)
    if (auto ok = write_all(fd, "\n", path); !ok) return ok.error();
  made.records_ = std::move(recording->records);
  return made;
}

Recorder::Recorder(Recorder &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      made_(other.made_),
      path_(std::move(other.path_)),
      records_(std::move(other.records_)) {}

Recorder::~Recorder() {
  if (fd_ < 0) return;
  if (made_ && records_.empty()) ::unlink(path_.c_str());
  ::close(fd_);
}

Status Recorder::append(const std::vector<Record> &records) {
  std::string lines;
  for (const Record &record : records) lines += record_line(record);
  if (auto ok = write_all(fd_, lines, path_); !ok) return ok;
  if (::fsync(fd_) != 0 && errno != EINVAL) return failure(path_);
  records_.insert(records_.end(), records.begin(), records.end());
  return Ok{};
}

}  // namespace alnsmith::tool::tune
