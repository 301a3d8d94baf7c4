/// @file
/// Databases of sequences (`.alndb`), read: opened in milliseconds whatever their size, mapped, checked where used.
/// docs/database.md has the format; database_writer.hpp makes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::search {

/// What a database says of itself without reading a sequence.
struct DatabaseInfo {
  std::uint64_t sequences = 0;                     ///< at least 1
  std::uint64_t letters = 0;                       ///< of all sequences
  std::uint64_t longest_sequence = 0;              ///< letters
  std::uint64_t longest_name = 0;                  ///< bytes
  std::uint64_t blocks = 0;                        ///< at least 1
  std::uint64_t bytes = 0;                         ///< of the file, as far as it counts
  std::string content;                             ///< ContentHash::hex() of all sequences
  std::array<std::uint64_t, 256> letter_counts{};  ///< how often each byte is a letter; case kept
};

/// Numbers of sequences, `begin` to before `end`; a number is the place in the input, from 0.
struct Range {
  std::uint64_t begin = 0;  ///< the first
  std::uint64_t end = 0;    ///< behind the last; equal to `begin`: none
  /// How many they are. @return end - begin
  std::uint64_t size() const { return end - begin; }
};

/// What is known of a block without reading it.
struct Extent {
  std::uint64_t first = 0;    ///< number of its first sequence
  std::uint64_t count = 0;    ///< sequences, at least 1
  std::uint64_t letters = 0;  ///< of them all
  std::uint64_t longest = 0;  ///< letters of the longest
};

/// Where a sequence lies.
struct Place {
  std::uint64_t block = 0;  ///< which block
  std::uint64_t index = 0;  ///< its place there, from 0
};

/// A sequence with all that is known of it; the views live as long as the database.
struct Sequence {
  std::string_view name;         ///< the header's first word
  std::string_view letters;      ///< as they were read
  std::string_view description;  ///< the rest of the header; may be empty
};

class DatabaseFile;  // the file behind a database

/// Sequences of a block whose letters have been found sound. A small value; it lives as long as the database.
class Block {
 public:
  /// What was known of it before. @return its place among the numbers, and counts
  const Extent &extent() const { return *extent_; }
  /// Number of the first sequence. @return a number of the database
  std::uint64_t first() const { return extent_->first; }
  /// How many sequences there are. @return at least 1
  std::uint64_t count() const { return extent_->count; }
  /// Letters before a sequence's own in this block: the prefix sum of lengths. @param index 0 to count()
  /// @return letters
  std::uint64_t letters_before(std::uint64_t index) const;
  /// How long a sequence is. @param index 0 to count() - 1 @return letters, at least 1
  std::uint64_t length(std::uint64_t index) const { return letters_before(index + 1) - letters_before(index); }
  /// A sequence. @param index 0 to count() - 1
  /// @return its letters as read, no byte of which is a blank or a control byte; at least 64 readable bytes follow
  std::string_view letters(std::uint64_t index) const;
  /// A sequence's name. @param index 0 to count() - 1
  /// @return the header's first word, never empty; an error where the block's names are damaged
  Result<std::string_view> name(std::uint64_t index) const;
  /// A sequence's description. @param index 0 to count() - 1
  /// @return the rest of the header; an error where the block's descriptions are damaged
  Result<std::string_view> description(std::uint64_t index) const;

 private:
  friend class Database;
  const DatabaseFile *file_ = nullptr;
  const Extent *extent_ = nullptr;
  std::uint64_t block_ = 0;
  const char *letters_ = nullptr;
  const char *offsets_ = nullptr;
};

/// A database that is open for reading. All calls are thread-safe, but for moving and destroying it. Names of others
/// stand in errors as the path was given. The file may be anyone's, as it is data; it must not be cut off while it is
/// open (to replace it by renaming, and to append to it, is fine).
class Database {
 public:
  /// Maps a file and checks header, directory and where its parts lie; reads no sequence.
  /// @param path of a regular file
  /// @return the database; an error where it is no database, of another version, cut off or damaged
  static Result<Database> open(const std::string &path);
  /// Whether a file begins as databases do, so that it is to be opened as one. @param path any path
  /// @return false also for what cannot be read, and for pipes, from which nothing is taken
  static bool recognised(const std::string &path);

  Database(Database &&) noexcept;
  Database &operator=(Database &&) noexcept;
  ~Database();

  /// The path that was opened. @return as it was given
  const std::string &path() const;
  /// What the file says of itself. @return totals, counts of letters, content hash
  const DatabaseInfo &info() const;
  /// How many blocks there are. @return at least 1
  std::uint64_t blocks() const { return info().blocks; }
  /// What is known of a block without reading it. @param block 0 to blocks() - 1 @return its place and counts
  const Extent &extent(std::uint64_t block) const;

  /// A block's sequences. The first call for a block reads its letters and lengths and checks them against their
  /// checksums; names and descriptions are checked when the first one is asked for.
  /// @param block 0 to blocks() - 1
  /// @return the sequences; an error where they are damaged
  Result<Block> block(std::uint64_t block) const;
  /// A block's sequences whose lengths are checked and whose letters are not, for who checks those that are read.
  /// @param block 0 to blocks() - 1
  /// @return the sequences; an error where their lengths or places are damaged
  Result<Block> unchecked_block(std::uint64_t block) const;
  /// What the directory says a part of a block has. @param block 0 to blocks() - 1 @param part 0: letters; 1: lengths
  /// and places @return the raw checksum, 16 bytes
  const std::string &checksum(std::uint64_t block, int part) const;
  /// Where a sequence lies. @param number 0 to info().sequences - 1 @return its block and place there
  Place find(std::uint64_t number) const;
  /// One sequence by its number, for hits that are reported. @param number 0 to info().sequences - 1
  /// @return name, letters and description; an error where any is damaged
  Result<Sequence> sequence(std::uint64_t number) const;

  /// The i-th of n parts of nearly as many letters each: a sequence is in that part in which its first letter lies, so
  /// every sequence is in one part, and a part may be empty.
  /// @param part 1 to parts @param parts at least 1, also more than there are sequences
  /// @return their numbers; an error for a part that is not there, or a damaged block
  Result<Range> shard(std::uint64_t part, std::uint64_t parts) const;

  /// Asks the system to read a block ahead. @param block 0 to blocks() - 1
  void prefetch(std::uint64_t block) const;
  /// Gives a block's memory back; its views stay valid, what is used again is read again.
  /// @param block 0 to blocks() - 1
  void release(std::uint64_t block) const;

  /// Reads everything and checks it: checksums, places, totals, counts, content hash.
  /// @param go_on asked before each block with the blocks that are done; false stops with exit code 130
  /// @return the first problem
  Status verify(const std::function<bool(std::uint64_t)> &go_on = {}) const;

 private:
  explicit Database(std::unique_ptr<DatabaseFile> file);
  std::unique_ptr<DatabaseFile> file_;
};

}  // namespace alnsmith::search
