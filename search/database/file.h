// The file behind a database: mapped, its parts checked once, when they are first asked for.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "database/format.h"

namespace alnsmith::search {

// Header and directory of an open file; errors lack the file's name.
struct Head {
  Header header;
  Directory directory;
};
Result<Head> read_head(int fd, std::uint64_t file_size);

class DatabaseFile {
 public:
  static Result<std::unique_ptr<DatabaseFile>> open(const std::string &path);
  ~DatabaseFile();
  DatabaseFile(const DatabaseFile &) = delete;
  DatabaseFile &operator=(const DatabaseFile &) = delete;

  const std::string &path() const { return path_; }
  const Directory &directory() const { return directory_; }
  const BlockEntry &entry(std::uint64_t block) const { return directory_.blocks[block]; }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const { return {map_ + offset, size}; }
  std::string_view bytes(const BlockPart &part) const { return bytes(part.offset, part.size); }

  // Whether a part is sound; reads it the first time. Thread-safe.
  Status check(std::uint64_t block, PartKind part) const;
  // The same, reading it in any case.
  Status check_again(std::uint64_t block, PartKind part) const;
  Error damaged(std::uint64_t block, const std::string &what) const;

  void advise(std::uint64_t block, int advice) const;  // as for madvise(2), of the pages that are this block's alone

 private:
  // What has been found of a block's parts.
  struct Found {
    std::array<std::once_flag, kParts> asked;
    std::array<const char *, kParts> problem{};  // as of part_problem
  };
  explicit DatabaseFile(std::string path) : path_(std::move(path)) {}
  Status said(std::uint64_t block, PartKind part, const char *problem) const;

  std::string path_;
  Directory directory_;
  const char *map_ = nullptr;
  std::uint64_t mapped_ = 0;
  std::unique_ptr<Found[]> found_;
};

// One text of many, as names and descriptions lie: count + 1 offsets of 4 bytes, then the texts.
std::string_view text_at(std::string_view part, std::uint64_t count, std::uint64_t index);

}  // namespace alnsmith::search
