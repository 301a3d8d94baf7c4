// One translation unit of device kernels: stamp, and per arithmetic a prelude and its kernels.
#pragma once

#include "backend/unit.h"

namespace alnsmith::backend {

Result<Unit> make_device_unit(const spec::Spec &spec, const plan::Plan &plan, const frontend::Templates &templates);

}  // namespace alnsmith::backend
