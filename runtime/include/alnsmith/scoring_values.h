// The values of a scoring by the names that manifests, predicates and calls give them: a row for each of ALN_MATCH ...
// (kernel_abi.h), in that order. Generator and runtime read nothing else about them.
#pragma once

#include "alnsmith/kernel_abi.h"

namespace alnsmith {

struct ScoringValue {
  const char *name;
  enum Kind {
    score,   // given by the spec or the call; negated where a spec minimises
    cost,    // of gaps: given, 0 and up
    derived  // follows from others
  } kind;
};

inline constexpr ScoringValue kScoringValues[] = {
    {"match", ScoringValue::score},          {"mismatch", ScoringValue::score},
    {"insertion_open", ScoringValue::cost},  {"insertion_extend", ScoringValue::cost},
    {"deletion_open", ScoringValue::cost},   {"deletion_extend", ScoringValue::cost},
    {"score_min", ScoringValue::derived},    {"score_max", ScoringValue::derived},
    {"insertion_open2", ScoringValue::cost}, {"insertion_extend2", ScoringValue::cost},
    {"deletion_open2", ScoringValue::cost},  {"deletion_extend2", ScoringValue::cost},
};
static_assert(sizeof kScoringValues / sizeof *kScoringValues == ALN_SCORING_COUNT);

// The open of line 0, 1, ... of a side's gaps (cost = the smallest of open + extend * length); its extend follows it.
inline constexpr int kInsertionOpens[] = {ALN_INSERTION_OPEN, ALN_INSERTION_OPEN2};
inline constexpr int kDeletionOpens[] = {ALN_DELETION_OPEN, ALN_DELETION_OPEN2};
inline constexpr int kMostLines = sizeof kInsertionOpens / sizeof *kInsertionOpens;

}  // namespace alnsmith
