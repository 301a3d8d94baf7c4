// The manifest's predicates: integer expressions over a call's scoring and a pair's lengths (docs/manifest.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "alnsmith/kernel_abi.h"
#include "alnsmith/result.hpp"
#include "base/expression.h"

namespace alnsmith::rt::kernels {

// What a predicate may name, in the order of the value array.
enum Name : std::uint8_t {
  kScoreMin = ALN_SCORE_MIN,  // the values of a scoring come first
  kScoreMax = ALN_SCORE_MAX,
  kQuery = ALN_SCORING_COUNT,
  kTarget,
  kNameCount
};
using Values = std::array<std::int64_t, kNameCount>;
// Values of a scoring, or {}, and the lengths of a pair.
inline Values with_lengths(Values values, std::int64_t query, std::int64_t target) {
  values[kQuery] = query;
  values[kTarget] = target;
  return values;
}

class Predicate {
 public:
  // Errors give the column (from 1) and the rule. At most kMostPredicateBytes and 64 nested parentheses.
  static Result<Predicate> parse(std::string_view text);

  std::int64_t value(const Values &values) const;  // 0 of one that was not parsed
  bool holds(const Values &values) const { return value(values) != 0; }
  bool uses(Name name) const;

 private:
  Expression expression_;
};

}  // namespace alnsmith::rt::kernels
