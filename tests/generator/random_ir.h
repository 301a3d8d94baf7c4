// Random well-typed IR: the operations of the table but those that left_out() names, loops, ifs, phis, loads and stores
// that meet, lanes in lock step.
//
// The same seed gives the same function, so a case is named by its seed, and a function that a pass has changed is had
// again by making it anew. All addresses are within the World's memory and all loops end.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/interpreter.h"
#include "ir/ir.h"

namespace random_ir {

// Of the memory that functions run on.
inline constexpr int elements = 8;    // that an index may name, of any array
inline constexpr int plane_bits = 8;  // of a number that load_number takes from planes of bits

// Operations that no function has: they need a matrix, tables of more elements than there are, a whole vector of lanes,
// another thread, or elements that memory says. Passes over them are tested in whole kernels.
bool left_out(std::string_view op);

// Makes function and machine of that seed.
alnsmith::ir::Function make(unsigned seed);
direct::Machine machine_of(unsigned seed);

// What a function did: all memory that it can write, and its result; or why it cannot run.
struct Outcome {
  std::vector<int> scores, totals;
  std::vector<unsigned char> flags, planes;
  int result = 0;
  std::string error;
  bool operator==(const Outcome &) const = default;
};
// A function ready to run, or why it cannot.
struct Ready {
  std::optional<alnsmith::ir::Program> program;
  std::string error;
  bool operator==(const Ready &) const = default;
};
Ready ready(const alnsmith::ir::Function &function, const direct::Machine &machine);
// Runs it on memory filled from `filling`.
Outcome run(const Ready &ready, const direct::Machine &machine, unsigned filling);

// A step of making a function smaller: statement `index` (in order, of the function as made) goes, an operation's value
// being replaced by one of no interest, an if by its branch `variant`, a loop by no turn of it; or what nobody reads.
struct Cut {
  static constexpr std::size_t unread = SIZE_MAX;  // all that nobody reads
  static constexpr int if_unread = 2;              // only an operation that nobody reads
  std::size_t index;
  int variant;
};
void apply(alnsmith::ir::Function &function, std::span<const Cut> cuts);

int statements(const alnsmith::ir::Function &function);

}  // namespace random_ir
