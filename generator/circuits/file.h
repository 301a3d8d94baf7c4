// Circuits as files (docs/circuits.md): YAML that people can read, with what its gates weigh on each set of gates and
// how it was searched, so that a search can go on.
#pragma once

#include <cstdint>
#include <string>

#include "alnsmith/result.hpp"
#include "circuits/circuit.h"

namespace alnsmith::circuits {

// How far a search is; a circuit that was not searched has no rounds.
struct Progress {
  std::string gates;  // the gate set whose weight was made small
  std::uint64_t seed = 0;
  int steps = 0;  // a round
  int rounds = 0;
  bool operator==(const Progress &) const = default;
};

struct CircuitFile {
  Circuit circuit;
  Progress progress;
  bool operator==(const CircuitFile &) const = default;
};

std::string write(const CircuitFile &file);

// Refused, with file, line and column: what is no circuit, what refers to values that are not there, and what does not
// compute the recurrence. `name` is for messages.
Result<CircuitFile> read(const std::string &text, const std::string &name);

}  // namespace alnsmith::circuits
