// The manifest's predicates: integer expressions over a call's scoring and a pair's lengths.
//
// Parsed once into a postfix program; evaluated in 64 bits with saturation, so that no text and no
// value can overflow or fault.  Grammar in docs/manifest.md, precedence as in C.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "alnsmith/kernel_abi.h"
#include "alnsmith/result.hpp"

namespace alnsmith::rt {

// What a predicate may name, in the order of the value array.
enum Name : std::uint8_t {
  kScoreMin = ALN_SCORE_MIN,  // the values of a scoring come first
  kScoreMax = ALN_SCORE_MAX,
  kQuery = ALN_SCORING_COUNT,
  kTarget,
  kNameCount
};
using Values = std::array<std::int64_t, kNameCount>;

class Predicate {
 public:
  // Errors give the column (from 1) and the rule. At most 4096 bytes and 64 nested parentheses.
  static Result<Predicate> parse(std::string_view text);

  std::int64_t value(const Values &values) const;
  bool holds(const Values &values) const { return value(values) != 0; }
  bool uses(Name name) const;

 private:
  friend class PredicateParser;
  enum class Op : std::uint8_t { number, name, neg, no, add, sub, mul, lt, le, gt, ge, eq, ne, conj, disj, min, max };
  struct Step {
    Op op;
    std::int64_t value;  // the number, or the Name
  };
  std::vector<Step> steps_;
};

}  // namespace alnsmith::rt
