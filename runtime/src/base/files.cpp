// See files.h.
#include "base/files.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/bytes.h"
#include "base/library.h"

namespace alnsmith::rt {
namespace {

Error system_error(const std::string &path, const char *what) {
  return Error{path + ": " + what + ": " + std::strerror(errno)};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

// In a user namespace this is everyone who is not in it, so the outer root too; elsewhere it is a user like others.
constexpr uid_t kOverflowUser = 65534;
bool in_user_namespace() {
  static const bool inside = [] {
    std::ifstream map("/proc/self/uid_map");
    unsigned long first = 0, outer = 0, count = 0;
    return map >> first >> outer >> count && count < 4294967295UL;
  }();
  return inside;
}

// Who owns the running program and this library: a software account (modules, EasyBuild, Spack, conda) as a rule. Their
// code runs already, so to load more of it trusts nobody anew.
const std::vector<uid_t> &owners_of_running_code() {
  static const std::vector<uid_t> owners = [] {
    std::vector<uid_t> found;
    struct stat info;
    for (const std::string &path : {std::string("/proc/self/exe"), running_library()})
      if (!path.empty() && ::stat(path.c_str(), &info) == 0) found.push_back(info.st_uid);
    return found;
  }();
  return owners;
}

bool is_trusted_user(uid_t user) {
  if (user == ::geteuid() || user == 0) return true;
  if (user == kOverflowUser) return false;  // whoever no map knows: not one user, also on NFS
  return std::ranges::find(owners_of_running_code(), user) != owners_of_running_code().end();
}

// One step of the path: the file itself and its folder must belong to a user who is trusted (`owned`); folders above
// only must not let others in. A sticky folder keeps all but its owner from replacing the files of this user.
Status check_owner(const std::string &path, const struct stat &info, bool owned) {
  const bool own = is_trusted_user(info.st_uid);
  const bool outer = info.st_uid == kOverflowUser && in_user_namespace();
  const bool sticky = S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) && (own || outer);
  if (sticky) return Ok{};
  if (owned && !own) return Error{path + ": not loaded: belongs to another user; copy it to a folder of your own"};
  const bool group = (info.st_mode & S_IWGRP) && info.st_gid != ::getegid() && info.st_gid != 0;
  if ((info.st_mode & S_IWOTH) || group)
    return Error{path + ": not loaded: others may write to it; run chmod go-w on it"};
  return Ok{};
}

Status check_part(const std::string &path, bool owned) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return system_error(path, "cannot look at it");
  return check_owner(path, info, owned);
}

Result<std::string> read_open(int file, const std::string &path, std::size_t limit) {
  std::string bytes;
  for (char buffer[1 << 16];;) {
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(path, "cannot be read");
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > limit) return Error{path + ": larger than " + std::to_string(limit >> 20) + " MiB"};
  }
}

// A regular file whose owner and mode are looked at once it is open: no link that takes the place of what was checked
// is followed, and no pipe waited for.
Result<std::string> read_regular(const std::string &at, const std::string &name, std::size_t limit) {
  const Descriptor file(::open(at.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) return system_error(name, "cannot open");
  if (!S_ISREG(info.st_mode)) return Error{name + ": is no regular file"};
  if (auto ok = check_owner(name, info, true); !ok) return ok.error();
  return read_open(file.get(), name, limit);
}

}  // namespace

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  return to_hex({reinterpret_cast<const char *>(digest), size});
}

Result<std::string> read_file(const std::string &path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error(path, "cannot be read");
  return read_open(file.get(), path, limit);
}

std::string temporary_beside(const std::string &path) {
  static std::atomic<unsigned> count{0};
  const auto folder = std::filesystem::path(path).parent_path();
  return (folder / (".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(count++))).string();
}

Status write_file(const std::string &path, std::string_view bytes, unsigned mode) {
  // A rename would put a file in the place of a device, pipe or socket.
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    return Error{path + ": cannot be written: is no regular file"};
  // A file of the temporary name that is there already, a link of somebody else's among them, is neither followed nor
  // written to.
  std::string beside;
  int opened = -1;
  for (int turn = 0; opened < 0 && turn < 100; ++turn) {
    beside = temporary_beside(path);
    opened = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (opened < 0 && errno != EEXIST) break;
  }
  Descriptor file(opened);
  if (file.get() < 0) return system_error(path, "cannot be written");
  if (write_all(file.get(), bytes) && file.close() && std::rename(beside.c_str(), path.c_str()) == 0) return Ok{};
  const Error error = system_error(path, "cannot be written");
  ::unlink(beside.c_str());
  return error;
}

Result<std::string> check_trusted(const std::string &path) {
  char resolved[PATH_MAX];
  if (!::realpath(path.c_str(), resolved)) return system_error(path, "cannot open");
  std::filesystem::path part(resolved);
  for (int up = 0;; ++up, part = part.parent_path()) {
    if (auto ok = check_part(part.string(), up < 2); !ok) return ok.error();
    if (part == part.parent_path()) return std::string(resolved);
  }
}

Result<std::string> read_trusted(const std::string &path, std::size_t limit) {
  const auto trusted = check_trusted(path);
  if (!trusted) return trusted.error();
  return read_regular(*trusted, path, limit);
}

Result<std::string> read_in_trusted_folder(const std::string &path, std::size_t limit) {
  return read_regular(path, path, limit);
}

}  // namespace alnsmith::rt
