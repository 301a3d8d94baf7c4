// See told.h.
#include "plan/told.h"

namespace alnsmith::plan {

namespace {

constexpr std::int64_t largest_size = 1 << 30;

}  // namespace

Result<frontend::Facts> told(const frontend::Teller &templates, const std::string &mapping,
                             const frontend::Statics &statics, std::initializer_list<const char *> predicates,
                             std::initializer_list<const char *> sizes) {
  auto facts = templates.facts(mapping, statics);
  if (!facts) return facts;
  const auto refusal = [&](const char *name, const char *what) {
    return Error{"templates/exactness.h: of mapping '" + mapping + "' '" + name + "' " + what};
  };
  for (const char *name : predicates)
    if (!facts->contains(name)) return refusal(name, "is not told; add it to the struct of facts");
  for (const char *name : sizes) {
    const auto size = facts->find(name);
    if (size == facts->end()) return refusal(name, "is not told; add it to the struct of facts");
    const auto &number = size->second.number;
    if (!number) return refusal(name, "waits for the call; it must follow from the spec alone");
    if (*number < 0 || *number > largest_size) return refusal(name, "is no size: it must be 0 to 2^30");
  }
  return facts;
}

int size_of(const frontend::Facts &facts, const char *name) { return static_cast<int>(*facts.at(name).number); }

}  // namespace alnsmith::plan
