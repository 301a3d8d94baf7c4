// Networks of gates for given truth tables, made smaller by random resubstitution: a gate's value has to be right only
// in the rows in which an output depends on it, so other operands or other gates often serve (Mishchenko and others
// 2011, "Scalable don't-care-based logic optimization and resynthesis").
#pragma once

#include <cstdint>
#include <random>

#include "circuits/gate_sets.h"
#include "circuits/states.h"

namespace alnsmith::circuits {

struct Network {
  std::vector<Gate> gates;  // operands are inputs and earlier gates, numbered as values of a Circuit
  std::vector<std::uint16_t> outputs;
};

// A tree of decisions on the inputs, in random order, rows that cannot be left open: where a search begins.
Network decision_network(const TruthTables &tables, std::mt19937_64 &random);

// What a walk of so many steps finds: the lightest network on its way. Gates of the tables that have a cost are used,
// no more than `most_gates` if the first one has no more. A walk takes a step to a network that is no heavier, and now
// and then to one that is.
Network walk(const TruthTables &tables, const Network &first, const Costs &costs, int steps, int most_gates,
             std::mt19937_64 &random);

}  // namespace alnsmith::circuits
