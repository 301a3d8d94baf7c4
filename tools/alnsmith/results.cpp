// See results.h.
#include "results.h"

#include <algorithm>

namespace alnsmith::tool {
namespace {

constexpr std::size_t kHandOnAt = std::size_t{1} << 16;

}  // namespace

std::size_t bytes_each(OutputSet outputs) {
  const bool cigar = outputs.contains(alnsmith::Output::cigar);
  return (outputs.size() - (cigar ? 1 : 0)) * sizeof(std::int32_t) + (cigar ? 2 * sizeof(std::size_t) : 0);
}

std::size_t cigar_bytes(OutputSet outputs, std::size_t letters) {
  return outputs.contains(alnsmith::Output::cigar) ? 2 * sizeof(CigarRun) * letters : 0;
}

Status Rows::row(const formats::AlignedPair &pair) {
  if (Status ok = writer_.pair(pair, text_); !ok) return ok;
  if (text_.size() < kHandOnAt) return Ok{};
  output_.text(text_);
  text_.clear();
  return Ok{};
}

Status Rows::flush() {
  output_.text(text_);
  text_.clear();
  return output_.flush();
}

Status Rows::end() {
  writer_.end(text_);
  return flush();
}

void Results::resize(std::size_t n) {
  for (const OutputInfo &info : kOutputs)
    if (outputs_.contains(info.output)) values_[index_of(info.output)].resize(n);
}

Columns Results::columns() {
  Columns columns;
  for (const OutputInfo &info : kOutputs)
    if (outputs_.contains(info.output)) columns.set(info.output, values_[index_of(info.output)]);
  if (outputs_.contains(alnsmith::Output::cigar)) columns.set(cigars_);
  return columns;
}

void Results::copy(const Results &other, std::size_t from, std::size_t n, std::size_t to) {
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!values_[i].empty())
      std::copy_n(other.values_[i].begin() + static_cast<std::ptrdiff_t>(from), n,
                  values_[i].begin() + static_cast<std::ptrdiff_t>(to));
}

Status Results::write(Rows &rows, formats::AlignedPair pair, std::size_t i) const {
  for (std::size_t o = 0; o < kOutputCount; ++o)
    if (!values_[o].empty()) pair.values[o] = values_[o][i];
  if (outputs_.contains(alnsmith::Output::cigar)) pair.cigar = cigars_[i];
  return rows.row(pair);
}

void StrandResults::resize(std::size_t n) {
  for (Results &results : of_) results.resize(n);
}

Status StrandResults::write(Rows &rows, formats::AlignedPair pair, const Block &queries, std::size_t q,
                            std::size_t i) const {
  const std::size_t best = of_.size() > 1 && strands_.better(of_[1].score(i), of_[0].score(i)) ? 1 : 0;
  const Strand strand = strands_.wanted()[best];
  pair.query = strands_.letters(queries, strand, q);
  pair.reverse = strand == Strand::minus;
  return of_[best].write(rows, pair, i);
}

}  // namespace alnsmith::tool
