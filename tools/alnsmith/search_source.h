// The database of a search: a file of sequences or stdin, read a portion at a time, or a database of `makedb`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "alnsmith/content_hash.hpp"
#include "alnsmith/database_source.hpp"
#include "alnsmith/search.hpp"
#include "alnsmith/search_parts.hpp"
#include "input.h"

namespace alnsmith::tool {

// FASTA or FASTQ. Of shard i of n it gives records i, i + n, ...; it looks at all of them, so that what it says of the
// whole input is the same in all shards.
class SequenceFile : public search::TargetSource {
 public:
  // `hash`: content() is wanted.
  SequenceFile(Input input, search::Shard shard, bool hash);

  Result<std::unique_ptr<search::Portion>> next(std::size_t bytes) override;
  Status rewind() override;
  std::optional<double> share_read() const override { return input_.share_read(); }
  bool keeps() const override { return false; }
  Result<search::Entry> entry(std::uint64_t number) override;

  // Reads to the end of the input, aligning nothing.
  Status survey();
  // Of the whole input, once it was read to its end.
  std::uint64_t sequences() const { return sequences_; }
  std::uint64_t letters() const { return letters_; }
  std::string content() const { return content_.hex(); }
  std::uint64_t as_wildcard() const { return as_wildcard_; }

 private:
  Input input_;
  search::Shard shard_;
  bool hash_;
  std::uint64_t read_ = 0;  // records of this turn
  bool counted_ = false;    // an earlier turn has seen all
  std::uint64_t sequences_ = 0, letters_ = 0, as_wildcard_ = 0;
  search::ContentHash content_;
};

// The database that --db names, whichever kind it is.
class SearchTargets {
 public:
  // Of shard `shard`; `hash`: describe() is wanted. A database with letters that the rules refuse is an error that
  // names the first. Nothing of a file of sequences is read yet. `layout`: of packed copies that are of use; may be
  // empty.
  static Result<SearchTargets> open(const std::string &path, const search::Shard &shard, Rules rules,
                                    std::size_t record_bytes, bool hash, const std::string &layout);
  // What is not as it could be of the database's packed copy; empty: nothing.
  const std::string &note() const { return note_; }

  search::TargetSource &source() { return *source_; }
  // Reads to the end what has to be read for describe().
  Status survey() { return file_ != nullptr ? file_->survey() : Status(Ok{}); }
  // What parts say of the whole database. Of a file of sequences once it was read to its end.
  void describe(search::SearchId &id) const;
  // Letters that are taken as the wildcard.
  std::uint64_t as_wildcard() const;

 private:
  Rules rules_;
  Status open_copy(const std::string &path, const std::string &layout);

  std::unique_ptr<search::Database> mapped_;  // null for a file of sequences
  std::unique_ptr<search::PackedCopy> copy_;  // null: none that serves
  std::string note_;
  std::unique_ptr<search::TargetSource> source_;
  SequenceFile *file_ = nullptr;  // the source, where it is one
};

}  // namespace alnsmith::tool
