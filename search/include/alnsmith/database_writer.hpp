/// @file
/// Databases of sequences (`.alndb`), written: in one pass, in the memory of one block, complete or not at all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "alnsmith/database.hpp"
#include "alnsmith/result.hpp"

namespace alnsmith::search {

/// Largest name and largest description of a sequence, in bytes.
constexpr std::size_t kMaxHeaderText = std::size_t{1} << 20;
/// Largest size of blocks, in letters.
constexpr std::size_t kMaxBlockLetters = std::size_t{1} << 30;

/// How a database is laid out.
struct WriterOptions {
  /// A block ends before it has more letters than this, or more bytes of names, descriptions and offsets; a longer
  /// sequence is a block of its own. 1 to kMaxBlockLetters.
  std::size_t block_letters = std::size_t{64} << 20;
};

/// Takes sequences in their order and writes them. It holds one block in memory, so some two to three times
/// `block_letters`, or the longest sequence if that is longer. Until finish() has succeeded the file is as it was
/// before; without it nothing is left behind. Not thread-safe. Once the file could not be written every further call
/// says so.
class DatabaseWriter {
 public:
  /// Begins a new database, under a temporary name in the folder of `path`; a symbolic link stays one.
  /// @param path which a regular file may have: it is replaced at the end @param options the layout
  /// @return the writer; an error where the file cannot be written
  static Result<DatabaseWriter> create(const std::string &path, const WriterOptions &options = {});
  /// Begins to add blocks behind those of a database. Whoever has it open, or opens it meanwhile, sees the old
  /// sequences alone. @param path of a database @param options the layout of the new blocks
  /// @return the writer; an error where the file is no sound database or another one appends to it
  static Result<DatabaseWriter> append(const std::string &path, const WriterOptions &options = {});

  DatabaseWriter(DatabaseWriter &&) noexcept;
  DatabaseWriter &operator=(DatabaseWriter &&) noexcept;
  ~DatabaseWriter();

  /// Takes a sequence. @param name not empty @param letters not empty; as read, case kept
  /// @param description may be empty; both texts have kMaxHeaderText bytes at most. No text has control bytes, and name
  /// and letters have no blanks.
  /// @return an error that says what is wrong with the sequence, without naming it: it is not taken, others may be; or
  /// why the file cannot be written, and then failed()
  Status add(std::string_view name, std::string_view letters, std::string_view description = {});
  /// Writes what is left and puts the database in its place.
  /// @return what the database says of itself; an error where no sequence was taken or the file cannot be written
  Result<DatabaseInfo> finish();

  /// Whether the file could not be written. @return false after errors that lie in a sequence
  bool failed() const;
  /// How many sequences have been taken. @return those of add(), without those that the file had before
  std::uint64_t added() const;
  /// The file that is to be removed if the program has to leave at once. @return its path; empty after append()
  const std::string &temporary() const;

 private:
  struct Impl;
  explicit DatabaseWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::search
