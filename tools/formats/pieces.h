// What an alignment consists of, letter by letter: equal, unequal, insertions, deletions; and texts made from that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/letters.h"
#include "formats/pair.h"

namespace alnsmith::formats {

// A longest run of columns of one kind: kEqual, kUnequal, kInsertion or kDeletion.
struct Piece {
  Operation operation;
  std::uint32_t length;
  std::uint32_t query, target;  // the first letter of either, or the one behind the run where it has none
};

// The pieces of a pair in order; none where nothing is aligned. `out` is overwritten.
void find_pieces(const AlignedPair &pair, const Letters &letters, std::vector<Piece> &out);

struct Counts {
  std::uint64_t matches = 0, mismatches = 0;  // aligned letters that are equal, that are not
  std::uint64_t gaps = 0, gap_opens = 0;      // letters against nothing, and runs of them
  std::uint64_t columns() const { return matches + mismatches + gaps; }
  std::uint64_t differences() const { return mismatches + gaps; }  // the edit distance of this alignment, NM
  double identity() const { return columns() == 0 ? 0 : static_cast<double>(matches) / static_cast<double>(columns()); }
};
Counts count(const std::vector<Piece> &pieces);

// The runs of a CIGAR with = and X in place of M. `out` is overwritten.
void equal_or_not(const std::vector<Piece> &pieces, std::vector<CigarRun> &out);
void append_cigar(std::span<const CigarRun> runs, std::string &out);  // "3=1X2I"

// SAM's tag MD, which gives the target's letters back from the query and the CIGAR; `letter_of` maps what is printed.
template <class LetterOf>
void append_md(const AlignedPair &pair, const std::vector<Piece> &pieces, LetterOf letter_of, std::string &out);
// PAF's tag cs in its short form: lengths of equal runs, and the letters of all else in lower case.
void append_cs(const AlignedPair &pair, const std::vector<Piece> &pieces, const Letters &letters, std::string &out);

void append_number(std::int64_t number, std::string &out);

template <class LetterOf>
void append_md(const AlignedPair &pair, const std::vector<Piece> &pieces, LetterOf letter_of, std::string &out) {
  std::int64_t equal = 0;  // since the last letter
  for (const Piece &piece : pieces) {
    if (piece.operation == kEqual) equal += piece.length;
    if (piece.operation != kUnequal && piece.operation != kDeletion) continue;
    for (std::uint32_t i = 0; i < piece.length; ++i) {
      if (i == 0 || piece.operation == kUnequal) append_number(equal, out);
      if (i == 0 && piece.operation == kDeletion) out += '^';
      equal = 0;
      out += letter_of(pair.target[piece.target + i]);
    }
  }
  append_number(equal, out);
}

}  // namespace alnsmith::formats
