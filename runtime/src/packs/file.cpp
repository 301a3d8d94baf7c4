// See file.h.
#include "packs/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/bytes.h"
#include "base/files.h"

namespace alnsmith::rt::packs {
namespace {

// As in PNG: the first byte is no text, and a transfer that changes line ends shows.
constexpr std::string_view kMagic =
    "\x89"
    "ALNPK\r\n";
constexpr std::uint32_t kVersion = 1;

constexpr std::uint64_t aligned(std::uint64_t n) { return (n + kPackAlign - 1) / kPackAlign * kPackAlign; }

}  // namespace

std::string pack_head(const std::string &index_text, std::uint64_t file_size) {
  std::string head(kMagic);
  put(head, kVersion, 4);
  put(head, kPackHeader, 4);
  put(head, file_size, 8);
  put(head, kPackHeader, 8);
  put(head, index_text.size(), 8);
  head += from_hex(sha256_hex(index_text));
  head.resize(kPackHeader, '\0');
  head += index_text;
  head.resize(aligned(head.size()), '\0');
  return head;
}

std::string pack_bytes(Index &index, const std::vector<std::string> &blobs) {
  const std::vector<Blob *> places = blobs_of(index);
  for (std::size_t i = 0; i < blobs.size(); ++i) *places[i] = {0, blobs[i].size(), sha256_hex(blobs[i])};
  // Offsets are written in digits, so the index grows with them: place until it fits.
  const auto first = [&] { return aligned(kPackHeader + index_text(index).size()); };
  std::uint64_t begin = 0, end = 0;
  for (std::uint64_t wanted = first(); wanted > begin; wanted = first()) {
    begin = end = wanted;
    for (Blob *place : places) {
      place->offset = end;
      end = aligned(end + place->size);
    }
  }
  std::string bytes = pack_head(index_text(index), end);
  for (const std::string &blob : blobs) {
    bytes += blob;
    bytes.resize(aligned(bytes.size()), '\0');
  }
  return bytes;
}

Result<std::shared_ptr<const PackFile>> PackFile::open(const std::string &path, const std::string &name) {
  std::shared_ptr<PackFile> pack(new PackFile(name));
  // A pipe in the place of a pack must not be waited for.
  pack->fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info{};
  if (pack->fd_ < 0 || ::fstat(pack->fd_, &info) != 0) return Error{name + ": cannot open: " + std::strerror(errno)};
  if (!S_ISREG(info.st_mode)) return Error{name + ": is no file"};
  pack->size_ = static_cast<std::uint64_t>(info.st_size);
  if (auto ok = pack->read_head(); !ok) return Error{name + ": " + ok.error().message};
  if (auto ok = pack->check_layout(); !ok) return Error{name + ": " + ok.error().message};
  return std::shared_ptr<const PackFile>(std::move(pack));
}

PackFile::~PackFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status PackFile::read_head() {
  if (size_ < kPackHeader) return Error{"is no pack of kernels: too short"};
  const auto head = read_raw(0, kPackHeader);
  if (!head) return head.error();
  const std::string_view h(*head);
  if (!h.starts_with(kMagic)) return Error{"is no pack of kernels"};
  if (const auto version = get(h, 8, 4); version != kVersion)
    return Error{"has format version " + std::to_string(version) +
                 ", this program reads version 1: made by another version of alnsmith"};
  const std::uint64_t size = get(h, 32, 8);
  if (get(h, 16, 8) != size_)
    return Error{"damaged: has " + std::to_string(size_) + " bytes, should have " + std::to_string(get(h, 16, 8))};
  if (get(h, 12, 4) != kPackHeader || get(h, 24, 8) != kPackHeader || size > kMaxIndex || size > size_ - kPackHeader ||
      h.substr(72).find_first_not_of('\0') != std::string_view::npos)
    return Error{"damaged: its header is not in order"};
  auto text = read_raw(kPackHeader, size);
  if (!text) return text.error();
  if (from_hex(sha256_hex(*text)) != h.substr(40, 32)) return Error{"damaged: its index does not have its hash"};
  auto index = parse_index(*text);
  if (!index) return index.error();
  index_ = *std::move(index);
  index_bytes_ = *std::move(text);
  return Ok{};
}

// Blobs follow the index one behind another, so that no offset can point anywhere else.
Status PackFile::check_layout() const {
  std::uint64_t at = aligned(kPackHeader + index_bytes_.size());
  for (const Blob *blob : blobs_of(index_)) {
    if (blob->offset != at || blob->size == 0 || blob->size > kMaxBlob || at > size_ || blob->size > size_ - at)
      return Error{"damaged: its parts do not lie one behind another"};
    at = aligned(at + blob->size);
  }
  if (at != size_) return Error{"damaged: its parts do not fill it"};
  return Ok{};
}

Result<std::string> PackFile::read_raw(std::uint64_t offset, std::uint64_t size) const {
  std::string bytes(size, '\0');
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t n = ::pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot read: " + std::string(std::strerror(errno))};
    if (n == 0) return Error{"damaged: ends before its time"};
    done += static_cast<std::uint64_t>(n);
  }
  bytes_read_ += size;
  return bytes;
}

Result<std::string> PackFile::read(const Blob &blob) const {
  auto bytes = read_raw(blob.offset, blob.size);
  if (bytes && sha256_hex(*bytes) != blob.sha256) return Error{"damaged: does not have its hash"};
  return bytes;
}

}  // namespace alnsmith::rt::packs
