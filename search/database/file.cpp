// See file.h.
#include "database/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "database/part_check.h"

namespace alnsmith::search {
namespace {

// Fewer bytes where the file ends.
Result<std::string> read_at(int fd, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  std::uint64_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{std::string("cannot be read: ") + std::strerror(errno)};
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

struct Closed {
  int fd;
  ~Closed() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

Result<Head> read_head(int fd, std::uint64_t file_size) {
  const auto bytes = read_at(fd, 0, kHeaderBytes);
  if (!bytes) return bytes.error();
  const auto header = parse_header(*bytes, file_size);
  if (!header) return header.error();
  const auto listed = read_at(fd, header->directory_offset, header->directory_size);
  if (!listed) return listed.error();
  auto directory = parse_directory(*listed, *header);
  if (!directory) return directory.error();
  return Head{*header, *std::move(directory)};
}

Result<std::unique_ptr<DatabaseFile>> DatabaseFile::open(const std::string &path) {
  std::unique_ptr<DatabaseFile> file(new DatabaseFile(path));
  // A pipe in the place of a database must not be waited for.
  const Closed opened{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat info{};
  if (opened.fd < 0 || ::fstat(opened.fd, &info) != 0)
    return Error{path + ": cannot be opened: " + std::strerror(errno)};
  if (!S_ISREG(info.st_mode)) return Error{path + ": is no regular file, which a database has to be"};
  auto head = read_head(opened.fd, static_cast<std::uint64_t>(info.st_size));
  if (!head) return Error{path + ": " + head.error().message};
  file->directory_ = std::move(head->directory);
  file->found_ = std::make_unique<Found[]>(file->directory_.blocks.size());
  void *map = ::mmap(nullptr, head->header.bytes, PROT_READ, MAP_SHARED, opened.fd, 0);
  if (map == MAP_FAILED) return Error{path + ": cannot be mapped: " + std::strerror(errno)};
  file->map_ = static_cast<const char *>(map);
  file->mapped_ = head->header.bytes;
  return file;
}

DatabaseFile::~DatabaseFile() {
  if (map_ != nullptr) ::munmap(const_cast<char *>(map_), mapped_);
}

Status DatabaseFile::check(std::uint64_t block, PartKind part) const {
  const char *&problem = found_[block].problem[part];
  std::call_once(found_[block].asked[part],
                 [&] { problem = part_problem(bytes(entry(block).parts[part]), entry(block), part); });
  return said(block, part, problem);
}

Status DatabaseFile::check_again(std::uint64_t block, PartKind part) const {
  return said(block, part, part_problem(bytes(entry(block).parts[part]), entry(block), part));
}

Status DatabaseFile::said(std::uint64_t block, PartKind part, const char *problem) const {
  if (problem == nullptr) return Ok{};
  return damaged(block, std::string(kPartNames[part]) + " " + problem);
}

Error DatabaseFile::damaged(std::uint64_t block, const std::string &what) const {
  const Extent &e = entry(block).extent;
  return Error{path_ + ": damaged: in block " + std::to_string(block + 1) + " of " +
               std::to_string(directory_.blocks.size()) + " (sequences from " + std::to_string(e.first + 1) + "), " +
               what + ": copy or make it again"};
}

void DatabaseFile::advise(std::uint64_t block, int advice) const {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = aligned(entry(block).parts[kLetters].offset, page);
  const std::uint64_t end = entry(block).end() / page * page;
  if (begin < end) (void)::madvise(const_cast<char *>(map_) + begin, end - begin, advice);
}

std::string_view text_at(std::string_view part, std::uint64_t count, std::uint64_t index) {
  std::uint32_t ends[2];
  std::memcpy(ends, part.data() + 4 * index, 8);
  return part.substr(4 * (count + 1) + ends[0], ends[1] - ends[0]);
}

}  // namespace alnsmith::search
