/// @file
/// Parts of a search: what a shard of a database gave, as a file, and the way from all parts to the whole.
///
/// The union of the parts is what one run over the whole database finds, whatever the number of shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/search.hpp"

namespace alnsmith::search {

/// Which part of a database: `index` of `count`.
struct Shard {
  std::uint64_t index = 1;                         ///< 1 to count
  std::uint64_t count = 1;                         ///< 1: the whole database
  bool operator==(const Shard &) const = default;  ///< the same in both
};

/// A search, as far as its parts have it in common: equal in all parts of one search.
struct SearchId {
  std::string run;              ///< what the caller wants to be equal, and reads again: JSON of its own
  std::string database;         ///< content hash of the whole database
  std::string split;            ///< how it is split into shards: `range` of records, or `stride` from record to record
  std::uint64_t sequences = 0;  ///< of the whole database
  std::uint64_t letters = 0;    ///< of the whole database
  std::size_t top = 500;        ///< hits kept for a query
  Ties ties = Ties::first;      ///< of hits that score as the last one
  bool minimize = false;        ///< small scores are good ones
  std::vector<Entry> queries;   ///< as read
  bool operator==(const SearchId &) const = default;  ///< the same in all
};

/// What a shard gave.
struct Part {
  SearchId id;        ///< of which search
  Shard shard;        ///< of what
  Findings findings;  ///< for each query
};

/// Writes a part beside its place and renames it. @param path of the file @param part what to write
/// @return an error names the file
Status write_part(const std::string &path, const Part &part);
/// Whether a file begins as parts do, sound or not. @param path of the file
/// @return false also for what is no regular file
bool is_part(const std::string &path);
/// Reads a part. @param path of the file @param most_bytes of a file that is read
/// @return the part; a file that is none, larger, cut short, changed or of another version is refused by name
Result<Part> read_part(const std::string &path, std::size_t most_bytes = std::size_t{1} << 40);

/// Brings parts together, one at a time, in any order.
class Merge {
 public:
  /// One more. @param path of its file, for messages @param part what it holds
  /// @return an error names both files where it is of another search, split otherwise, or there already
  Status add(const std::string &path, Part part);
  /// The whole search. @return shard 1 of 1; an error names the shards that are missing
  Result<Part> finish() &&;

 private:
  std::optional<Part> whole_;
  std::string first_path_;
  std::map<std::uint64_t, std::string> paths_;  // by shard
};

}  // namespace alnsmith::search
