// See pieces.h.
#include "formats/pieces.h"

#include <charconv>

namespace alnsmith::formats {
namespace {

Operation operation_in(CigarRun run) { return static_cast<Operation>(run & 15U); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Splits a run of aligned letters into equal and unequal ones.
void split(const AlignedPair &pair, const Letters &letters, Piece run, std::vector<Piece> &out) {
  const char *const query = pair.query.data() + run.query;
  const char *const target = pair.target.data() + run.target;
  for (std::uint32_t begin = 0; begin < run.length;) {
    const bool equal = letters.equal(query[begin], target[begin]);
    std::uint32_t end = begin + 1;
    while (end < run.length && letters.equal(query[end], target[end]) == equal) ++end;
    out.push_back({equal ? kEqual : kUnequal, end - begin, run.query + begin, run.target + begin});
    begin = end;
  }
}

}  // namespace

void find_pieces(const AlignedPair &pair, const Letters &letters, std::vector<Piece> &out) {
  out.clear();
  std::uint32_t query = static_cast<std::uint32_t>(pair[kBegins.query]);
  std::uint32_t target = static_cast<std::uint32_t>(pair[kBegins.target]);
  for (const CigarRun run : pair.cigar) {
    const Piece piece{operation_in(run), letters_of(run), query, target};
    if (piece.operation == kAligned)
      split(pair, letters, piece, out);
    else
      out.push_back(piece);
    if (piece.operation != kDeletion) query += piece.length;
    if (piece.operation != kInsertion) target += piece.length;
  }
}

Counts count(const std::vector<Piece> &pieces) {
  Counts out;
  for (const Piece &piece : pieces) {
    const bool gap = piece.operation == kInsertion || piece.operation == kDeletion;
    (gap ? out.gaps : piece.operation == kEqual ? out.matches : out.mismatches) += piece.length;
    out.gap_opens += gap ? 1 : 0;
  }
  return out;
}

void equal_or_not(const std::vector<Piece> &pieces, std::vector<CigarRun> &out) {
  out.clear();
  for (const Piece &piece : pieces) out.push_back(run_of(piece.length, piece.operation));
}

void append_cigar(std::span<const CigarRun> runs, std::string &out) {
  for (const CigarRun run : runs) {
    append_number(letters_of(run), out);
    out += "MIDNSHP=X"[operation_in(run)];
  }
}

void append_cs(const AlignedPair &pair, const std::vector<Piece> &pieces, const Letters &letters, std::string &out) {
  const auto query = [&](std::uint32_t i) { return lower(letters.letter(pair.query[i])); };
  const auto target = [&](std::uint32_t i) { return lower(letters.letter(pair.target[i])); };
  for (const Piece &piece : pieces) {
    if (piece.operation == kEqual) {
      out += ':';
      append_number(piece.length, out);
      continue;
    }
    if (piece.operation != kUnequal) out += piece.operation == kInsertion ? '+' : '-';
    for (std::uint32_t i = 0; i < piece.length; ++i) {
      if (piece.operation == kUnequal) out += '*';
      if (piece.operation != kInsertion) out += target(piece.target + i);
      if (piece.operation != kDeletion) out += query(piece.query + i);
    }
  }
}

void append_number(std::int64_t number, std::string &out) {
  char digits[24];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

}  // namespace alnsmith::formats
