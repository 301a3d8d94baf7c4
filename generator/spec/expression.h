// The expressions of specs: a band's bounds over `query` and `target`, a search space's constraints over its
// parameters. What they mean is base/expression.h's.
#pragma once

#include <string>
#include <string_view>

#include "alnsmith/result.hpp"
#include "base/expression.h"

namespace alnsmith::spec {

using rt::Expression;

const rt::Grammar &bound_grammar();      // query, target
const rt::Grammar &condition_grammar();  // the parameters of `tune:`

// A bound, normalised; its error is a whole `rule; mend`.
Result<std::string> normal_expression(std::string_view text);

}  // namespace alnsmith::spec
