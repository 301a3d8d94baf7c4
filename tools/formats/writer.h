// Formats of alignments: what `alnsmith align --format` offers, and what writes it.
//
// In: pairs, one after another. Out: text, appended to a string of the caller. docs/formats.md says what each looks
// like.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"
#include "formats/letters.h"
#include "formats/pair.h"

namespace alnsmith::formats {

enum class Format { tsv, paf, sam, jsonl, pretty, blast6 };

struct FormatInfo {
  Format format;
  std::string_view name;
  bool needs_cigar;   // else it prints what there is
  bool needs_evalue;  // so is for database searches alone
  std::string_view words;
};
std::span<const FormatInfo> all_formats();
const FormatInfo *find_format(std::string_view name);  // null: there is none

struct Request {
  Format format = Format::tsv;
  bool strands = false;              // queries may be reverse complements: it is said of each
  bool eqx = false;                  // CIGARs with = and X in place of M
  std::vector<std::string> columns;  // names of further columns, in their order; TSV only
  bool only_columns = false;         // there are no others
  bool evalues = false, z = false;   // pairs are hits of a search that come with these
  std::string no_evalues = "are a search's: see `alnsmith search --help`";  // why there are none, and the mend
  OutputSet outputs;                                                        // what pairs come with
  Letters letters;
  std::string spec, gap;         // for SAM's header: name, and cost of a gap of L letters
  std::size_t header_bytes = 0;  // SAM: memory for the names of all targets
};

class AlignmentWriter {
 public:
  virtual ~AlignmentWriter() = default;
  // Whether add_target() has to be called for each target before begin().
  virtual bool needs_targets() const { return false; }
  virtual Status add_target(std::string_view name, std::string_view letters);
  // What stands before the first pair, and behind the last.
  virtual Status begin(std::string &out);
  virtual void end(std::string &out);
  virtual Status pair(const AlignedPair &pair, std::string &out) = 0;
};

// The columns of TSV that stand before `columns`.
std::vector<std::string> first_columns(const Request &request);

// What cannot be had together is a usage error that names the option and the mend.
Result<std::unique_ptr<AlignmentWriter>> make_writer(Request request);

// One for each format, in its own file; `request` keeps the rules of make_writer().
std::unique_ptr<AlignmentWriter> tsv_writer(Request request);
std::unique_ptr<AlignmentWriter> paf_writer(Request request);
std::unique_ptr<AlignmentWriter> sam_writer(Request request);
std::unique_ptr<AlignmentWriter> jsonl_writer(Request request);
std::unique_ptr<AlignmentWriter> pretty_writer(Request request);
std::unique_ptr<AlignmentWriter> blast6_writer(Request request);

}  // namespace alnsmith::formats
