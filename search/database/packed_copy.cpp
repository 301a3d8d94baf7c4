// The calls of alnsmith/packed_copy.hpp.
#include "alnsmith/packed_copy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/files.h"
#include "base/guard.h"
#include "database/file.h"
#include "database/output.h"

namespace alnsmith::search {
namespace {

constexpr std::string_view kCopySuffix = ".packed-";
constexpr std::size_t kCopyTotals = 1024, kCopyEntry = 64, kMostLayout = kCopyTotals - 16;
constexpr FileKind kCopyKind{
    "\x89"
    "ALNPK\r\n",
    1,
    "is no packed copy of a database",
    "remove it, or make it again with `alnsmith makedb --packed`",
    kCopyTotals,
    kCopyEntry};

Error stopped() { return Error{"", 130}; }

// A block of a copy: which block of the database it copies, and where its parts lie. These are a checksum per target
// and one of the checksums, 4 bytes each, and what pack_targets() gave.
struct CopyEntry {
  std::string letters, index;
  std::uint64_t sums = 0, count = 0, packed = 0, size = 0;
};

std::vector<std::string_view> letters_of(const Block &block) {
  std::vector<std::string_view> out;
  for (std::uint64_t i = 0; i < block.count(); ++i) out.push_back(block.letters(i));
  return out;
}

// Of each target's letters, then of these.
std::string sums_of(std::span<const std::string_view> targets) {
  std::string out;
  for (const std::string_view letters : targets) rt::put(out, rt::crc32c(letters), 4);
  rt::put(out, rt::crc32c_quarters(out), 4);
  return out;
}

std::string copy_directory(const std::string &layout, const std::vector<CopyEntry> &blocks) {
  std::string out;
  rt::put(out, blocks.size(), 8);
  rt::put(out, layout.size(), 8);
  out += layout;
  out.resize(kCopyTotals, '\0');
  for (const CopyEntry &block : blocks) {
    out += block.letters + block.index;
    for (const std::uint64_t n : {block.sums, block.count, block.packed, block.size}) rt::put(out, n, 8);
  }
  return out;
}

}  // namespace

class PackedCopyFile {
 public:
  ~PackedCopyFile() {
    if (map != nullptr) ::munmap(const_cast<char *>(map), bytes);
  }
  std::string_view at(std::uint64_t offset, std::uint64_t size) const { return {map + offset, size}; }
  Status read_directory(const Header &header);
  Error damaged(const std::string &what) const {
    return Error{path + ": damaged: " + what + ": " + std::string(kCopyKind.mend)};
  }

  std::string path, layout;
  const char *map = nullptr;
  std::uint64_t bytes = 0;
  std::vector<CopyEntry> blocks;
};

Status PackedCopyFile::read_directory(const Header &header) {
  const std::string_view listed = at(header.directory_offset, header.directory_size);
  if (rt::from_hex(rt::sha256_hex(listed)) != header.directory_hash)
    return damaged("its directory does not have its hash");
  const std::uint64_t size = rt::get(listed, 8, 8);
  if (rt::get(listed, 0, 8) != (listed.size() - kCopyTotals) / kCopyEntry || size > kMostLayout)
    return damaged("its directory is not in order");
  layout = listed.substr(16, size);
  for (std::size_t from = kCopyTotals; from < listed.size(); from += kCopyEntry) {
    CopyEntry block{std::string(listed.substr(from, 16)), std::string(listed.substr(from + 16, 16)),
                    rt::get(listed, from + 32, 8),        rt::get(listed, from + 40, 8),
                    rt::get(listed, from + 48, 8),        rt::get(listed, from + 56, 8)};
    const auto inside = [&](std::uint64_t begin, std::uint64_t length) {
      return begin <= bytes && length <= bytes - begin;
    };
    if (block.count > bytes / 4 || !inside(block.sums, 4 * (block.count + 1)) || !inside(block.packed, block.size) ||
        block.packed % kPartAlign != 0)
      return damaged("a part lies outside of it");
    blocks.push_back(std::move(block));
  }
  return Ok{};
}

std::string packed_copy_path(const std::string &database, const std::string &layout) {
  return database + std::string(kCopySuffix) + rt::sha256_hex(layout).substr(0, 16);
}

std::vector<std::string> packed_copies(const std::string &database) {
  const std::filesystem::path path(database);
  const std::string begin = path.filename().string() + std::string(kCopySuffix);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> out;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(begin) && name.size() == begin.size() + 16 &&
        name.find_first_not_of("0123456789abcdef", begin.size()) == std::string::npos)
      out.push_back(database + name.substr(path.filename().string().size()));
  }
  std::ranges::sort(out);
  return out;
}

PackedCopy::PackedCopy(std::unique_ptr<PackedCopyFile> file) : file_(std::move(file)) {}
PackedCopy::PackedCopy(PackedCopy &&) noexcept = default;
PackedCopy &PackedCopy::operator=(PackedCopy &&) noexcept = default;
PackedCopy::~PackedCopy() = default;
const std::string &PackedCopy::layout() const { return file_->layout; }
std::uint64_t PackedCopy::bytes() const { return file_->bytes; }

Result<PackedCopy> PackedCopy::open(const std::string &path) {
  return rt::guarded([&]() -> Result<PackedCopy> {
    auto file = std::make_unique<PackedCopyFile>();
    file->path = path;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info{};
    const bool read = fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    std::string head(kHeaderBytes, '\0');
    const ssize_t n = read ? ::pread(fd, head.data(), head.size(), 0) : -1;
    head.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    const auto header = parse_header(head, static_cast<std::uint64_t>(info.st_size), kCopyKind);
    void *map = read && header ? ::mmap(nullptr, header->bytes, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0) ::close(fd);
    if (!read) return Error{path + ": cannot be opened, or is no regular file"};
    if (!header) return Error{path + ": " + header.error().message};
    if (map == MAP_FAILED) return Error{path + ": cannot be mapped: " + std::strerror(errno)};
    file->map = static_cast<const char *>(map);
    file->bytes = header->bytes;
    if (auto ok = file->read_directory(*header); !ok) return ok.error();
    return PackedCopy(std::move(file));
  });
}

Result<std::uint64_t> PackedCopy::write(const Database &database, const std::string &layout,
                                        const std::function<bool(std::uint64_t)> &go_on) {
  return rt::guarded([&]() -> Result<std::uint64_t> {
    const std::string path = packed_copy_path(database.path(), layout);
    if (layout.size() > kMostLayout) return Error{path + ": the layout is longer than a copy can say"};
    auto out = DatabaseOutput::create(path);
    if (!out) return out.error();
    std::vector<CopyEntry> blocks;
    for (std::uint64_t b = 0; b < database.blocks(); ++b) {
      if (go_on && !go_on(b)) return stopped();
      const auto block = database.block(b);
      if (!block) return block.error();
      const auto targets = letters_of(*block);
      const auto packed = pack_targets(layout, targets);
      if (!packed)
        return Error{path + ": block " + std::to_string(b + 1) + ", " + packed.error().message +
                     ": take a spec whose alphabet has it, or a wildcard"};
      CopyEntry entry{database.checksum(b, 0), database.checksum(b, 1), 0, block->count(), 0, packed->size()};
      for (const auto &[at, bytes] : {std::pair(&entry.sums, sums_of(targets)), std::pair(&entry.packed, *packed)}) {
        if (auto ok = out->fill_to(aligned(out->position(), kLettersAlign)); !ok) return ok.error();
        *at = out->position();
        if (auto ok = out->write(bytes); !ok) return ok.error();
      }
      blocks.push_back(std::move(entry));
      database.release(b);
    }
    if (auto ok = out->fill_to(aligned(out->position(), kPartAlign)); !ok) return ok.error();
    const std::string listed = copy_directory(layout, blocks);
    const Header header{out->position() + listed.size(), out->position(), listed.size(),
                        rt::from_hex(rt::sha256_hex(listed))};
    if (auto ok = out->write(listed); !ok) return ok.error();
    if (auto ok = out->commit(header_bytes(header, kCopyKind)); !ok) return ok.error();
    return header.bytes;
  });
}

bool PackedCopy::covers(const Database &database, std::uint64_t block) const {
  if (block >= file_->blocks.size()) return false;
  const CopyEntry &own = file_->blocks[block];
  return own.count == database.extent(block).count && own.letters == database.checksum(block, 0) &&
         own.index == database.checksum(block, 1);
}

PackedTargets PackedCopy::targets(const Database &database, std::uint64_t block) const {
  const CopyEntry &own = file_->blocks[block];
  const auto check = [this, &database, block](std::size_t index) -> Status {
    const auto sequences = database.unchecked_block(block);
    return sequences ? this->check(*sequences, block, index) : Status(sequences.error());
  };
  return {file_->at(own.packed, own.size), file_->path, check};
}

Status PackedCopy::check(const Block &sequences, std::uint64_t block, std::uint64_t index) const {
  const CopyEntry &own = file_->blocks[block];
  const std::string_view sums = file_->at(own.sums, 4 * (own.count + 1));
  if (rt::crc32c(sequences.letters(index)) == rt::get(sums, 4 * index, 4)) return Ok{};
  return file_->damaged("letters of sequence " + std::to_string(sequences.first() + index + 1) +
                        " of the database are not those that were packed, or the database is");
}

Status PackedCopy::verify(const Database &database, const std::function<bool(std::uint64_t)> &go_on) const {
  return rt::guarded([&]() -> Status {
    for (std::uint64_t b = 0; b < file_->blocks.size(); ++b) {
      if (go_on && !go_on(b)) return stopped();
      if (b >= database.blocks() || !covers(database, b))
        return Error{file_->path + ": is of another state of the database: " + std::string(kCopyKind.mend)};
      const auto block = database.block(b);
      if (!block) return block.error();
      const auto letters = letters_of(*block);
      const auto packed = pack_targets(layout(), letters);
      if (!packed) return file_->damaged(packed.error().message);
      const CopyEntry &own = file_->blocks[b];
      if (file_->at(own.packed, own.size) != *packed || file_->at(own.sums, 4 * (own.count + 1)) != sums_of(letters))
        return file_->damaged("block " + std::to_string(b + 1) + " is not what the database has");
      database.release(b);
    }
    return Ok{};
  });
}

}  // namespace alnsmith::search
