// A pack as a file: header, index, blobs.  docs/packs.md has the table.
//
// In:  a path, of any origin; or an index and its blobs. Out: the index, and blobs whose hashes fit; or the file's
// bytes. Opening reads header and index and checks that the blobs lie where they must; a blob is read when it is asked
// for. Nothing is mapped: a file that shrinks under a reader is an error, not a signal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "packs/index.h"

namespace alnsmith::rt::packs {

constexpr std::uint64_t kPackHeader = 128, kPackAlign = 64;
constexpr std::uint64_t kMaxIndex = std::uint64_t{64} << 20, kMaxBlob = std::uint64_t{256} << 20;

class PackFile {
 public:
  static Result<std::shared_ptr<const PackFile>> open(const std::string &path) { return open(path, path); }
  // `name` stands for the file in path() and messages.
  static Result<std::shared_ptr<const PackFile>> open(const std::string &path, const std::string &name);
  ~PackFile();
  PackFile(const PackFile &) = delete;
  PackFile &operator=(const PackFile &) = delete;

  const std::string &path() const { return path_; }
  const Index &index() const { return index_; }
  std::uint64_t size() const { return size_; }
  // The blob's bytes, if they have its hash. Thread-safe.
  Result<std::string> read(const Blob &blob) const;
  // `size` bytes at `offset`, unchecked.
  Result<std::string> read_raw(std::uint64_t offset, std::uint64_t size) const;
  // The index as it stands in the file.
  const std::string &index_bytes() const { return index_bytes_; }
  // What has been read of the file so far: opening a pack must not cost what its size is.
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  explicit PackFile(std::string path) : path_(std::move(path)) {}
  Status read_head();
  Status check_layout() const;

  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::string index_bytes_;
  Index index_;
  mutable std::atomic<std::uint64_t> bytes_read_{0};
};

// The bytes of a pack: fills in offsets, sizes and hashes of `index`. `blobs` are those of blobs_of(index), in order.
std::string pack_bytes(Index &index, const std::vector<std::string> &blobs);

// Header and index of a pack whose index is `index_text`, padded to where the first blob begins.
std::string pack_head(const std::string &index_text, std::uint64_t file_size);

}  // namespace alnsmith::rt::packs
