// See columns.h.
#include "formats/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace alnsmith::formats {
namespace {

void number(std::uint64_t value, std::string &out) { append_number(static_cast<std::int64_t>(value), out); }

template <Output Which>
void output(const Row &row, std::string &out) {
  const std::int32_t value = row.pair.as_read(Which);
  if (Which != Output::score && value == ALN_NONE)
    out += '.';
  else
    append_number(value, out);
}

// One row of an alignment's view, with `-` against nothing. `skipped` is the operation that has no letter of it.
void gapped(const Row &row, std::string_view letters, std::uint32_t Piece::*first, Operation skipped,
            std::string &out) {
  for (const Piece &piece : row.pieces)
    for (std::uint32_t i = 0; i < piece.length; ++i)
      out += piece.operation == skipped ? '-' : row.letters.shown(letters[piece.*first + i]);
}
void query_row(const Row &row, std::string &out) { gapped(row, row.pair.query, &Piece::query, kDeletion, out); }
void target_row(const Row &row, std::string &out) { gapped(row, row.pair.target, &Piece::target, kInsertion, out); }

// BLAST prints the query as it was read: of a minus strand both rows are turned round and complemented.
void blast_row(const Row &row, void (*append)(const Row &, std::string &), std::string &out) {
  if (!row.pair.reverse) return append(row, out);
  std::string forward;
  append(row, forward);
  out += row.letters.reverse_complement(forward);  // what is no letter is its own complement
}

void percent(std::uint64_t part, std::uint64_t whole, std::string &out) {
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  fmt::format_to(std::back_inserter(out), "{:.3f}", share);
}

// Aligned letters whose score is above 0, or that are equal where there is no matrix.
std::uint64_t positives(const Row &row) {
  std::uint64_t n = row.counts.matches;
  for (const Piece &piece : row.pieces)
    for (std::uint32_t i = 0; i < piece.length && piece.operation == kUnequal; ++i)
      n += row.letters.positive(row.pair.query[piece.query + i], row.pair.target[piece.target + i]) ? 1 : 0;
  return n;
}

// BLAST counts from 1, has the query's smaller position first and turns the target's round instead.
void blast_position(const Row &row, Output begin, Output end, bool first, std::string &out) {
  const bool query = begin == kBegins.query;
  const bool swap = row.pair.reverse;
  // as_read() turns the query's round; so both sides are swapped: the query back, the target round.
  const Output which = first != swap ? begin : end;
  append_number((query ? row.pair.as_read(which) : row.pair[which]) + 1, out);
}

void evalue(const Row &row, std::string &out) { append_evalue(*row.pair.significance.evalue, out); }
void bits(const Row &row, std::string &out) {
  fmt::format_to(std::back_inserter(out), "{:.1f}", *row.pair.significance.bits);
}
void z(const Row &row, std::string &out) {
  fmt::format_to(std::back_inserter(out), "{:.1f}", *row.pair.significance.z);
}

constexpr Output kNone = Output::score;  // of columns that are no output

constexpr Column columns[] = {
    {"query", "the query's name", Source::pair, kNone,
     [](const Row &row, std::string &out) { out += row.pair.query_name; }, false},
    {"target", "the target's name", Source::pair, kNone,
     [](const Row &row, std::string &out) { out += row.pair.target_name; }, false},
    {"strand", "of the query: +, or - for its reverse complement", Source::pair, kNone,
     [](const Row &row, std::string &out) { out += strand(row.pair); }, false},
#define ALN_COLUMN(Y, type, name, key, words) {#name, words, Source::output, Output::name, output<Output::name>, false},
    ALN_OUTPUTS(ALN_COLUMN, )
#undef ALN_COLUMN
        {kCigar.name, kCigar.words, Source::alignment, kNone,
         [](const Row &row, std::string &out) { append_cigar(row.cigar, out); }, false},
    {"identity", "matches / length, 0 to 1", Source::alignment, kNone,
     [](const Row &row, std::string &out) { fmt::format_to(std::back_inserter(out), "{:.4f}", row.counts.identity()); },
     false},
    {"matches", "aligned letters that are equal", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.matches, out); }, false},
    {"mismatches", "aligned letters that are not", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.mismatches, out); }, false},
    {"gaps", "letters against nothing", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.gaps, out); }, false},
    {"gap_opens", "gaps, whatever their length", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.gap_opens, out); }, false},
    {"length", "columns of the alignment: matches, mismatches and gaps", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.columns(), out); }, false},
    {"positives", "aligned letters that are equal or whose score in the matrix is above 0", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(positives(row), out); }, false},
    {"query_row", "the query's letters, - against nothing", Source::alignment, kNone, query_row, false},
    {"target_row", "the target's letters, - against nothing", Source::alignment, kNone, target_row, false},
    {"query_length", "letters of the query", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.query.size(), out); }, false},
    {"target_length", "letters of the target", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.target.size(), out); }, false},
    {"evalue", "hits of this score that a database of this size has by chance", Source::evalue, kNone, evalue, false},
    {"bits", "the score in bits", Source::bits, kNone, bits, false},
    {"z", "standard deviations above the mean score of shuffled targets", Source::z, kNone, z, false},
    {"rank", "place among the hits of the query, from 1", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.rank, out); }, false},
    {"target_number", "place of the target in the database, from 1", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.target_number, out); }, false},
    {"title", "the target's name and the rest of its header", Source::pair, kNone,
     [](const Row &row, std::string &out) { append_title(row.pair, out); }, false},

    {"qseqid", "query", Source::pair, kNone, [](const Row &row, std::string &out) { out += row.pair.query_name; },
     true},
    {"sseqid", "target", Source::pair, kNone, [](const Row &row, std::string &out) { out += row.pair.target_name; },
     true},
    {"pident", "identity in percent", Source::alignment, kNone,
     [](const Row &row, std::string &out) { percent(row.counts.matches, row.counts.columns(), out); }, true},
    {"mismatch", "mismatches", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.mismatches, out); }, true},
    {"gapopen", "gap_opens", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.gap_opens, out); }, true},
    {"qstart", "first aligned letter of the query, from 1", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_position(row, kBegins.query, kEnds.query, true, out); }, true},
    {"qend", "last aligned letter of the query", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_position(row, kBegins.query, kEnds.query, false, out); }, true},
    {"sstart", "first aligned letter of the target; behind `send` where the strand is minus", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_position(row, kBegins.target, kEnds.target, true, out); }, true},
    {"send", "last aligned letter of the target", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_position(row, kBegins.target, kEnds.target, false, out); }, true},
    {"bitscore", "bits", Source::bits, kNone, bits, true},
    {"qlen", "query_length", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.query.size(), out); }, true},
    {"slen", "target_length", Source::pair, kNone,
     [](const Row &row, std::string &out) { number(row.pair.target.size(), out); }, true},
    {"nident", "matches", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(row.counts.matches, out); }, true},
    {"positive", "positives", Source::alignment, kNone,
     [](const Row &row, std::string &out) { number(positives(row), out); }, true},
    {"ppos", "positives in percent of `length`", Source::alignment, kNone,
     [](const Row &row, std::string &out) { percent(positives(row), row.counts.columns(), out); }, true},
    {"qcovhsp", "aligned letters of the query in percent of all", Source::alignment, kNone,
     [](const Row &row, std::string &out) {
       const auto letters = static_cast<std::uint64_t>(row.pair[kEnds.query] - row.pair[kBegins.query] + 1);
       fmt::format_to(std::back_inserter(out), "{}",
                      (200 * letters + row.pair.query.size()) / (2 * row.pair.query.size()));
     },
     true},
    {"qseq", "the query's letters on the strand that was read", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_row(row, query_row, out); }, true},
    {"sseq", "the target's letters beside them", Source::alignment, kNone,
     [](const Row &row, std::string &out) { blast_row(row, target_row, out); }, true},
    {"sstrand", "plus or minus", Source::pair, kNone,
     [](const Row &row, std::string &out) { out += row.pair.reverse ? "minus" : "plus"; }, true},
    {"stitle", "title without the name", Source::pair, kNone,
     [](const Row &row, std::string &out) { out += row.pair.target_description; }, true},
};

constexpr std::string_view blast6[] = {"qseqid", "sseqid", "pident", "length", "mismatch", "gapopen",
                                       "qstart", "qend",   "sstart", "send",   "evalue",   "bitscore"};

}  // namespace

std::span<const Column> all_columns() { return columns; }

const Column *find_column(std::string_view name) {
  const auto *const found = std::ranges::find(columns, name, &Column::name);
  return found == std::end(columns) ? nullptr : found;
}

std::string columns_help(bool hits) {
  std::string own, of_blast;
  for (const Column &column : columns) {
    const bool of_hit = column.source == Source::evalue || column.source == Source::bits || column.source == Source::z;
    if (of_hit && !hits) continue;
    std::string &list = column.of_blast ? of_blast : own;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", column.name);
    if (!column.of_blast) list += fmt::format(" ({})", column.words);
  }
  return own + "; and with the units of BLAST's outfmt 6: " + of_blast;
}

std::span<const std::string_view> blast6_columns() { return blast6; }

void append_evalue(double evalue, std::string &out) {
  if (evalue == 0)
    out += "0.0";
  else
    fmt::format_to(std::back_inserter(out), "{:.2e}", evalue);
}

void append_significance(const Significance &significance, std::string &out) {
  if (significance.evalue) append_evalue(*significance.evalue, out += "\tEV:f:");
  if (significance.bits) fmt::format_to(std::back_inserter(out), "\tBS:f:{:.1f}", *significance.bits);
}

void append_title(const AlignedPair &pair, std::string &out) {
  out += pair.target_name;
  if (!pair.target_description.empty()) (out += ' ') += pair.target_description;
}

}  // namespace alnsmith::formats
