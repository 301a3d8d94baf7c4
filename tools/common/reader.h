// Reads FASTA and FASTQ: plain, gzip or bgzip, a file or stdin, records of any number of lines.
//
// Strict: text outside records, a FASTQ record without its quality, a truncated gzip stream and a record
// beyond the memory budget are errors of one line that name the file and the record. Letters are not judged
// here (input.h does). Parsing is htslib's kseq over bgzf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

struct Record {
  std::string_view name;              // the header's first word
  std::string_view letters;           // as in the file, line ends removed
  std::string_view description = {};  // the rest of the header without blanks around it, control bytes as blanks
};

// Whether reading is to end: an error of exit code 130 then. Asked by any thread, every 50 ms while nothing comes.
using Cancelled = std::function<bool()>;

class SequenceReader {
 public:
  // `path` may be "-" for stdin. A record larger than `max_record_bytes` is refused, not stored. `cancelled` may be
  // empty: reading waits for as long as a pipe's writer does nothing.
  static Result<SequenceReader> open(const std::string &path, std::size_t max_record_bytes, Cancelled cancelled = {});
  // Takes over `fd`; `label` stands for the file in messages.
  static Result<SequenceReader> open_fd(int fd, std::string label, std::size_t max_record_bytes,
                                        Cancelled cancelled = {});

  SequenceReader(SequenceReader &&) noexcept;
  SequenceReader &operator=(SequenceReader &&) noexcept;
  ~SequenceReader();

  // True and a record, valid until the next call; false at the end of the input.
  Result<bool> next(Record &record);

  std::uint64_t records() const;     // read so far
  const std::string &label() const;  // the path, or "stdin"
  bool can_reopen() const;           // a regular file: opening it again gives the same records
  // Which share of the file is read, 0 to 1; nothing where its size is not known, as of stdin.
  std::optional<double> share_read() const;

 private:
  struct Impl;
  explicit SequenceReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::tool
