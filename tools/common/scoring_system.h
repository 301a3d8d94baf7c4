// A spec's scoring as statistics of searches take it: a matrix and lines of gap costs, without YAML.
#pragma once

#include <string>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/statistics.hpp"
#include "spec/spec.h"

namespace alnsmith::tool {

// A spec's value, or where it is `runtime` that of the call, by the runtime's name for it.
int effective(const spec::Value &value, const std::string &name, const Scoring &scoring);
// Of the runtime's names of a gap's line, and of a spec's keys: its number, but of the first nothing.
std::string line_suffix(int line);

// `scoring`: what the spec leaves `runtime`, all of it. Match and mismatch become a matrix, in which the wildcard
// scores mismatch.
search::ScoringSystem scoring_system(const spec::Spec &spec, const Scoring &scoring);

}  // namespace alnsmith::tool
