/// @file
/// Alignments of references, and what their letters stand for: sets of states.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/placement_tree.hpp"
#include "alnsmith/result.hpp"

namespace alnsmith::placement {

/// Letters as sets of states, a bit each. Gaps are all states, as a letter that is not known.
struct StateAlphabet {
  std::string name;                       ///< "dna", "protein", "custom"
  unsigned states = 0;                    ///< how many there are, 2 to 32
  std::array<std::uint32_t, 256> sets{};  ///< by byte, either case; 0: no letter of the alphabet
  /// The set that has all states. @return a bit for each
  std::uint32_t all() const { return states < 32 ? (std::uint32_t{1} << states) - 1 : ~std::uint32_t{0}; }
  /// That of a spec. @param name of it @param states how many @param sets by letter in upper case, a spec's
  /// `alphabet.sets` @return the alphabet
  static StateAlphabet of(std::string name, std::size_t states, const std::map<char, std::uint32_t> &sets);
};
/// Whether a byte stands for a gap: '-' or '.'. @param letter the byte @return true if so
constexpr bool is_gap(char letter) { return letter == '-' || letter == '.'; }

/// Rows of equal length.
struct ReferenceAlignment {
  std::vector<std::string> names;  ///< of the rows
  std::vector<std::string> rows;   ///< as many letters each, gaps among them
  /// How many columns there are. @return letters of a row
  std::size_t columns() const { return rows.empty() ? 0 : rows.front().size(); }
};

/// Whether a text begins as PHYLIP does, with two numbers. @param text of a file @return true if so
bool is_phylip(std::string_view text);
/// Reads relaxed PHYLIP, sequential or interleaved: names of any length up to the first blank.
/// @param text of the file @param file for messages
/// @return the rows; an error names row and mend where rows and header do not agree
Result<ReferenceAlignment> read_phylip(std::string_view text, const std::string &file);
/// Whether an alignment can serve: a row at least, rows of equal length, names and letters, each name once.
/// @param alignment the rows @param alphabet of their letters @param file for messages
/// @return an error that names row, column and mend
Status check_alignment(const ReferenceAlignment &alignment, const StateAlphabet &alphabet, const std::string &file);
/// Finds the row of each tip.
/// @param tree its tips @param tree_file for messages @param alignment the rows @param alignment_file for messages
/// @return by tip, in the order of Tree::tips(), its row; an error names all tips without a row and rows without a tip
Result<std::vector<std::size_t>> match_names(const Tree &tree, const std::string &tree_file,
                                             const ReferenceAlignment &alignment, const std::string &alignment_file);

}  // namespace alnsmith::placement
