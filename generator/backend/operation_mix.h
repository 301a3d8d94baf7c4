// The operations of a kernel's hot loop, counted in its IR for the models of CPUs and GPUs (models/).
#pragma once

#include <optional>

#include "ir/ir.h"
#include "models/cpu_model.h"
#include "models/gpu_model.h"
#include "plan/plan.h"

namespace alnsmith::backend {

// Of a row of the tile, loops of known length inside it included. `rows`: how many a turn of the hot loop takes;
// `score_bytes`: of a score in lanes, 1 where bits are.
models::OperationMix row_operations(const ir::Function &function, int rows, int score_bytes);

// Of a step of a device's lane, in the plainest part of the kernel that scores; nothing if there is none.
std::optional<models::StepMix> step_mix(const ir::Function &function, const plan::KernelPlan &kernel,
                                        const models::GpuModel &gpu);

}  // namespace alnsmith::backend
