/// @file
/// Placement of reads: the best branches of each read, and its alignment with the first of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/branch_vectors.hpp"

namespace alnsmith::placement {

/// How a read lies on a branch.
struct ReadPath {
  std::int32_t score = 0;      ///< in the spec's units
  std::vector<CigarRun> runs;  ///< from the first column to the last, all letters of the read: free ends are runs too
};

/// Makes a path of an alignment between two places: what lies before and behind is skipped columns and inserted
/// letters.
/// @param score of the alignment @param runs of it; none where nothing is aligned @param query_begin first letter
/// @param target_begin first column @param letters of the read @param columns of the branch
/// @return runs that differ from their neighbours and hold all letters and columns
ReadPath whole_path(std::int32_t score, std::span<const CigarRun> runs, std::size_t query_begin,
                    std::size_t target_begin, std::size_t letters, std::size_t columns);

/// Aligns reads with branches; what placement asks of an aligner.
class BranchAligner {
 public:
  virtual ~BranchAligner();
  /// Whether small scores are good ones. @return the spec's objective
  virtual bool minimize() const = 0;
  /// Scores each read with each branch. @param reads letters @param branches of equal length
  /// @param scores out: scores[read * branches.size() + branch] @return what went wrong
  virtual Status score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                       std::span<std::int32_t> scores) = 0;
  /// Aligns reads[i] with branches[i]. @param reads letters @param branches as many
  /// @param paths out: as many @return what went wrong
  virtual Status align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                       std::span<ReadPath> paths) = 0;
  /// Whether align() can: asked of a block's longest read, so that what does not fit is refused before any is scored.
  /// @param read letters @param branch one
  /// @return what would go wrong, such as too little memory; nothing where it is not known beforehand
  virtual Status can_align(std::string_view read, const StateColumns &branch);
  /// How many letters of reads and columns of branches a call may have together, each sequence 16 more.
  /// @param states of the vectors' alphabet @return as many as there can be, where nothing bounds them
  virtual std::size_t most_letters(unsigned states) const;
};

/// A read as it was given.
struct Read {
  std::string name;                               ///< the header's first word
  std::string letters;                            ///< without gaps
  bool operator==(const Read &) const = default;  ///< the same in both
};

/// The best branch of those that a read does not tie on.
struct SecondBest {
  std::uint32_t branch = 0;                             ///< the first of those with this score
  std::int32_t score = 0;                               ///< worse than the best
  bool operator==(const SecondBest &) const = default;  ///< the same in both
};

/// Where a read belongs.
struct PlacedRead {
  Read read;                                            ///< which
  std::int32_t score = 0;                               ///< the best
  std::vector<std::uint32_t> branches;                  ///< those with it, ascending: at least one
  std::optional<SecondBest> second;                     ///< nothing where all branches tie
  std::vector<CigarRun> runs;                           ///< its alignment with the first of `branches`, as in ReadPath
  bool operator==(const PlacedRead &) const = default;  ///< the same in both
};

/// How much a call may take, and what it says on its way.
struct PlaceOptions {
  std::size_t memory_bytes = std::size_t{1} << 30;  ///< of columns and scores, beside the aligner's own
  std::function<bool()> cancelled;                  ///< may be empty; asked between groups of branches
};

/// Places reads. Branches are scored a group at a time, each group with all reads; then each read is aligned with its
/// first best branch. Results depend on neither groups nor threads.
/// @param reads any number, none empty @param vectors of all branches @param aligner gives scores and paths
/// @param options as above
/// @return a result for each read, in their order; errors: the aligner's, too little memory, cancelled (130)
Result<std::vector<PlacedRead>> place(std::span<const Read> reads, const BranchVectors &vectors, BranchAligner &aligner,
                                      const PlaceOptions &options);

/// How many branches a call takes at most: more than some 64 MiB of them are no quicker, but are touched once each, at
/// the price of a page fault.
/// @param most how many memory holds, at least 1 @param bytes what a branch takes of it, at least 1
/// @return at most `most`; at least 64 where that is more
std::size_t branches_of_a_call(std::size_t most, std::size_t bytes);

/// How many branches are scored at a time where memory does not hold all: groups about alike, that fill the lanes of
/// vectors as far as they can.
/// @param branches how many there are, at least 1 @param most how many memory holds, at least 1
/// @return at most both; a multiple of 64 where it is fewer than all and memory holds 64
std::size_t branches_at_a_time(std::size_t branches, std::size_t most);

/// How many letters of reads make a block that takes some seconds: by the size of vectors alone, so that all runs over
/// the same references have the same blocks.
/// @param vectors of all branches @return letters, at least 4,096
std::size_t block_letters(const BranchVectors &vectors);
/// The most reads of a block, of which each may tie on all branches: so many that there are at most 2^20 ties, but at
/// least 16.
/// @param vectors of all branches @return 16 to 8,192
std::size_t block_reads(const BranchVectors &vectors);

}  // namespace alnsmith::placement
