// Passes broken on purpose, each in a way in which a pass is easily broken: the fuzz of passes must find every one.
// Pass 35, settle, has none: it runs other passes until they change nothing, and their mistakes are its own.
#pragma once

#include <span>

#include "passes/passes.h"

namespace broken {

std::span<const alnsmith::passes::Pass> all();

}  // namespace broken
