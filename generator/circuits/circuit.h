// Circuits of bit-sliced kernels: the next differences of a cell as a network of gates on their planes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace alnsmith::circuits {

// What a cell computes: z = letters match ? total : max(u + y, v + x, floor), u' = z - v, v' = z - u, all of 0 to
// `total`, which is the score of a match and what a gap of one letter costs on either side; `floor` the same of a
// mismatch, or 0. With affine gaps there are x of 0 to the open of insertions and y of 0 to that of deletions besides.
struct Scheme {
  int total, floor;
  std::array<int, 2> opens;  // 0, 0: linear
  auto operator<=>(const Scheme &) const = default;
};

// Bit 4 * a + 2 * b + c of the table, a, b and c being the values numbered so.
struct Gate {
  std::uint8_t table;
  std::array<std::uint16_t, 3> in;
  bool operator==(const Gate &) const = default;
};

// Which code stands for a value, by the value: bit i is plane i. Of differences, of x and of y; empty where a gap opens
// for nothing.
struct Codes {
  std::vector<std::uint8_t> difference;
  std::array<std::vector<std::uint8_t>, 2> gap;
  bool operator==(const Codes &) const = default;
};

// Values are numbered: whether letters are equal, the planes of u, those of v, of x and of y; then what each gate
// computes.
struct Circuit {
  Scheme scheme;
  Codes codes;
  std::vector<Gate> gates;
  std::vector<std::uint16_t> outputs;  // the planes of u', v', x' and y'

  int difference_planes() const;   // of u, as of v
  int gap_planes(int side) const;  // of x (0), y (1)
  int inputs() const;
  bool operator==(const Circuit &) const = default;
};

// Planes of codes.
int planes_of(const std::vector<std::uint8_t> &code);

// The planes of u, v, x and y, as names: u0, u1, and so on. In the order of values, and of outputs.
std::vector<std::string> plane_names(const Codes &codes);

// "match 2, ... " is many specs' scheme, so it is told as it stands: "total 4, floor 1, open 0 and 0".
std::string text_of(const Scheme &scheme);

}  // namespace alnsmith::circuits
