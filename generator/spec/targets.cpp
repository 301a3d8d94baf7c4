// The table of targets: see targets.h.
#include "spec/targets.h"

#include <array>

namespace alnsmith::spec {
namespace {

struct Family {
  TargetKind kind;
  std::string_view prefix;    // of each name
  std::string_view names;     // separated by blanks
  std::string_view suffixes;  // what may follow once each, in this order, a `|` between alternatives
};

// sm_NNa binds to one architecture, sm_NNf to a family (CUDA 12.9).
constexpr std::array<Family, 6> families = {{
    {TargetKind::cpu, "", "x86-64-v4", "+vbmi +vbmi2 +vnni +bitalg +vpopcntdq +gfni +fp16"},
    {TargetKind::cpu, "", "x86-64-v3 x86-64-v2 scalar", ""},
    {TargetKind::cuda, "cuda:sm_",
     "50 52 53 60 61 62 70 72 75 80 86 87 88 89 90 90a 100 100a 100f 101 101a 101f 103 103a 103f 110 110a 110f 120 "
     "120a 120f 121 121a 121f",
     ""},
    {TargetKind::cuda, "cuda:compute_", "50 52 60 61 70 75 80 86 89 90 90a 100 100a 100f 103 110 120 120a 120f 121",
     ""},
    {TargetKind::hip, "hip:gfx",
     "900 906 908 90a 90c 940 941 942 950 1010 1011 1012 1030 1031 1032 1033 1034 1035 1036 1100 1101 1102 1103 1150 "
     "1151 1152 1153 1200 1201",
     ":sramecc+|:sramecc- :xnack+|:xnack-"},
    {TargetKind::opencl, "", "opencl", ""},
}};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    out.emplace_back(text.substr(0, end));
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

// Takes the family's suffixes off the front of `rest`; false if something else is left.
bool take_suffixes(const Family &family, std::string_view rest, std::vector<std::string> &features) {
  for (const std::string &choice : split(family.suffixes, ' ')) {
    for (const std::string &suffix : split(choice, '|')) {
      // `+vbmi` must not swallow the head of `+vbmi2`
      const char next = rest.size() > suffix.size() ? rest[suffix.size()] : '+';
      if (!rest.starts_with(suffix) || (next != '+' && next != ':')) continue;
      features.push_back(suffix.substr(1));
      rest.remove_prefix(suffix.size());
      break;
    }
  }
  return rest.empty();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '+' || c == '.') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::optional<TargetName> parse_target(std::string_view name) {
  for (const Family &family : families) {
    if (!name.starts_with(family.prefix)) continue;
    for (const std::string &known : split(family.names, ' ')) {
      const std::string_view rest = name.substr(family.prefix.size());
      if (!rest.starts_with(known)) continue;
      TargetName target;
      target.kind = family.kind;
      const size_t colon = family.prefix.find(':');
      target.base = std::string(colon == family.prefix.npos ? family.prefix : family.prefix.substr(colon + 1)) + known;
      if (take_suffixes(family, rest.substr(known.size()), target.features)) return target;
    }
  }
  return std::nullopt;
}

std::vector<std::string> known_targets() {
  std::vector<std::string> out;
  for (const Family &family : families) {
    for (const std::string &name : split(family.names, ' ')) out.push_back(std::string(family.prefix) + name);
  }
  return out;
}

std::string target_pattern() {
  std::string out;
  for (const Family &family : families) {
    out += out.empty() ? "^(?:" : "|";
    out += escaped(family.prefix) + "(?:";
    const auto names = split(family.names, ' ');
    for (size_t i = 0; i < names.size(); ++i) out += (i > 0 ? "|" : "") + escaped(names[i]);
    out += ")";
    for (const std::string &choice : split(family.suffixes, ' ')) out += "(?:" + escaped(choice) + ")?";
  }
  return out + ")$";
}

int largest_p(const TargetName &target) {
  switch (target.kind) {
    case TargetKind::cpu:
      return 0;
    case TargetKind::cuda:
      return 32;
    case TargetKind::opencl:
      return 64;
    case TargetKind::hip:
      return target.base.starts_with("gfx9") ? 64 : 32;
  }
  return 0;
}

}  // namespace alnsmith::spec
