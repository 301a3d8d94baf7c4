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
  // What each gate of the longest path costs besides: a cell waits for its neighbours, and few cells fit between.
  double per_level;
  std::span<const std::uint8_t> operations;
};

std::span<const GateSet> gate_sets();
const GateSet *find_gate_set(std::string_view name);  // null if there is none

// By table: what its cheapest formula over the set's operations costs, and how many of them wait for each other. All
// ones and zeros are at hand for nothing.
struct Costs {
  std::array<double, 256> work{};
  std::array<int, 256> levels{};
  double per_level = 0;
};
const Costs &costs_of(const GateSet &set);

// The same circuit of the set's operations alone; itself if the set has any of three operands.
Circuit expanded(const Circuit &circuit, const GateSet &set);

// Of all gates together.
double work(std::span<const Gate> gates, const Costs &costs);
// The longest path to an output; values are numbered from `inputs` on.
int levels(std::span<const Gate> gates, std::span<const std::uint16_t> outputs, std::size_t inputs, const Costs &costs);
// What a search makes small: work, and levels at what the set says of them.
double weight(std::span<const Gate> gates, std::span<const std::uint16_t> outputs, std::size_t inputs,
              const Costs &costs);
double weight(const Circuit &circuit, const Costs &costs);

// Which operands a table depends on, and how many.
std::array<bool, 3> operands_that_count(std::uint8_t table);
int support_of(std::uint8_t table);

}  // namespace alnsmith::circuits
