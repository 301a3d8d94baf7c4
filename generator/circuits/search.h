// A search for a light circuit of a scheme: many short walks (network.h), each with other codes of the values, from a
// decision tree or from the best circuit so far. What so many rounds find follows from the seed alone, so a search that
// was stopped goes on where it was.
#pragma once

#include <functional>

#include "circuits/file.h"
#include "circuits/gate_sets.h"

namespace alnsmith::circuits {

// Asked before each round: whether to go on.
using GoOn = std::function<bool(const CircuitFile &best)>;

// From `begun`, whose progress says how many rounds there were; one without gates and rounds begins.
CircuitFile search(const GateSet &set, CircuitFile begun, const GoOn &go_on);

// Whether there can be a circuit for a scheme by the sizes of templates/circuit.h; else why not.
std::string obstacle(const Scheme &scheme);

}  // namespace alnsmith::circuits
