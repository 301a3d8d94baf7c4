// Port models of the cores that docs/performance.md measures: how many vector operations a cycle they can start.
//
// Sources: shared measurements of instruction throughput on an AVX-512 Xeon and on Zen 4 (docs/performance.md); of the
// Neoverse N1 LLVM's scheduling model, after Arm's Software Optimization Guide, at Graviton2's clock: not measured.
#pragma once

#include <map>
#include <span>
#include <string_view>

#include "ir/ir.h"

namespace alnsmith::backend {

struct Core {
  std::string_view name, machine;
  double ghz;
  // Operations a cycle: any, maxima, compares and lookups, saturating subtractions. For 64-byte vectors, then for
  // 16 and 32 bytes.
  double any, maxima, compares, saturating;
  double narrow_any, narrow_maxima, narrow_compares, narrow_saturating;
};

std::span<const Core> cores();

// Vector operations that score a row of a tile, nested loops of known length included.
struct OperationMix {
  double any = 0, maxima = 0, compares = 0, saturating = 0;
  double memory = 0;                                // loads and stores of one score a lane
  std::map<std::string_view, double> by_name = {};  // `any`, by the operation's name
};
// `rows`: that a turn of the kernel's hot loop takes.
OperationMix row_operations(const ir::Function &function, int rows);

// Cells a second in 10^9 that the core's ports allow, for `cells` cells a row.
double port_limit(const Core &core, int vector_bytes, const OperationMix &mix, double cells);

}  // namespace alnsmith::backend
