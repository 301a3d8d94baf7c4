// The embedded templates, read once for all kernels of a test program.
#pragma once

#include "frontend/templates.h"

inline const alnsmith::frontend::Templates &own_templates() {
  static const auto parsed = alnsmith::frontend::Templates::parse("");
  return *parsed;
}
