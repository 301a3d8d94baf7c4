// What a call of a spec means to the oracle.
//
// In: a parsed spec, and the scoring that the call brings for what the spec leaves to it.
// Out: the oracle's problem. It reads the spec's fields only: no letter code, kernel or plan.
#pragma once

#include <alnsmith/alnsmith.hpp>

#include "oracle.h"
#include "spec/spec.h"

namespace oracle {

Problem spec_problem(const alnsmith::spec::Spec &spec, const alnsmith::Scoring &call);

// Values for everything that the spec leaves to the call, different for each: costs per side, a matrix without
// symmetry.
alnsmith::Scoring call_scoring(const alnsmith::spec::Spec &spec);

}  // namespace oracle
