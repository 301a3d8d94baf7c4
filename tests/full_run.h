// Whether tests take whole data sets and all draws where the default takes samples: tools/test --full.
#pragma once

#include <cstdlib>

namespace sample {

// ALNSMITH_FULL=1; set and empty is not set.
inline bool full() {
  const char *value = std::getenv("ALNSMITH_FULL");
  return value != nullptr && *value != '\0';
}

}  // namespace sample
