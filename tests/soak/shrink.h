// Makes a failing case small: first its pairs, then their letters, then the spec's values, each as long as it fails.
#pragma once

#include <chrono>

#include "check.h"

namespace soak {

struct Shrunk {
  Case smallest;
  Failure failure;
};
// `failure`: what `failing` gives. Ends after `limit` at the latest; whatever fails is kept.
Shrunk shrink(Checker &checker, const Case &failing, const Failure &failure, std::chrono::seconds limit);

}  // namespace soak
