/// @file
/// Packed copies of databases: a database's letters in the layout that kernels read, in a file beside it, so that a
/// search with a short query need not pack them. docs/database.md has the format.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alnsmith/database.hpp"
#include "alnsmith/packed_targets.hpp"

namespace alnsmith::search {

/// Where a database's copy in a layout lies. @param database the database's path @param layout Aligner::target_layout()
/// @return `database` + ".packed-" + 16 hexadecimal digits of the layout's SHA-256
std::string packed_copy_path(const std::string &database, const std::string &layout);

/// The copies that lie beside a database, of it or not. @param database its path @return their paths, sorted
std::vector<std::string> packed_copies(const std::string &database);

class PackedCopyFile;  // the file behind a copy

/// A copy that is open for reading. All calls are thread-safe, but for moving and destroying it.
class PackedCopy {
 public:
  /// Maps a file and checks its header and directory. @param path of a regular file
  /// @return the copy; an error where it is none, of another version, cut off or damaged
  static Result<PackedCopy> open(const std::string &path);
  /// Writes the copy of a database, in the memory of about two blocks; it takes its name when it is complete.
  /// @param database what is copied @param layout Aligner::target_layout()
  /// @param go_on asked before each block with the blocks that are done; false stops with exit code 130; may be empty
  /// @return the bytes of the file; an error where a letter is outside the layout's alphabet, the database is damaged
  ///   or the file cannot be written
  static Result<std::uint64_t> write(const Database &database, const std::string &layout,
                                     const std::function<bool(std::uint64_t)> &go_on = {});

  PackedCopy(PackedCopy &&) noexcept;
  PackedCopy &operator=(PackedCopy &&) noexcept;
  ~PackedCopy();

  /// Which layout it has. @return as Aligner::target_layout() gives them
  const std::string &layout() const;
  /// How large it is. @return bytes
  std::uint64_t bytes() const;
  /// Whether it holds a block as the database has it. @param database any @param block 0 to database.blocks() - 1
  /// @return false also for blocks that came later
  bool covers(const Database &database, std::uint64_t block) const;
  /// A block's targets, packed. @param database outlives what is returned @param block one that it covers
  /// @return what Aligner::prepare() takes, checking letters that are read all the same
  PackedTargets targets(const Database &database, std::uint64_t block) const;
  /// Whether a sequence's letters are those that were packed. @param sequences of the block @param block which, one
  /// that is covered @param index 0 to sequences.count() - 1
  /// @return an error where they are damaged
  Status check(const Block &sequences, std::uint64_t block, std::uint64_t index) const;
  /// Reads everything, and compares with what write() would write. @param database what it is a copy of
  /// @param go_on as for write() @return the first difference
  Status verify(const Database &database, const std::function<bool(std::uint64_t)> &go_on = {}) const;

 private:
  explicit PackedCopy(std::unique_ptr<PackedCopyFile> file);
  std::unique_ptr<PackedCopyFile> file_;
};

}  // namespace alnsmith::search
