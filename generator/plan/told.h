// What the templates tell of one kernel, checked to be all that a plan asks for.
#pragma once

#include <initializer_list>
#include <string>

#include "frontend/facts.h"

namespace alnsmith::plan {

// `sizes` wait for nothing: they are numbers.
Result<frontend::Facts> told(const frontend::Teller &templates, const std::string &mapping,
                             const frontend::Statics &statics, std::initializer_list<const char *> predicates,
                             std::initializer_list<const char *> sizes);

int size_of(const frontend::Facts &facts, const char *name);

}  // namespace alnsmith::plan
