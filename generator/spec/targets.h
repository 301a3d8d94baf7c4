// Names of targets: what `targets:` and the command line's --target accept.
//
// x86-64-v2, x86-64-v3, x86-64-v4 (with +features), scalar, cuda:sm_90a, cuda:compute_80, hip:gfx90a:xnack-,
// opencl. One table of known names serves the check, the nearest name and the JSON schema's pattern.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::spec {

enum class TargetKind { cpu, cuda, hip, opencl };

struct TargetName {
  TargetKind kind = TargetKind::cpu;
  std::string base;                   // x86-64-v4, scalar, sm_90a, compute_80, gfx90a, opencl
  std::vector<std::string> features;  // vbmi; xnack-
};

// Nothing for a name that no table knows.
std::optional<TargetName> parse_target(std::string_view name);

// All names without features, for messages.
std::vector<std::string> known_targets();

// A regular expression (ECMAScript) that matches exactly what parse_target accepts.
std::string target_pattern();

// Lanes per alignment that a GPU target can have at most: 64 on gfx9 and OpenCL, else 32; 0 on CPUs.
int largest_p(const TargetName &target);

}  // namespace alnsmith::spec
