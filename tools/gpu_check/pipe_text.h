// Kernels that issue nothing but chosen operations, to time them: as CUDA text, one kernel an operation and pair.
//
// In:  the architecture. Out: text that includes nothing, and what its kernels are. Each kernel takes (int turns,
//      unsigned b, unsigned c, unsigned *out, long long *clocks) and stores the clocks that a block needed.
#pragma once

#include "index.h"

namespace alnsmith::check {

constexpr int kPipeThreads = 1024;        // of a block; a block per processor
constexpr std::size_t kPipeShared = 640;  // bytes of dynamic shared memory

struct PipeText {
  std::string text;
  std::vector<PipeEntry> kernels;
};
PipeText pipe_text(int architecture);  // 90

}  // namespace alnsmith::check
