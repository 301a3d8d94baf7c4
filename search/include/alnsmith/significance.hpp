/// @file
/// The hits of a search as they are reported: which of them are few enough by chance, and which have an E-value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "alnsmith/search.hpp"
#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

/// Of a hit that is reported. Both are there, or neither: the letters of the two alone make scores grow with the
/// lengths.
struct HitSignificance {
  std::optional<double> evalue;  ///< hits that chance gives, by expected_hits()
  std::optional<double> bits;    ///< the score, by bit_score()
};

/// Judges the hits of one query. It remembers what the query's letters are, so it is no object for several threads.
class QuerySignificance {
 public:
  /// @param statistics of the scoring, or fitted to the query; method not `none`; outlives this
  /// @param composition of the scoring, outlives this; null: all letters are taken for usual ones
  /// @param database_letters of all targets together
  /// @param strands that are searched, 1 or 2: chance has a try for each
  /// @param cut the largest E that is reported, 0 and up
  QuerySignificance(const Statistics &statistics, const Composition *composition, std::uint64_t database_letters,
                    std::size_t strands, double cut);

  /// What is reported of a hit.
  /// @param hit its score and strand @param query letters of that strand @param target its letters
  /// @return nothing where E is above the cut. A hit whose letters give no E is held to the E that usual letters have.
  std::optional<HitSignificance> of(const Found &hit, std::string_view query, std::string_view target);

 private:
  const Statistics &statistics_;
  const Composition *composition_;
  std::uint64_t letters_;  // of the database, once for each strand
  double cut_;
  std::array<LetterCounts, 2> counts_;  // of the query's strands, once they were wanted
};

}  // namespace alnsmith::search
