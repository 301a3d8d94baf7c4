// One draw from start to end: what a worker process does, and what it says of it as one line of JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "check.h"

namespace soak {

struct Order {
  std::uint64_t seed = 1;
  std::optional<Route> only;
  std::string target;      // empty: all
  std::vector<Case> kept;  // checked as they stand, instead of draws
  int shrink_seconds = 60;
};

// {"number", "route", "seconds", "counts", "skipped"?, "failure"?}; null where the draw is not of the wanted route.
// `at_call` is told of each call before it is made.
nlohmann::json work(const Order &order, std::uint64_t number, Checker &checker,
                    const std::function<void(int)> &at_call);
// What such a call is.
Case call_of(const Order &order, std::uint64_t number, int call);

// What a failure says: {"what", "who", "got", "expected", "case", "number"}.
nlohmann::json failure_json(const Failure &failure, const Case &c, std::uint64_t number);

}  // namespace soak
