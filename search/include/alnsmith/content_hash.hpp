/// @file
/// What tells two sets of sequences apart: names and letters in their order, whatever file they come from.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace alnsmith::search {

/// A hash over (name, letters) of sequences in their order; descriptions, qualities, line ends and the size of blocks
/// do not count, so a database and the FASTA or FASTQ files that it was made of have the same one.
///
/// It is a chain: the state begins as 32 zero bytes, and each sequence makes it the SHA-256 of state, size of the name,
/// name, number of letters, letters; both numbers are 8 bytes, little endian.
class ContentHash {
 public:
  /// Begins, or goes on where another one was. @param state what state() gave there, 32 bytes; empty: from the begin
  explicit ContentHash(std::string_view state = {});
  ContentHash(ContentHash &&) noexcept;
  ContentHash &operator=(ContentHash &&) noexcept;
  ~ContentHash();

  /// Takes the next sequence. @param name its name @param letters its letters as read, case kept
  void add(std::string_view name, std::string_view letters);
  /// What the chain has come to. @return 32 bytes
  const std::string &state() const;
  /// The same to be read. @return 64 lower-case hex digits
  std::string hex() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::search
