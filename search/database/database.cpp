// The calls of alnsmith/database.hpp.
#include "alnsmith/database.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/guard.h"
#include "database/file.h"
#include "database/part_check.h"

namespace alnsmith::search {

std::uint64_t Block::letters_before(std::uint64_t index) const { return letters_offset(offsets_, index); }

std::string_view Block::letters(std::uint64_t index) const {
  return {letters_ + letters_place(offsets_, count(), index), static_cast<std::size_t>(length(index))};
}

Result<std::string_view> Block::name(std::uint64_t index) const {
  if (auto ok = file_->check(block_, kNames); !ok) return ok.error();
  return text_at(file_->bytes(file_->entry(block_).parts[kNames]), count(), index);
}

Result<std::string_view> Block::description(std::uint64_t index) const {
  if (auto ok = file_->check(block_, kDescriptions); !ok) return ok.error();
  return text_at(file_->bytes(file_->entry(block_).parts[kDescriptions]), count(), index);
}

Result<Database> Database::open(const std::string &path) {
  return rt::guarded([&]() -> Result<Database> {
    auto file = DatabaseFile::open(path);
    if (!file) return file.error();
    return Database(*std::move(file));
  });
}

bool Database::recognised(const std::string &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;  // to open a pipe would wake its writer
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  char begin[8];
  const bool found = ::pread(fd, begin, sizeof begin, 0) == sizeof begin && is_magic({begin, sizeof begin});
  ::close(fd);
  return found;
}

Database::Database(std::unique_ptr<DatabaseFile> file) : file_(std::move(file)) {}
Database::Database(Database &&) noexcept = default;
Database &Database::operator=(Database &&) noexcept = default;
Database::~Database() = default;

const std::string &Database::path() const { return file_->path(); }
const DatabaseInfo &Database::info() const { return file_->directory().info; }
const Extent &Database::extent(std::uint64_t block) const { return file_->entry(block).extent; }

Result<Block> Database::block(std::uint64_t block) const {
  auto out = unchecked_block(block);
  if (!out) return out;
  const auto ok = rt::guarded([&]() -> Status { return file_->check(block, kLetters); });
  if (!ok) return ok.error();
  return out;
}

const std::string &Database::checksum(std::uint64_t block, int part) const {
  return file_->entry(block).parts[static_cast<std::size_t>(part)].checksum;
}

Result<Block> Database::unchecked_block(std::uint64_t block) const {
  return rt::guarded([&]() -> Result<Block> {
    if (auto ok = file_->check(block, kIndex); !ok) return ok.error();
    const BlockEntry &entry = file_->entry(block);
    Block out;
    out.file_ = file_.get();
    out.extent_ = &entry.extent;
    out.block_ = block;
    out.letters_ = file_->bytes(entry.parts[kLetters]).data();
    out.offsets_ = file_->bytes(entry.parts[kIndex]).data();
    return out;
  });
}

Place Database::find(std::uint64_t number) const {
  const auto &blocks = file_->directory().blocks;
  const auto behind = std::ranges::upper_bound(blocks, number, {}, [](const BlockEntry &b) { return b.extent.first; });
  const auto block = static_cast<std::uint64_t>(behind - blocks.begin()) - 1;
  return {block, number - blocks[block].extent.first};
}

Result<Sequence> Database::sequence(std::uint64_t number) const {
  const Place place = find(number);
  const auto in = block(place.block);
  if (!in) return in.error();
  const auto name = in->name(place.index), description = in->description(place.index);
  if (!name) return name.error();
  if (!description) return description.error();
  return Sequence{*name, in->letters(place.index), *description};
}

void Database::prefetch(std::uint64_t block) const { file_->advise(block, MADV_WILLNEED); }
void Database::release(std::uint64_t block) const { file_->advise(block, MADV_DONTNEED); }

}  // namespace alnsmith::search
