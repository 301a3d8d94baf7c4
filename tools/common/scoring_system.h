// A spec's scoring as statistics of searches take it: a matrix and lines of gap costs, without YAML.
#pragma once

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/statistics.hpp"
#include "spec/spec.h"

namespace alnsmith::tool {

// `scoring`: what the spec leaves `runtime`, all of it. Match and mismatch become a matrix, in which the wildcard
// scores mismatch.
search::ScoringSystem scoring_system(const spec::Spec &spec, const Scoring &scoring);

}  // namespace alnsmith::tool
