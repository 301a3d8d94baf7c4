// The passes over the IR, numbered in the order in which they run.
//
// Each is a function on its own file's one idea, legal for every kernel: scores wrap, so integer identities hold for
// them, but maxima and floors do not commute with additions. After each pass the function computes the same values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace alnsmith::passes {

struct Pass {
  int number;
  const char *name;
  const char *purpose;
  void (*run)(ir::Function &);
};

std::span<const Pass> all();

void fold(ir::Function &);           // 10 constants and identities
void number_values(ir::Function &);  // 20 the same operation on the same operands is one value
void hoist(ir::Function &);          // 30 what does not change in a loop leaves it
void settle(ir::Function &);         // 35 the above until nothing changes
void step_last(ir::Function &);      // 40 counters step at the end of a turn
void sweep(ir::Function &);          // 50 what nobody reads goes

// Operations of the hot loop after each pass, for --explain.
struct Trace {
  std::string pass;
  int operations;      // of the whole kernel
  int hot_operations;  // vector operations of the innermost loop
};
std::vector<Trace> run_all(ir::Function &);

}  // namespace alnsmith::passes
