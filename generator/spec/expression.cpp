// See expression.h.
#include "spec/expression.h"

#include "spec/error.h"

namespace alnsmith::spec {

const rt::Grammar &bound_grammar() {
  static const rt::Grammar grammar{.numbers = {"query", "target"}};
  return grammar;
}

const rt::Grammar &condition_grammar() {
  static const rt::Grammar grammar{.numbers = {"k", "p", "rows", "block", "grid", "stages", "threads"},
                                   .words = {"mapping", "arithmetic", "compiler"},
                                   .conditions = true,
                                   .division = true};
  return grammar;
}

Result<std::string> normal_expression(std::string_view text) {
  auto parsed = Expression::parse(text, bound_grammar());
  if (parsed) return parsed->normal();
  return Error{shown(text) +
               " is not an expression of `query`, `target` and integers with + - * and parentheses; "
               "write e.g. `target - query`"};
}

}  // namespace alnsmith::spec
