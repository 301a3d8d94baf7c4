// One aligned pair: all that a format may print.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "alnsmith/outputs.hpp"

namespace alnsmith::formats {

// Operations of a CIGAR, numbered as in BAM; the library's have the first three.
enum Operation : std::uint32_t { kAligned = 0, kInsertion = 1, kDeletion = 2, kClip = 4, kEqual = 7, kUnequal = 8 };
constexpr CigarRun run_of(std::uint32_t letters, Operation operation) { return letters << 4 | operation; }

using Values = std::array<std::int32_t, kOutputCount>;  // by output

// How significant a hit of a database search is; nothing where it is not known.
struct Significance {
  std::optional<double> evalue, bits, z;
};

// Positions count from 0; the end is the last aligned letter, so that a side without aligned letters has
// begin = end + 1. Where nothing is aligned they are ALN_NONE, and there are no runs.
struct AlignedPair {
  std::uint64_t query_number = 0;  // pairs of one query follow each other and have the same number
  std::string_view query_name, query, target_name, target;  // letters as read; may be empty where there is no CIGAR
  Values values{};
  std::span<const CigarRun> cigar{};
  bool reverse = false;  // `query`, positions and CIGAR are of the reverse complement of what was read

  // Of a hit of a database search.
  Significance significance{};
  std::uint64_t rank = 0, target_number = 0;  // from 1
  std::string_view target_description{};      // the header without the name

  std::int32_t operator[](Output output) const { return values[index_of(output)]; }
  // The same, a position of the query on the strand that was read: of a reverse complement the first aligned letter
  // lies behind the last one there.
  std::int32_t as_read(Output output) const {
    const std::int32_t value = (*this)[output];
    const bool of_query = output == kBegins.query || output == kEnds.query;
    return reverse && of_query && value != ALN_NONE ? static_cast<std::int32_t>(query.size()) - 1 - value : value;
  }
  bool aligned() const { return !cigar.empty(); }
};

inline char strand(const AlignedPair &pair) { return pair.reverse ? '-' : '+'; }

void append_evalue(double evalue, std::string &out);  // "8.72e-04"
// Tags of SAM and PAF as BLAST has them, "\tEV:f:8.72e-04\tBS:f:40.4"; nothing where it is not known.
void append_significance(const Significance &significance, std::string &out);
void append_title(const AlignedPair &pair, std::string &out);  // the target's header

}  // namespace alnsmith::formats
