// The columns that tables of alignments have: one list of names, what each is, what it needs, and what prints it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/letters.h"
#include "formats/pair.h"
#include "formats/pieces.h"

namespace alnsmith::formats {

// What a column is printed from.
enum class Source {
  pair,       // names, numbers and lengths
  output,     // one number of the pair
  alignment,  // the pair letter by letter
  evalue,     // how significant a hit is
  bits,
  z
};

// A pair, and what was found by walking along its alignment.
struct Row {
  const AlignedPair &pair;
  const std::vector<Piece> &pieces;
  const Counts &counts;
  const Letters &letters;
  std::span<const CigarRun> cigar;  // as it is to be printed
};

struct Column {
  std::string_view name, words;
  Source source;
  Output output;  // Source::output: which
  void (*append)(const Row &row, std::string &out);
  bool of_blast;  // a name of BLAST's outfmt 6, with its units
};

std::span<const Column> all_columns();
const Column *find_column(std::string_view name);  // null: there is none

// For the help: all that pairs of `align` may have, or `hits` too, each with its words.
std::string columns_help(bool hits);

// The columns of BLAST's outfmt 6.
std::span<const std::string_view> blast6_columns();

}  // namespace alnsmith::formats
