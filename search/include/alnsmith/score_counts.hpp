/// @file
/// All scores of a search, counted: what fit_statistics() (statistics.hpp) reads.
///
/// Counts are whole numbers by bins that depend on nothing, so those of shards add up to those of the whole database.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace alnsmith::search {

/// Bins of targets by length: four to an octave from 8 letters on; the first has shorter ones, the last all from
/// 114,688.
inline constexpr std::size_t kLengthBins = 57;
/// Bins of scores, in units of the scoring: single ones below 128, then 64 to an octave; the last has all from 65,024.
inline constexpr std::size_t kScoreBins = 704;

/// The bin of a target. @param letters of it @return below kLengthBins
constexpr std::size_t length_bin(std::uint64_t letters) {
  if (letters < 8) return 0;
  const auto octave = static_cast<std::size_t>(std::bit_width(letters)) - 1;  // 3 and up
  return std::min(1 + (octave - 3) * 4 + static_cast<std::size_t>((letters >> (octave - 2)) & 3), kLengthBins - 1);
}

/// The bin of a score. @param score in units, 0 and up @return below kScoreBins
constexpr std::size_t score_bin(std::uint32_t score) {
  if (score < 128) return score;
  const auto octave = static_cast<std::size_t>(std::bit_width(score)) - 8;  // from 128 on
  return std::min(64 + octave * 64 + (score >> (octave + 1)), kScoreBins - 1);
}

/// The lowest score of a bin. @param bin below kScoreBins @return in units
constexpr std::int32_t lowest_of_bin(std::size_t bin) {
  if (bin < 128) return static_cast<std::int32_t>(bin);
  return static_cast<std::int32_t>((64 + bin % 64) << ((bin - 128) / 64 + 1));
}

/// Targets of a bin of lengths.
struct CountedTargets {
  std::uint64_t sequences = 0;                              ///< how many
  std::uint64_t letters = 0;                                ///< of all of them
  bool operator==(const CountedTargets &) const = default;  ///< the same in both
};

/// Pairs of a query with targets of a bin of lengths whose scores are of one bin.
struct CountedPairs {
  std::uint32_t bin = 0;                                  ///< length_bin * kScoreBins + score_bin
  std::uint64_t pairs = 0;                                ///< how many, 1 and up; each strand is one
  bool operator==(const CountedPairs &) const = default;  ///< the same in both
};

/// The scores of some queries with all targets of a database, or of a part of it.
struct ScoreCounts {
  std::int32_t unit = 0;                           ///< scores are divided by it, rounded down; 0: nothing was counted
  std::vector<CountedTargets> targets;             ///< by bin of length
  std::vector<std::vector<CountedPairs>> queries;  ///< of each query, ascending by bin
  bool operator==(const ScoreCounts &) const = default;  ///< the same in both

  /// Takes further queries of the same targets. @param more their counts
  void append(ScoreCounts &&more);
  /// Adds what the same queries have with other targets. @param more their counts, of the same unit
  void add(const ScoreCounts &more);
};

}  // namespace alnsmith::search
