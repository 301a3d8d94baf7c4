// The values of a scoring by the names that manifests, predicates and calls give them: a row for each of ALN_MATCH ...
// (kernel_abi.h), in that order. Generator and runtime read nothing else about them.
#pragma once

#include "alnsmith/kernel_abi.h"

namespace alnsmith {

/// A value of a scoring, as Scoring::values and kernel manifests name it (docs/manifest.md).
struct ScoringValue {
  /// What kind of number it is.
  enum Kind {
    score,   ///< given by the spec or the call; negated where a spec minimises
    cost,    ///< of gaps: given, 0 and up
    derived  ///< follows from others
  };
  const char *name;  ///< match, insertion_open, ...
  Kind kind;         ///< see Kind
};

/// All values, in the order of the kernels' ABI.
inline constexpr ScoringValue kScoringValues[] = {
    {"match", ScoringValue::score},          {"mismatch", ScoringValue::score},
    {"insertion_open", ScoringValue::cost},  {"insertion_extend", ScoringValue::cost},
    {"deletion_open", ScoringValue::cost},   {"deletion_extend", ScoringValue::cost},
    {"score_min", ScoringValue::derived},    {"score_max", ScoringValue::derived},
    {"insertion_open2", ScoringValue::cost}, {"insertion_extend2", ScoringValue::cost},
    {"deletion_open2", ScoringValue::cost},  {"deletion_extend2", ScoringValue::cost},
};
static_assert(sizeof kScoringValues / sizeof *kScoringValues == ALN_SCORING_COUNT);

/// The open of line 0, 1, ... of gaps that skip query letters (cost = the smallest of open + extend * length): indices
/// into kScoringValues; each line's extend follows its open.
inline constexpr int kInsertionOpens[] = {ALN_INSERTION_OPEN, ALN_INSERTION_OPEN2};
/// The same for gaps that skip target letters.
inline constexpr int kDeletionOpens[] = {ALN_DELETION_OPEN, ALN_DELETION_OPEN2};
/// Most lines that a side's cost has.
inline constexpr int kMostLines = sizeof kInsertionOpens / sizeof *kInsertionOpens;

/// Bytes that a predicate over these values has at most: none that is longer is generated or read.
inline constexpr unsigned kMostPredicateBytes = 4096;

}  // namespace alnsmith
