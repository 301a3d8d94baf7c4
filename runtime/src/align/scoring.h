// The scoring of one call: the manifest's folded values completed by those that come with the call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/manifest.h"

namespace alnsmith::rt::align {

struct CallScoring {
  std::array<int, 32 * ALN_MATRIX_STRIDE> matrix{};  // first, so that aligning the whole aligns its rows
  std::array<int, ALN_SCORING_COUNT> value{};
  bool has_matrix = false;

  kernels::Values values() const;  // for predicates; lengths 0
};

// `call` wins over `standing` (given when the aligner was opened). Errors: a value that the spec folds in, an
// unknown name, one missing, one out of range (|score| <= 10000, 0 <= cost <= 10000), a matrix of the wrong size.
Result<CallScoring> resolve_scoring(const kernels::Manifest &manifest, const Scoring &call, const Scoring &standing);

// Names and ranges of what is given; nothing need be there.
Status check_scoring(const kernels::Manifest &manifest, const Scoring &given);

// The cost of a gap of one side, 1 letter and more; `opens`: kInsertionOpens or kDeletionOpens.
template <class Values>
__int128 gap_cost(const kernels::Manifest &manifest, const Values &values, const int (&opens)[kMostLines],
                  std::uint64_t length) {
  __int128 least = 0;
  for (int line = 0; line < kMostLines; ++line) {
    if (line > 0 && !manifest.gives(opens[line])) continue;
    const auto open = static_cast<std::size_t>(opens[line]);
    const __int128 cost = values[open] + static_cast<__int128>(values[open + 1]) * length;
    least = line == 0 || cost < least ? cost : least;
  }
  return least;
}

// Of a target's columns: how many are flagged, and how many there are before the first of these.
struct FlaggedColumns {
  std::size_t count = 0, before = 0;
};

// The score of a pair with an empty side, docs/manifest.md; in the spec's units, nothing if beyond 32 bits. `flagged`:
// of a target whose gap costs what its flags say.
std::optional<std::int32_t> border_score(const kernels::Manifest &manifest, const CallScoring &scoring,
                                         std::size_t query, std::size_t target,
                                         std::optional<FlaggedColumns> flagged = {});

// "cost(L) = 2 + 1*L"; a runtime value that `given` lacks appears by its name.
std::string gap_formula(const kernels::Manifest &manifest, const Scoring &given);

}  // namespace alnsmith::rt::align
