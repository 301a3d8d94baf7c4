// What gates cost where: a row for each set of operations that machines have for bits.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "circuits/circuit.h"

namespace alnsmith::circuits {

// Tables of three operands, bit 4 * a + 2 * b + c; a table's mirror in other operands counts as the same operation.
struct GateSet {
  std::string_view name;
  std::string_view machines;
  // What a gate of any table costs where a single operation computes it; 0: only those of `operations` do, one each.
  double of_two, of_three;
  std::span<const std::uint8_t> operations;
};

std::span<const GateSet> gate_sets();
const GateSet *find_gate_set(std::string_view name);  // null if there is none

// By table: the cost of the cheapest formula over the set's operations, all ones and zeros being at hand for nothing.
using Costs = std::array<double, 256>;
const Costs &costs_of(const GateSet &set);

// The same circuit of the set's operations alone; itself if the set has any of three operands.
Circuit expanded(const Circuit &circuit, const GateSet &set);

// The sum over its gates.
double weight(const Circuit &circuit, const Costs &costs);

// Operands that a table depends on: 0 to 3.
int support_of(std::uint8_t table);

}  // namespace alnsmith::circuits
