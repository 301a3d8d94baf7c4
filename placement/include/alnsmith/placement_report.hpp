/// @file
/// What placed reads look like in files: a table, .jplace, extended alignments, reads per branch.
///
/// Texts come in pieces, so that millions of reads stream; they depend on reads and references alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/placement.hpp"
#include "alnsmith/placement_tree.hpp"
#include "alnsmith/reference_alignment.hpp"

namespace alnsmith::placement {

/// The table's header line. @return with its line break
std::string table_header();
/// A read's line: name, first best branch, score, how many branches tie, the second best branch and its score ('.'
/// where all tie). @param placed the read @return with its line break
std::string table_row(const PlacedRead &placed);

/// What stands before the reads in .jplace, version 3. @param tree its branches @param invocation for the metadata
/// @return text
std::string jplace_head(const Tree &tree, const std::string &invocation);
/// A read, with all branches that it ties on. The fields: edge_num; likelihood, the score, negated where small scores
/// are good; like_weight_ratio, 1/n of n branches; distal_length, the middle of the branch; pendant_length, 0;
/// parsimony, the score as a cost. @param placed the read @param tree its branches @param minimize as the run
/// @param first whether no read stands before it @return text
std::string jplace_read(const PlacedRead &placed, const Tree &tree, bool minimize, bool first);
/// What stands behind them. @return text
std::string jplace_tail();

/// The line of column names of a table of branches. @return with its line break
std::string branch_header();
/// A branch's line: number, length, tips on the smaller side, with commas between them and quoted as in Newick.
/// @param tree its branches @param branch which @return with its line break
std::string branch_row(const Tree &tree, std::size_t branch);

/// Whether a read fits a tree and columns: what comes from a file is checked before it is used.
/// @param placed the read @param branches of the tree @param columns of the vectors @return true if so
bool fits(const PlacedRead &placed, std::size_t branches, std::size_t columns);

/// References and reads in one alignment. A letter that a read has between two columns of the references gets a column
/// of its own; such columns are shared by all reads, each from the left. Without insertions these letters are left out,
/// and rows have the columns of the references as they were given, those that are all gap among them.
class ExtendedAlignment {
 public:
  /// For some references. @param columns of the alignment @param kept those that vectors have @param insertions whether
  ///   inserted letters get columns
  ExtendedAlignment(std::size_t columns, const std::vector<std::uint32_t> &kept, bool insertions);
  /// Makes room for a read's insertions; all reads come before the first row. @param placed the read
  void add(const PlacedRead &placed);

  /// How many columns rows have. @return those of the references and of insertions
  std::size_t width() const;
  /// A reference's row. @param row its letters and gaps as given @return width() letters and gaps
  std::string reference_row(std::string_view row) const;
  /// A read's row. @param placed the read @return width() letters and gaps
  std::string read_row(const PlacedRead &placed) const;

 private:
  // Calls letter(column) and insert(place, n) for what comes next in the read.
  template <class Letter, class Insert>
  void walk(const PlacedRead &placed, const Letter &letter, const Insert &insert) const;
  // Column of the references before which insertions before kept column k stand.
  std::size_t place(std::size_t k) const { return k < kept_.size() ? kept_[k] : kept_.back() + 1; }

  std::size_t columns_;
  std::vector<std::uint32_t> kept_;
  bool insertions_;
  std::vector<std::uint32_t> inserted_;  // columns before each column, and behind the last
};

/// One row of FASTA. @param name without blanks @param row its letters @return with line breaks
std::string fasta_row(std::string_view name, std::string_view row);
/// The first line of relaxed PHYLIP. @param rows how many @param width their length @return with its line break
std::string phylip_head(std::uint64_t rows, std::size_t width);
/// One row of relaxed PHYLIP. @param name without blanks @param row its letters @return with its line break
std::string phylip_row(std::string_view name, std::string_view row);

}  // namespace alnsmith::placement
