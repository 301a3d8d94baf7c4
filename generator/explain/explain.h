// `generate --explain`: what a kernel costs, from the IR and from what the compiler made of it.
#pragma once

#include <span>
#include <string>

#include "backend/unit.h"
#include "models/cpu_model.h"
#include "plan/plan.h"

namespace alnsmith {

// A report of the unit's kernels; `path` is the text's file, compiled here if a compiler is found.
// `cores`: whose limits are told.
std::string explain(const plan::Plan &plan, const backend::Unit &unit, const std::string &path,
                    std::span<const models::CpuModel> cores = models::cpu_models());

}  // namespace alnsmith
