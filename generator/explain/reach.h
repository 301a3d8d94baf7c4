// `text --limits`: what the port and pipe models say that each kernel can reach at best, for `alnsmith tune`.
#pragma once

#include <span>
#include <string>

#include "backend/unit.h"
#include "models/cpu_model.h"
#include "plan/plan.h"

namespace alnsmith {

// {"<entry>": {"AMD Zen 4": 26.5, ...}, ...}: 10^9 cells a second and core, or of a whole device; kernels and cores
// without a model are left out.
std::string limits(const plan::Plan &plan, const backend::Unit &unit,
                   std::span<const models::CpuModel> cores = models::cpu_models());

}  // namespace alnsmith
