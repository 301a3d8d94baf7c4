// `generate --explain` for devices.
#pragma once

#include <string>

#include "backend/unit.h"
#include "plan/plan.h"

namespace alnsmith {

std::string explain_device(const plan::Plan &plan, const backend::Unit &unit, const std::string &path);

}  // namespace alnsmith
