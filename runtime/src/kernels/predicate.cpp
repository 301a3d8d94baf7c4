// The grammar of predicates.  See predicate.h.
#include "kernels/predicate.h"

#include <algorithm>
#include <string>

#include "alnsmith/scoring_values.hpp"

namespace alnsmith::rt::kernels {
namespace {

constexpr auto kNames = [] {
  std::array<std::string_view, kNameCount> names;
  for (int i = 0; i < ALN_SCORING_COUNT; ++i) names[i] = kScoringValues[i].name;
  names[kQuery] = "query";
  names[kTarget] = "target";
  return names;
}();

const Grammar &grammar() {
  static const Grammar own{.numbers = {kNames.begin(), kNames.end()},
                           .conditions = true,
                           .extremes = true,
                           .chained = true,
                           .most_bytes = kMostPredicateBytes,
                           .most_digits = 19};
  return own;
}

}  // namespace

Result<Predicate> Predicate::parse(std::string_view text) {
  auto parsed = Expression::parse(text, grammar());
  if (!parsed) return Error{"predicate '" + std::string(text.substr(0, 80)) + "': " + parsed.error().message};
  Predicate predicate;
  predicate.expression_ = *std::move(parsed);
  return predicate;
}

std::int64_t Predicate::value(const Values &values) const { return expression_.value(values, {}).value_or(0); }

bool Predicate::uses(Name name) const { return std::ranges::count(expression_.names(), kNames[name]) > 0; }

}  // namespace alnsmith::rt::kernels
