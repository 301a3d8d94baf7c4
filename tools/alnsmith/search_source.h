// The database of a search: a file of sequences or stdin, read a tile at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "alnsmith/database_writer.hpp"
#include "alnsmith/search.hpp"
#include "alnsmith/search_parts.hpp"
#include "input.h"

namespace alnsmith::tool {

// FASTA or FASTQ. Of shard i of n it gives records i, i + n, ..., and looks at all of them, so that what it says of the
// whole input is the same in all shards. Where the whole input fits one tile it stays, so that hits need not be kept.
class SequenceFile : public search::TargetSource {
 public:
  SequenceFile(Input input, search::Shard shard);

  Result<std::unique_ptr<search::Tile>> next(std::size_t bytes) override;
  Status rewind() override;
  std::optional<double> share_read() const override { return input_.share_read(); }
  bool keeps() const override { return false; }
  Result<search::Entry> entry(std::uint64_t number) override;

  // Of the whole input, once next() has given null.
  std::uint64_t sequences() const { return sequences_; }
  std::uint64_t letters() const { return letters_; }
  std::string content() const { return content_.hex(); }
  std::uint64_t as_wildcard() const { return input_.as_wildcard(); }

 private:
  Input input_;
  search::Shard shard_;
  std::uint64_t sequences_ = 0, letters_ = 0;
  search::ContentHash content_;
  bool hashed_ = false;  // the whole input, by an earlier turn
};

}  // namespace alnsmith::tool
