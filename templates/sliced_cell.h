// The cell of bit-sliced kernels, as a circuit of gates. Read directly it is what the circuit has to compute: planes
// are decoded, the integer recurrence (sliced.h) is applied to their values, and the results are encoded again.
#pragma once
#include "dialect.h"
#include "spec.h"

// Planes of what goes to the cell at the right, and of what goes to the cell below.
struct ToTheRight {
  vbits u[MAX_PLANES], y[MAX_GAP_PLANES];
};
struct Downwards {
  vbits v[MAX_PLANES], x[MAX_GAP_PLANES];
};

#ifdef ALN_DIRECT

namespace direct {

inline int value_of(const int *codes, int planes, const vbits *plane, int l, int bit) {
  int code = 0;
  for (int p = 0; p < planes; ++p) code |= (plane[p][l] >> bit & 1) << p;
  int value = 0;
  while (codes[value] != code) ++value;
  return value;
}
inline void encode(const int *codes, int planes, int value, vbits *plane, int l, int bit) {
  for (int p = 0; p < planes; ++p) {
    unsigned word = static_cast<unsigned>(plane[p].v[0][l]);
    word = (word & ~(1u << bit)) | static_cast<unsigned>(codes[value] >> p & 1) << bit;
    plane[p].v[0][l] = static_cast<int>(word);
  }
}

}  // namespace direct

inline void next_cell(const Circuit &circuit, vbits equal, ToTheRight &left, Downwards &above) {
  const int planes = circuit.planes, word = direct::machine.word;
  for (int i = 0; i < direct::machine.lanes * word; ++i) {
    const int l = i / word, bit = i % word;
    const int u = direct::value_of(circuit.code, planes, left.u, l, bit);
    const int v = direct::value_of(circuit.code, planes, above.v, l, bit);
    const int down = v + direct::value_of(circuit.gap_code[0], circuit.gap_planes[0], above.x, l, bit);
    const int across = u + direct::value_of(circuit.gap_code[1], circuit.gap_planes[1], left.y, l, bit);
    const int best = equal[l] >> bit & 1 ? circuit.total : max(max(down, across), circuit.floor);
    direct::encode(circuit.code, planes, best - v, left.u, l, bit);
    direct::encode(circuit.code, planes, best - u, above.v, l, bit);
    direct::encode(circuit.gap_code[0], circuit.gap_planes[0], max(down - best + circuit.open[0], 0), above.x, l, bit);
    direct::encode(circuit.gap_code[1], circuit.gap_planes[1], max(across - best + circuit.open[1], 0), left.y, l, bit);
  }
}

#else

constexpr int MAX_INPUTS = 1 + 2 * MAX_PLANES + 2 * MAX_GAP_PLANES;

inline int operand(int gate, int n) { return gate >> (8 + 7 * n) & 127; }

inline void next_cell(const Circuit &circuit, vbits equal, ToTheRight &left, Downwards &above) {
  vbits value[MAX_INPUTS + MAX_GATES];
  const int v = circuit.planes, x = 2 * circuit.planes, y = x + circuit.gap_planes[0],
            outputs = y + circuit.gap_planes[1];
  value[0] = equal;
  for (int p = 0; p < circuit.planes; ++p) {
    value[1 + p] = left.u[p];
    value[1 + v + p] = above.v[p];
  }
  for (int p = 0; p < circuit.gap_planes[0]; ++p) value[1 + x + p] = above.x[p];
  for (int p = 0; p < circuit.gap_planes[1]; ++p) value[1 + y + p] = left.y[p];
  for (int g = 0; g < circuit.gates; ++g) {
    const int gate = circuit.gate[g];
    value[1 + outputs + g] =
        lut3(gate & 255, value[operand(gate, 0)], value[operand(gate, 1)], value[operand(gate, 2)]);
  }
  for (int p = 0; p < circuit.planes; ++p) {
    left.u[p] = value[circuit.output[p]];
    above.v[p] = value[circuit.output[v + p]];
  }
  for (int p = 0; p < circuit.gap_planes[0]; ++p) above.x[p] = value[circuit.output[x + p]];
  for (int p = 0; p < circuit.gap_planes[1]; ++p) left.y[p] = value[circuit.output[y + p]];
}

#endif
