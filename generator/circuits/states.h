// The integer recurrence of a cell over all states that it can be in, as the truth tables of a circuit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "circuits/circuit.h"

namespace alnsmith::circuits {

// What a cell sees and what it leaves, as values.
struct State {
  int u, v, x, y;
  auto operator<=>(const State &) const = default;
};

// The recurrence of Scheme.
State next(const Scheme &scheme, bool equal, const State &state);

// All that a cell can see, in order: u and y of each left neighbour that can be beside v and x of each neighbour above,
// from the borders of every scoring with this scheme on. What reaches a cell by a gap never exceeds `total`.
std::vector<State> reachable(const Scheme &scheme);

// A bit for each reachable state with unequal letters, then with equal ones.
using Bits = std::vector<std::uint64_t>;

// What a circuit's inputs hold in each state, and what its outputs have to.
struct TruthTables {
  std::vector<State> states;  // all that are reachable
  std::size_t rows = 0;
  std::vector<Bits> inputs, outputs;
};
TruthTables truth_tables(const Scheme &scheme, const Codes &codes);

// The bits of a gate's value.
Bits apply_gate(const Gate &gate, const std::vector<Bits> &values);

// Whether the circuit computes the recurrence in every reachable state; else the first in which it does not, in words.
std::string disproof(const Circuit &circuit);

}  // namespace alnsmith::circuits
