// A circuit of the cell of bit-sliced kernels, as the generator gives it to templates: what `generator/circuits` has
// found for a scoring, in numbers.
#pragma once

constexpr int MAX_PLANES = 5;      // of a difference
constexpr int MAX_VALUES = 32;     // that a difference can have
constexpr int MAX_GAP_PLANES = 2;  // of an affine gap's state
constexpr int MAX_GAP_VALUES = 4;
constexpr int MAX_GATES = 96;

struct Circuit {
#define ALN_CIRCUIT_NUMBER(name) int name;
#define ALN_CIRCUIT_LIST(name, extents) int name extents;
#include "circuit.def"
};
