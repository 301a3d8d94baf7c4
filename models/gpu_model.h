// Pipe models of GPUs: how many cells a second their units can score, from the operations of a kernel's hot loop. The
// rates were measured on the device (docs/performance.md).
#pragma once

#include <string_view>

namespace alnsmith::models {

// Lanes a clock and processor that each unit takes.
struct GpuModel {
  std::string_view target, device;
  int processors;
  double ghz;
  double integer;   // maxima, logic, byte permutations, additions of 32 bits
  double multiply;  // integer multiply-adds, packed additions of 16 bits
  double half;      // packed half-precision
  double issue;     // instructions of all kinds
  double shared;    // words of shared memory
  bool fused;       // packed integer maxima take a third operand or an addition along (DPX)
};
const GpuModel *find_gpu_model(std::string_view target);  // null where there is none

// Instructions of one step of a lane: k cells, of as many alignments each as share a register.
struct StepMix {
  double integer = 0, multiply = 0, half = 0, shared = 0, exchanges = 0;
  double all() const { return integer + multiply + half + shared / 4 + exchanges; }
};

// In 10^9 cells a second, for `cells` cells per step.
double pipe_limit(const GpuModel &gpu, const StepMix &mix, double cells);

}  // namespace alnsmith::models
