// Worker processes that take draws by number and say what came of each.
//
// Processes, so that a kernel that crashes or hangs is a finding and not the end of the run: the draw that it had is
// reported and another worker goes on.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "work.h"

namespace soak {

struct Crew {
  int workers = 1;
  std::uint64_t first = 0, end = UINT64_MAX;  // numbers of draws
  int hang_seconds = 900;                     // a draw that takes longer hangs
  // For what is under way when no more is wanted, beside the time for a failure to be made small; then it is left
  // undone.
  int grace_seconds = 30;
  std::string generator;
};

// Called in the parent: `said` for each draw (work.h); `lost` for one whose worker died or hung, and how. Either
// returns whether to go on. Returns when all draws are done or none is wanted any more; `poll` is asked twice a second.
void run_workers(const Crew &crew, const Order &order, const std::function<bool(const nlohmann::json &)> &said,
                 const std::function<bool(std::uint64_t number, int call, const std::string &how)> &lost,
                 const std::function<bool()> &poll);

// Whether a fault is a driver's own, and tells nothing of our answers. `libraries`: of the frames, the innermost first;
// `kernels`: the folder of the objects that the driver makes of our texts.
bool is_drivers_fault(std::span<const std::string_view> libraries, std::string_view kernels);

}  // namespace soak
