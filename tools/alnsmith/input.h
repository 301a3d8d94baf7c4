// One input of `align`: records that keep the spec's rules, delivered in blocks.
//
// Adds to reader.h what a spec demands: no empty sequence, none above the maximum, no letter outside the
// alphabet, at least one record. The first offence is an error that names file, record, place and mend.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "block.h"
#include "common/reader.h"

namespace alnsmith::tool {

struct Rules {
  std::optional<int> max_length;
  std::string max_key;   // the spec's key for it, "max_length.query"
  std::string alphabet;  // for messages, "dna (ACGT)"
  // By byte: 1 where a letter is none of the alphabet's and is taken as its wildcard.
  std::array<std::uint8_t, 256> as_wildcard{};
  // Position of the first letter that the spec does not accept.
  std::function<std::optional<std::size_t>(std::string_view)> invalid_letter;
};

constexpr std::size_t kNoLimit = ~std::size_t{0};  // of a block's records

class Input {
 public:
  static Result<Input> open(const std::string &path, Rules rules, std::size_t max_record_bytes);

  // Appends records to `block` until it holds `max_records` or `max_bytes`, or the input ends.
  // An input without any record is an error.
  Status fill(Block &block, std::size_t max_records, std::size_t max_bytes);
  bool exhausted() const { return exhausted_; }

  // The share of the input that is read, where it is known.
  std::optional<double> share_read() const { return exhausted_ ? 1.0 : reader_.share_read(); }
  // Letters so far that were taken as the wildcard.
  std::uint64_t as_wildcard() const { return as_wildcard_; }

  // Reads on to the end without looking at letters; how many records the input has in all.
  Result<std::uint64_t> count_rest();

  const std::string &label() const { return reader_.label(); }
  bool can_reopen() const { return reader_.can_reopen(); }
  // The same input from its first record. Only where `can_reopen`.
  Result<Input> reopened() const { return open(path_, rules_, max_record_bytes_); }

 private:
  Input(SequenceReader reader, std::string path, Rules rules, std::size_t max_record_bytes);
  Status check(const Record &record) const;

  SequenceReader reader_;
  std::string path_;
  Rules rules_;
  std::size_t max_record_bytes_;
  bool exhausted_ = false;
  std::uint64_t as_wildcard_ = 0;
};

}  // namespace alnsmith::tool
