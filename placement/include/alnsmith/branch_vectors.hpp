/// @file
/// What each branch of a tree would have had in each column: ancestral sets of states and gap flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/placement_tree.hpp"
#include "alnsmith/reference_alignment.hpp"
#include "alnsmith/result.hpp"

namespace alnsmith::placement {

/// By which rule a column of a branch is flagged as one that is likely a gap there (PaPaRa, Berger and Stamatakis
/// 2011).
enum class FlagRule : std::uint8_t {
  none,        ///< no column is
  cgap,        ///< the discrete rule: both sides of the branch are gaps
  probability  ///< a model of gaps that come and go along branches, whose lengths it needs
};
/// A rule by its name. @param word "none", "cgap" or "probability" @return the rule, or nothing for another word
std::optional<FlagRule> flag_rule(std::string_view word);

/// What to compute, and with how much.
struct VectorOptions {
  FlagRule rule = FlagRule::probability;                   ///< of the flags
  std::size_t memory_bytes = std::size_t{1} << 30;         ///< of the vectors and of work on them
  int threads = 1;                                         ///< at least 1
  std::string tree_file = "the tree";                      ///< for messages
  std::string alignment_file = "the reference alignment";  ///< for messages
};

/// The columns in which a row has a letter. @param alignment rows of equal length @return ascending, counted from 0
std::vector<std::uint32_t> kept_columns(const ReferenceAlignment &alignment);

/// The vectors of all branches. Columns in which all references have a gap are left out.
///
/// Sets are those of Fitch's first pass with the root on the branch: the intersection of both sides, or their union
/// where that is empty.
class BranchVectors {
 public:
  /// Computes them, columns a block at a time.
  /// @param tree the tree @param alignment its rows @param row_of as match_names() gives it
  /// @param alphabet of the letters @param options as above
  /// @return the vectors; an error names what is missing: branch lengths where the rule needs them, memory
  static Result<BranchVectors> compute(const Tree &tree, const ReferenceAlignment &alignment,
                                       std::span<const std::size_t> row_of, const StateAlphabet &alphabet,
                                       const VectorOptions &options);

  /// How many branches there are. @return the tree's
  std::size_t branches() const { return branches_; }
  /// How many columns vectors have. @return those of the alignment that are not all gap
  std::size_t columns() const { return kept_.size(); }
  /// How many states letters have. @return the alphabet's
  unsigned states() const { return states_; }
  /// The columns of the alignment that vectors have. @return ascending, counted from 0
  const std::vector<std::uint32_t> &kept() const { return kept_; }
  /// A branch's vector. @param branch which @param sets out: as many as columns() @param flags out: the same, 0 or 1
  void expand(std::size_t branch, std::span<std::uint32_t> sets, std::span<std::uint8_t> flags) const;
  /// What to know of them: branch lengths that the rule makes little of. @return a line each
  const std::vector<std::string> &warnings() const { return warnings_; }
  /// What they take of memory. @return bytes
  std::size_t bytes() const { return cells_.size(); }

 private:
  std::size_t branches_ = 0;
  unsigned states_ = 0;
  std::size_t cell_bytes_ = 1;  // a set, and above it the flag
  std::vector<std::uint32_t> kept_;
  std::vector<std::string> warnings_;
  std::vector<std::uint8_t> cells_;  // by branch, then column
};

}  // namespace alnsmith::placement
