// Pipe models of devices: how many cells a second the units of a GPU can score, from the operations of a kernel's hot
// loop. The rates are assumptions until they are measured on the device (docs/performance.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/ir.h"
#include "plan/plan.h"

namespace alnsmith::backend {

// Lanes a clock and processor that a unit takes.
struct Pipes {
  std::string_view target, device;
  int processors;
  double ghz;
  double integer;   // additions, maxima, logic, byte permutations
  double multiply;  // integer multiply-adds
  double half;      // packed half-precision
  double issue;     // instructions of all kinds
  double shared;    // words of shared memory
  bool fused;       // packed integer maxima take a third operand or an addition along (DPX)
};
const Pipes *find_pipes(std::string_view target);

// Instructions of one step of a lane: k cells, of `packing` alignments each.
struct StepMix {
  double integer = 0, multiply = 0, half = 0, shared = 0, exchanges = 0;
  double all() const { return integer + multiply + half + shared / 4 + exchanges; }
};
// Of the plainest part of the kernel that scores; nothing if there is none.
std::optional<StepMix> step_mix(const ir::Function &function, const plan::KernelPlan &kernel, const Pipes &pipes);

// In 10^9 cells a second.
double pipe_limit(const Pipes &pipes, const StepMix &mix, const plan::KernelPlan &kernel);

}  // namespace alnsmith::backend
