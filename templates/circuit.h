// A circuit of the cell of bit-sliced kernels, as the generator gives it to templates: what `generator/circuits` has
// found for a scoring, in numbers.
#pragma once

constexpr int MAX_PLANES = 5;      // of a difference
constexpr int MAX_VALUES = 32;     // that a difference can have
constexpr int MAX_GAP_PLANES = 2;  // of an affine gap's state
constexpr int MAX_GAP_VALUES = 4;
constexpr int MAX_GATES = 96;

struct Circuit {
  int planes;        // of a difference; 0: there is no circuit
  int total, floor;  // sliced.h
  int gates;
  int code[MAX_VALUES];  // of a difference of 0 to `total`: its planes, the lowest bit first
  // Of a gap along the stream side and along the register side: what it costs to open, the planes of its state, 0 where
  // it costs nothing, and their code.
  int open[2], gap_planes[2];
  int gap_code[2][MAX_GAP_VALUES];
  // Of each gate: its table (lut3), and 8, 15 and 22 bits up which values are its operands. Value 0 is whether letters
  // are equal, behind it come the planes of u, v, x and y, then what gates compute.
  int gate[MAX_GATES];
  int output[2 * MAX_PLANES + 2 * MAX_GAP_PLANES];  // values: the planes of u, v, x and y behind the cell
};
