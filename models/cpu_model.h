// Port models of CPU cores: how many vector operations a cycle they can start.
//
// Sources: measurements of instruction throughput on an AVX-512 Xeon and on Zen 4 (docs/performance.md); on Zen 5
// `alnsmith tune --calibrate`; of the Neoverse N1 LLVM's scheduling model, after Arm's Software Optimization Guide, at
// Graviton2's clock: not measured.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::models {

struct CpuModel {
  std::string_view name, machine;
  double ghz;
  // Operations a cycle: any, maxima, compares and lookups, saturating subtractions. For 64-byte vectors, then for
  // 16 and 32 bytes.
  double any, maxima, compares, saturating;
  double narrow_any, narrow_maxima, narrow_compares, narrow_saturating;
};

std::span<const CpuModel> cpu_models();

// The core of a file that `alnsmith tune --calibrate` wrote (docs/tuning.md), under this name. Widths that it lacks
// have no limit.
constexpr std::string_view measured_core = "measured core";
Result<CpuModel> parse_core(std::string_view text);

// Vector operations that score one row of a tile.
struct OperationMix {
  double any = 0, maxima = 0, compares = 0, saturating = 0;
  double memory = 0;                                // loads and stores of one score per lane
  std::map<std::string_view, double> by_name = {};  // `any`, by the operation's name
};

// Cells a second in 10^9 that the core's ports allow, for `cells` cells per row; none where the model does not know the
// width.
std::optional<double> port_limit(const CpuModel &cpu, int vector_bytes, const OperationMix &mix, double cells);

}  // namespace alnsmith::models
