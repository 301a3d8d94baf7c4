// Tables: a line per pair. TSV has a header line, then names, outputs, and further columns that were asked for, or
// exactly those that were; BLAST's outfmt 6 has its twelve columns, or others, and no header.
#include <utility>

#include "formats/columns.h"
#include "formats/writer.h"

namespace alnsmith::formats {
namespace {

class TableWriter : public AlignmentWriter {
 public:
  TableWriter(Request request, std::vector<const Column *> columns, bool header)
      : request_(std::move(request)), columns_(std::move(columns)), header_(header) {
    for (const Column *column : columns_) walks_ = walks_ || column->source == Source::alignment;
  }

  Status begin(std::string &out) override {
    if (!header_) return Ok{};
    out += '#';
    line(out, [&](const Column &column) { out += column.name; });
    return Ok{};
  }

  Status pair(const AlignedPair &pair, std::string &out) override {
    const bool walk = walks_ && pair.aligned();
    if (walk) find_pieces(pair, request_.letters, pieces_);
    if (walk && request_.eqx) equal_or_not(pieces_, runs_);
    const Counts counts = walk ? count(pieces_) : Counts{};
    const Row row{pair, pieces_, counts, request_.letters,
                  request_.eqx ? std::span<const CigarRun>(runs_) : pair.cigar};
    line(out, [&](const Column &column) {
      if (known(column.source, pair))
        column.append(row, out);
      else
        out += '.';
    });
    return Ok{};
  }

 private:
  template <class Append>
  void line(std::string &out, const Append &append) const {
    bool first = true;
    for (const Column *column : columns_) {
      if (!std::exchange(first, false)) out += '\t';
      append(*column);
    }
    out += '\n';
  }

  static bool known(Source source, const AlignedPair &pair) {
    switch (source) {
      case Source::pair:
      case Source::output:
        return true;
      case Source::alignment:
        return pair.aligned();
      case Source::evalue:
        return pair.significance.evalue.has_value();
      case Source::bits:
        return pair.significance.bits.has_value();
      case Source::z:
        return pair.significance.z.has_value();
    }
    return false;
  }

  Request request_;
  std::vector<const Column *> columns_;
  bool header_;
  bool walks_ = false;
  std::vector<Piece> pieces_;
  std::vector<CigarRun> runs_;
};

}  // namespace

std::vector<std::string> first_columns(const Request &request) {
  if (request.only_columns) return {};
  std::vector<std::string> names{"query", "target"};
  if (request.strands) names.emplace_back("strand");
  for (const OutputInfo &info : kOutputs)
    if (request.outputs.contains(info.output)) names.emplace_back(info.name);
  if (request.outputs.contains(Output::cigar)) names.emplace_back(kCigar.name);
  return names;
}

std::unique_ptr<AlignmentWriter> tsv_writer(Request request) {
  std::vector<const Column *> columns;
  for (const std::string &name : first_columns(request)) columns.push_back(find_column(name));
  for (const std::string &name : request.columns) columns.push_back(find_column(name));
  return std::make_unique<TableWriter>(std::move(request), std::move(columns), true);
}

std::unique_ptr<AlignmentWriter> blast6_writer(Request request) {
  std::vector<const Column *> columns;
  for (const std::string_view name : blast6_columns())
    if (request.columns.empty()) columns.push_back(find_column(name));
  for (const std::string &name : request.columns) columns.push_back(find_column(name));
  return std::make_unique<TableWriter>(std::move(request), std::move(columns), false);
}

}  // namespace alnsmith::formats
