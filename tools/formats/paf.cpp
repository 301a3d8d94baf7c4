// PAF: twelve columns and the tags AS, NM, cg and cs; a pair in which nothing is aligned has no line.
#include <utility>

#include "formats/pieces.h"
#include "formats/writer.h"

namespace alnsmith::formats {
namespace {

class PafWriter : public AlignmentWriter {
 public:
  // An alphabet with other characters than letters has no cs: its signs would not tell where a letter is meant.
  explicit PafWriter(Request request) : request_(std::move(request)), cs_(request_.letters.only_a_to_z()) {}

  Status pair(const AlignedPair &pair, std::string &out) override {
    if (!pair.aligned()) return Ok{};
    find_pieces(pair, request_.letters, pieces_);
    if (request_.eqx) equal_or_not(pieces_, runs_);
    const Counts counts = count(pieces_);
    const std::int32_t begin = pair.as_read(kBegins.query), end = pair.as_read(kEnds.query);
    side(pair.query_name, pair.query, pair.reverse ? end : begin, pair.reverse ? begin : end, out);
    ((out += '\t') += strand(pair)) += '\t';
    side(pair.target_name, pair.target, pair[kBegins.target], pair[kEnds.target], out);
    column("", counts.matches, out);
    column("", counts.columns(), out);
    out += "\t255";  // no mapping quality
    out += "\tAS:i:";
    append_number(pair[Output::score], out);
    column("NM:i:", counts.differences(), out);
    out += "\tcg:Z:";
    append_cigar(request_.eqx ? std::span<const CigarRun>(runs_) : pair.cigar, out);
    append_significance(pair.significance, out);
    if (cs_) append_cs(pair, pieces_, request_.letters, out += "\tcs:Z:");
    out += '\n';
    return Ok{};
  }

 private:
  // Name, length, begin, and the end as the letter behind the last.
  static void side(std::string_view name, std::string_view letters, std::int32_t begin, std::int32_t end,
                   std::string &out) {
    out += name;
    column("", letters.size(), out);
    column("", static_cast<std::uint64_t>(begin), out);
    column("", static_cast<std::uint64_t>(end + 1), out);
  }
  static void column(std::string_view tag, std::uint64_t value, std::string &out) {
    (out += '\t') += tag;
    append_number(static_cast<std::int64_t>(value), out);
  }

  Request request_;
  bool cs_;
  std::vector<Piece> pieces_;
  std::vector<CigarRun> runs_;
};

}  // namespace

std::unique_ptr<AlignmentWriter> paf_writer(Request request) { return std::make_unique<PafWriter>(std::move(request)); }

}  // namespace alnsmith::formats
