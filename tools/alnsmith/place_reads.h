// Reads of a placement: records that it can take, in blocks that are the same in all runs over the same references.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "alnsmith/content_hash.hpp"
#include "alnsmith/placement.hpp"
#include "common/reader.h"

namespace alnsmith::tool {

struct ReadRules {
  const placement::StateAlphabet *alphabet = nullptr;
  std::size_t block_letters = 0, block_reads = 0;
  std::optional<std::size_t> below;            // reads are shorter than so many letters, by the spec's band
  std::unordered_set<std::string_view> taken;  // names of references
};

class PlaceReads {
 public:
  static Result<PlaceReads> open(const std::string &path, ReadRules rules, std::size_t max_record_bytes);

  // The next block; empty at the end. Gaps are taken out of reads. The first record that cannot be placed is an error.
  Result<std::vector<placement::Read>> next();

  std::optional<double> share_read() const { return reader_.share_read(); }
  const std::string &label() const { return reader_.label(); }  // for messages
  std::uint64_t gapped() const { return gapped_; }              // reads that had gaps
  std::string content() const { return content_.hex(); }        // hash of all reads so far

 private:
  PlaceReads(SequenceReader reader, ReadRules rules) : reader_(std::move(reader)), rules_(std::move(rules)) {}
  Result<placement::Read> taken(const Record &record);

  SequenceReader reader_;
  ReadRules rules_;
  std::unordered_set<std::size_t> names_;  // hashes of names so far
  std::uint64_t gapped_ = 0;
  search::ContentHash content_;
};

}  // namespace alnsmith::tool
