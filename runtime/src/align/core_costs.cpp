// See core_costs.h.
#include "align/core_costs.h"

#include <algorithm>
#include <string>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith::rt::align {
namespace {

// Fitted to what was measured (docs/performance.md).
constexpr CoreCosts kCores[] = {{"znver5", 1.15, 10, 4000}, {"znver4", 1.38, 24, 6000}};

}  // namespace

const CoreCosts &core_costs() {
  static const CoreCosts &own = [core = cpu_class()]() -> const CoreCosts & {
    const auto *found = std::ranges::find(kCores, core, &CoreCosts::core);
    return found == std::end(kCores) ? kCores[0] : *found;
  }();
  return own;
}

}  // namespace alnsmith::rt::align
