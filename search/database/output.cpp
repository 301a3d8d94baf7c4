// See output.h.
#include "database/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/files.h"

namespace alnsmith::search {
namespace {

// 0, or errno.
int write_at(int fd, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return 0;
}

}  // namespace

Error DatabaseOutput::failure(int code) const { return Error{path_ + ": cannot be written: " + std::strerror(code)}; }

Result<DatabaseOutput> DatabaseOutput::create(const std::string &path) {
  DatabaseOutput out;
  out.path_ = out.final_ = path;
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return Error{path + ": cannot be written: is no regular file, which a database has to be"};
  if (exists && ::access(path.c_str(), W_OK) != 0) return out.failure(errno);
  char real[PATH_MAX];
  if (exists && ::realpath(path.c_str(), real) != nullptr) out.final_ = real;
  for (int turn = 0; out.fd_ < 0 && turn < 100; ++turn) {
    out.temporary_ = rt::temporary_beside(out.final_);
    out.fd_ = ::open(out.temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out.fd_ < 0 && errno != EEXIST) break;
  }
  if (out.fd_ < 0) {
    const int code = errno;
    out.temporary_.clear();
    return out.failure(code);
  }
  if (exists) (void)::fchmod(out.fd_, info.st_mode & 07777);
  if (auto ok = out.fill_to(kHeaderBytes); !ok) return ok.error();
  return out;
}

Result<DatabaseOutput> DatabaseOutput::append(const std::string &path, Head &head) {
  DatabaseOutput out;
  out.path_ = path;
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Error{path + ": cannot be appended to: " + std::strerror(errno)};
  struct stat info{};
  Status ok = Ok{};
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    ok = Error{path + ": another program is appending to it: wait until it has ended"};
  else if (::fstat(fd, &info) != 0)
    ok = out.failure(errno);
  else if (!S_ISREG(info.st_mode))
    ok = Error{path + ": is no regular file, which a database has to be"};
  if (ok) {
    auto read = read_head(fd, static_cast<std::uint64_t>(info.st_size));
    if (read)
      head = *std::move(read);
    else
      ok = Error{path + ": " + read.error().message};
  }
  if (!ok) {
    ::close(fd);
    return ok.error();
  }
  out.fd_ = fd;
  out.old_header_ = header_bytes(head.header);
  out.position_ = out.old_bytes_ = head.header.bytes;
  if (::ftruncate(fd, static_cast<off_t>(out.old_bytes_)) != 0) return out.failure(errno);
  return out;
}

DatabaseOutput::DatabaseOutput(DatabaseOutput &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      final_(std::move(other.final_)),
      temporary_(std::exchange(other.temporary_, {})),
      old_header_(std::move(other.old_header_)),
      old_bytes_(std::exchange(other.old_bytes_, 0)),
      position_(other.position_) {}

DatabaseOutput::~DatabaseOutput() {
  if (fd_ >= 0 && old_bytes_ != 0 && ::ftruncate(fd_, static_cast<off_t>(old_bytes_)) != 0) {
    // What lies behind the old bytes stays, and does not count.
  }
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status DatabaseOutput::write(std::string_view bytes) {
  if (const int code = write_at(fd_, bytes, position_); code != 0) return failure(code);
  position_ += bytes.size();
  return Ok{};
}

Status DatabaseOutput::fill_to(std::uint64_t position) { return write(std::string(position - position_, '\0')); }

Status DatabaseOutput::put_header(const std::string &header) {
  // 128 bytes at the begin of the file: one sector, so the old header or the new one.
  int code = write_at(fd_, header, 0);
  if (code == 0 && ::fsync(fd_) != 0) code = errno;
  if (code == 0) return Ok{};
  if (!old_header_.empty()) (void)write_at(fd_, old_header_, 0);
  return failure(code);
}

Status DatabaseOutput::commit(const std::string &header) {
  if (::fsync(fd_) != 0) return failure(errno);
  if (auto ok = put_header(header); !ok) return ok;
  old_bytes_ = 0;
  if (::close(std::exchange(fd_, -1)) != 0) return failure(errno);
  if (temporary_.empty()) return Ok{};
  if (std::rename(temporary_.c_str(), final_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  return Ok{};
}

}  // namespace alnsmith::search
