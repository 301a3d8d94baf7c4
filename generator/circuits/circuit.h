// Circuits of bit-sliced kernels: the next differences of a cell as a network of gates on their planes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace alnsmith::circuits {

// What a cell computes: z = letters match ? total : max(u, v, floor), u' = z - v, v' = z - u, all of 0 to `total`,
// which is the score of a match and what a gap of one letter costs on either side; `floor` the same of a mismatch, or
// 0. With affine gaps there are x of 0 to the open of insertions and y of 0 to that of deletions besides.
struct Scheme {
  int total, floor;
  std::array<int, 2> opens;  // 0, 0: linear
  auto operator<=>(const Scheme &) const = default;
};

// Bit 4 * a + 2 * b + c of the table, a, b and c being the values numbered so.
struct Gate {
  std::uint8_t table;
  std::array<std::uint16_t, 3> in;
};

// Values are numbered: whether letters are equal, the planes of u, those of v, of x and of y; then what each gate
// computes.
struct Circuit {
  Scheme scheme;
  std::vector<std::uint8_t> difference_code;          // by value: its planes, bit i plane i
  std::array<std::vector<std::uint8_t>, 2> gap_code;  // of x and y; empty if linear
  std::vector<Gate> gates;
  std::vector<std::uint16_t> outputs;  // the planes of u', v', x' and y'

  int difference_planes() const;   // of u, as of v
  int gap_planes(int side) const;  // of x (0), y (1)
  int inputs() const;
};

enum class Gates { three, two };  // inputs of a gate

// Null if there is none.
const Circuit *find(const Scheme &scheme, Gates kind);

}  // namespace alnsmith::circuits
