// See target.hpp.
#include "packs/target.hpp"

#include <algorithm>
#include <array>

namespace alnsmith::rt {
namespace {

constexpr std::array<std::string_view, 4> kTargetKinds = {"cpu", "cuda", "hip", "opencl"};

struct KindRow {
  std::string_view name, ending;
};
constexpr std::array<KindRow, 6> kUnitKinds = {{{"shared-object", ".so"},
                                                {"cubin", ".cubin"},
                                                {"ptx", ".ptx"},
                                                {"amd-code-object", ".co"},
                                                {"opencl-c", ".cl"},
                                                {"spirv", ".spv"}}};

bool is_word(std::string_view word) {
  return !word.empty() && word.size() <= 64 && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '+';
  });
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t colon = text.find(':');
    words.emplace_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return words;
    text.remove_prefix(colon + 1);
  }
}

bool is_feature(std::string_view word) { return word.size() > 1 && (word.back() == '+' || word.back() == '-'); }

}  // namespace

std::string_view target_kind_name(TargetKind kind) { return kTargetKinds[static_cast<std::size_t>(kind)]; }
std::string_view unit_kind_name(UnitKind kind) { return kUnitKinds[static_cast<std::size_t>(kind)].name; }
std::string_view unit_kind_ending(UnitKind kind) { return kUnitKinds[static_cast<std::size_t>(kind)].ending; }

std::optional<UnitKind> parse_unit_kind(std::string_view name) {
  for (std::size_t i = 0; i < kUnitKinds.size(); ++i)
    if (kUnitKinds[i].name == name) return static_cast<UnitKind>(i);
  return std::nullopt;
}

std::string_view host_machine() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv64";
#elif defined(__powerpc64__)
  return "ppc64";
#else
  return "unknown";
#endif
}

std::string PackTarget::name() const {
  std::string text = kind == TargetKind::cpu ? arch : std::string(target_kind_name(kind));
  if (kind != TargetKind::cpu && !arch.empty()) text += ":" + arch;
  for (const std::string &feature : features) text += ":" + feature;
  return text;
}

std::string PackTarget::base() const {
  if (kind == TargetKind::opencl) return "opencl";
  return kind == TargetKind::cpu ? arch : std::string(target_kind_name(kind)) + ":" + arch;
}

std::optional<Isa> PackTarget::isa() const {
  if (kind != TargetKind::cpu || machine != host_machine()) return std::nullopt;
  return parse_isa(arch);
}

Result<PackTarget> parse_pack_target(std::string_view name) {
  const Error wrong{"target '" + std::string(name.substr(0, 80)) +
                        "': write a CPU's instruction set (x86-64-v4, x86-64-v3, x86-64-v2, scalar), cuda:sm_NN, "
                        "cuda:compute_NN, hip:gfxNNN, hip:gfxNNN:FEATURES, opencl or opencl:spirv64",
                    2};
  PackTarget target;
  auto words = words_of(name);
  if (!std::all_of(words.begin(), words.end(), is_word)) return wrong;
  if (words.size() == 1 && words[0] != "opencl") {
    target.arch = words[0];
    if (!parse_isa(target.arch)) return wrong;
    return target;
  }
  const auto kind = std::find(kTargetKinds.begin() + 1, kTargetKinds.end(), words[0]);
  if (kind == kTargetKinds.end()) return wrong;
  target.kind = static_cast<TargetKind>(kind - kTargetKinds.begin());
  if (words.size() > 1) target.arch = words[1];
  if (words.size() > 2) target.features.assign(words.begin() + 2, words.end());
  std::sort(target.features.begin(), target.features.end());
  const bool twice = std::adjacent_find(target.features.begin(), target.features.end()) != target.features.end();
  const bool features = target.kind == TargetKind::hip &&
                        std::all_of(target.features.begin(), target.features.end(), is_feature) && !twice;
  if (!target.features.empty() && !features) return wrong;
  if (target.kind == TargetKind::cuda && !target.arch.starts_with("sm_") && !target.arch.starts_with("compute_"))
    return wrong;
  if (target.kind == TargetKind::hip && !target.arch.starts_with("gfx")) return wrong;
  if (target.kind == TargetKind::opencl && !target.arch.empty() && target.arch != "spirv64") return wrong;
  return target;
}

}  // namespace alnsmith::rt
