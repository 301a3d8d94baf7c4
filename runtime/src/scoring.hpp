// The scoring of one call: the manifest's folded values completed by those that come with the call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "manifest.hpp"

namespace alnsmith::rt {

struct CallScoring {
  std::array<int, 32 * ALN_MATRIX_STRIDE> matrix{};  // first, so that aligning the whole aligns its rows
  std::array<int, ALN_SCORING_COUNT> value{};
  bool has_matrix = false;

  Values values() const;  // for predicates; lengths 0
};

// `call` wins over `standing` (given when the aligner was opened). Errors: a value that the spec folds in, an
// unknown name, one missing, one out of range (|score| <= 10000, 0 <= cost <= 10000), a matrix of the wrong size.
Result<CallScoring> resolve_scoring(const Manifest &manifest, const Scoring &call, const Scoring &standing);

// Names and ranges of what is given; nothing need be there.
Status check_scoring(const Manifest &manifest, const Scoring &given);

// The score of a pair with an empty side, docs/manifest.md; in the spec's units, nothing if beyond 32 bits.
std::optional<std::int32_t> border_score(const Manifest &manifest, const CallScoring &scoring, std::size_t query,
                                         std::size_t target);

// "cost(L) = 2 + 1*L"; a runtime value that `given` lacks appears by its name.
std::string gap_formula(const Manifest &manifest, const Scoring &given);

}  // namespace alnsmith::rt
