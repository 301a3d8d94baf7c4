// Targets of state sets: what they are for calls, for the textbook, and what an alignment with them scores by itself.
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.h"

namespace golden {

struct ColumnTarget {
  std::vector<std::uint32_t> sets;
  std::vector<std::uint8_t> flags;  // none where no column is flagged

  alnsmith::StateColumns view() const { return {sets, flags}; }
  oracle::Target plain() const { return {{sets.begin(), sets.end()}, {flags.begin(), flags.end()}}; }
};

// Of `length` columns; sets of one state or several of `states`, flags in runs where there are any.
ColumnTarget random_columns(std::mt19937 &random, int states, std::size_t length, bool flags);

// What the CIGAR of an answer scores, priced letter by letter without a recurrence; and whether it takes the letters
// that it is said to. Throws std::runtime_error where it does not.
long rescored(const oracle::Problem &problem, std::string_view query, const oracle::Target &target,
              const oracle::Answer &answer);

}  // namespace golden
