// What batch calls put out, on its way to the output: a column for each output that the spec gives, CIGARs, and rows
// of text made from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/outputs.hpp"
#include "common/output.h"
#include "formats/writer.h"
#include "strands.h"

namespace alnsmith::tool {

// Memory that the results of a pair take, but for their CIGAR.
std::size_t bytes_each(OutputSet outputs);
// Memory that the CIGAR of sequences with so many letters may take, where there are CIGARs: a run for each letter, and
// as much again while the array of all runs grows.
std::size_t cigar_bytes(OutputSet outputs, std::size_t letters);

// Formats pairs one after another and hands the text on.
class Rows {
 public:
  Rows(formats::AlignmentWriter &writer, Output &output) : writer_(writer), output_(output) {}

  bool needs_targets() const { return writer_.needs_targets(); }
  Status add_target(std::string_view name, std::string_view letters) { return writer_.add_target(name, letters); }
  Status begin() { return writer_.begin(text_); }
  Status row(const formats::AlignedPair &pair);
  Status flush();  // what there is so far
  Status end();

 private:
  formats::AlignmentWriter &writer_;
  Output &output_;
  std::string text_;
};

class Results {
 public:
  explicit Results(OutputSet outputs) : outputs_(outputs) {}

  void resize(std::size_t n);
  Columns columns();
  // Overwrites [to, to + n) with [from, from + n) of `other`. Without CIGARs.
  void copy(const Results &other, std::size_t from, std::size_t n, std::size_t to);
  // Writes a result; `pair` says whose it is.
  Status write(Rows &rows, formats::AlignedPair pair, std::size_t i) const;
  std::int32_t score(std::size_t i) const { return values_[0][i]; }

 private:
  OutputSet outputs_;
  std::array<std::vector<std::int32_t>, kOutputCount> values_;  // by output
  Cigars cigars_;
};

// Results of all strands that are wanted; of each the better one is written.
class StrandResults {
 public:
  StrandResults(OutputSet outputs, const Strands &strands) : strands_(strands), of_(strands.each(), Results(outputs)) {}

  Results &of(std::size_t strand) { return of_[strand]; }
  Columns columns(std::size_t strand) { return of_[strand].columns(); }
  void resize(std::size_t n);
  // `pair` says whose it is, but for the query's letters: that of `queries` at place q.
  Status write(Rows &rows, formats::AlignedPair pair, const Block &queries, std::size_t q, std::size_t i) const;

 private:
  const Strands &strands_;
  std::vector<Results> of_;
};

}  // namespace alnsmith::tool
