// TSV: a header line, then a line a pair: names, outputs, and further columns that were asked for.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/pieces.h"
#include "formats/writer.h"

namespace alnsmith::formats {
namespace {

struct Row {
  const AlignedPair &pair;
  const std::vector<Piece> &pieces;
  const Counts &counts;
  const Letters &letters;
};

// One row of an alignment's view, with `-` against nothing. `skipped` is the operation that has no letter of it.
void append_gapped(const Row &row, std::string_view letters, std::uint32_t Piece::*first, Operation skipped,
                   std::string &out) {
  for (const Piece &piece : row.pieces)
    for (std::uint32_t i = 0; i < piece.length; ++i)
      out += piece.operation == skipped ? '-' : row.letters.shown(letters[piece.*first + i]);
}

struct Column {
  ColumnInfo info;
  void (*append)(const Row &row, std::string &out);
};

constexpr Column columns[] = {
    {{"identity", "matches / length, 0 to 1"},
     [](const Row &row, std::string &out) {
       fmt::format_to(std::back_inserter(out), "{:.4f}", row.counts.identity());
     }},
    {{"matches", "aligned letters that are equal"},
     [](const Row &row, std::string &out) { append_number(static_cast<std::int64_t>(row.counts.matches), out); }},
    {{"mismatches", "aligned letters that are not"},
     [](const Row &row, std::string &out) { append_number(static_cast<std::int64_t>(row.counts.mismatches), out); }},
    {{"gaps", "letters against nothing"},
     [](const Row &row, std::string &out) { append_number(static_cast<std::int64_t>(row.counts.gaps), out); }},
    {{"gap_opens", "gaps, whatever their length"},
     [](const Row &row, std::string &out) { append_number(static_cast<std::int64_t>(row.counts.gap_opens), out); }},
    {{"length", "columns of the alignment: matches, mismatches and gaps"},
     [](const Row &row, std::string &out) { append_number(static_cast<std::int64_t>(row.counts.columns()), out); }},
    {{"query_row", "the query's letters, - against nothing"},
     [](const Row &row, std::string &out) { append_gapped(row, row.pair.query, &Piece::query, kDeletion, out); }},
    {{"target_row", "the target's letters, - against nothing"},
     [](const Row &row, std::string &out) { append_gapped(row, row.pair.target, &Piece::target, kInsertion, out); }},
};

constexpr auto infos = [] {
  std::array<ColumnInfo, std::size(columns)> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = columns[i].info;
  return out;
}();

class TsvWriter : public AlignmentWriter {
 public:
  explicit TsvWriter(Request request) : request_(std::move(request)) {
    for (const std::string &name : request_.columns)
      chosen_.push_back(std::ranges::find(columns, name, [](const Column &column) { return column.info.name; }));
  }

  Status begin(std::string &out) override {
    out += "#query\ttarget";
    if (request_.strands) out += "\tstrand";
    for (const OutputInfo &info : kOutputs)
      if (request_.outputs.contains(info.output)) (out += '\t') += info.name;
    if (request_.outputs.contains(Output::cigar)) (out += '\t') += kCigar.name;
    for (const Column *column : chosen_) (out += '\t') += column->info.name;
    out += '\n';
    return Ok{};
  }

  Status pair(const AlignedPair &pair, std::string &out) override {
    ((out += pair.query_name) += '\t') += pair.target_name;
    if (request_.strands) (out += '\t') += strand(pair);
    for (const OutputInfo &info : kOutputs)
      if (request_.outputs.contains(info.output)) append_value(info, pair.as_read(info.output), out);
    if (request_.outputs.contains(Output::cigar)) append_alignment(pair, out);
    out += '\n';
    return Ok{};
  }

 private:
  static void append_value(const OutputInfo &info, std::int32_t value, std::string &out) {
    out += '\t';
    if (info.output != Output::score && value == ALN_NONE)
      out += '.';
    else
      append_number(value, out);
  }

  void append_alignment(const AlignedPair &pair, std::string &out) {
    if (!pair.aligned()) {
      for (std::size_t i = 0; i <= chosen_.size(); ++i) out += "\t.";
      return;
    }
    if (request_.eqx || !chosen_.empty()) find_pieces(pair, request_.letters, pieces_);
    if (request_.eqx) equal_or_not(pieces_, runs_);
    out += '\t';
    append_cigar(request_.eqx ? std::span<const CigarRun>(runs_) : pair.cigar, out);
    if (chosen_.empty()) return;
    const Counts counts = count(pieces_);
    for (const Column *column : chosen_) {
      out += '\t';
      column->append({pair, pieces_, counts, request_.letters}, out);
    }
  }

  Request request_;
  std::vector<const Column *> chosen_;
  std::vector<Piece> pieces_;
  std::vector<CigarRun> runs_;
};

}  // namespace

std::span<const ColumnInfo> all_columns() { return infos; }

std::unique_ptr<AlignmentWriter> tsv_writer(Request request) { return std::make_unique<TsvWriter>(std::move(request)); }

}  // namespace alnsmith::formats
