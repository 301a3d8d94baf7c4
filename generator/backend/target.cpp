// The table of targets.
#include "backend/target.h"

namespace alnsmith::backend {

namespace {
constexpr Target table[] = {
    {"scalar", "scalar", 0, 16, "", "scalar.inc", 4, 2},
    {"x86-64-v2", "x86_64_v2", 16, 16, "-march=x86-64-v2", "vector.inc", 8, 4},
    {"x86-64-v3", "x86_64_v3", 32, 16, "-march=x86-64-v3", "vector.inc", 8, 4},
    {"x86-64-v4", "x86_64_v4", 64, 32, "-march=x86-64-v4 -mprefer-vector-width=512", "vector.inc", 10, 8},
};
}

std::span<const Target> targets() { return table; }

const Target *find_target(std::string_view name) {
  for (const Target &t : table)
    if (t.name == name) return &t;
  return nullptr;
}

std::string target_names() {
  std::string names;
  for (const Target &t : table) names += (names.empty() ? "" : ", ") + std::string(t.name);
  return names;
}

}  // namespace alnsmith::backend
