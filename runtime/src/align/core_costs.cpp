// See core_costs.h.
#include "align/core_costs.h"

#include <algorithm>
#include <string>

#include "base/isa.h"

namespace alnsmith::rt::align {
namespace {

// Fitted to what was measured (docs/performance.md).
constexpr CoreCosts kCores[] = {{"AMD Zen 5", 1.15, 10, 4000, 2000, 1.26, false},
                                {"AMD Zen 4", 1.38, 24, 6000, 2200, 0.85, false},
                                {"Intel AVX-512", 1.15, 10, 4000, 2000, 1.26, true}};

}  // namespace

const CoreCosts &core_costs() {
  static const CoreCosts &own = [core = core_model()]() -> const CoreCosts & {
    const auto *found = std::ranges::find(kCores, core, &CoreCosts::core);
    return found == std::end(kCores) ? kCores[0] : *found;
  }();
  return own;
}

}  // namespace alnsmith::rt::align
