// See target.h.
#include "packs/target.h"

#include <algorithm>
#include <array>

namespace alnsmith::rt::packs {
namespace {

struct KindRow {
  std::string_view name, ending;
};
constexpr std::array<KindRow, 6> kUnitKinds = {{{"shared-object", ".so"},
                                                {"cubin", ".cubin"},
                                                {"ptx", ".ptx"},
                                                {"amd-code-object", ".co"},
                                                {"opencl-c", ".cl"},
                                                {"spirv", ".spv"}}};

}  // namespace

std::string_view unit_kind_name(UnitKind kind) { return kUnitKinds[static_cast<std::size_t>(kind)].name; }
std::string_view unit_kind_ending(UnitKind kind) { return kUnitKinds[static_cast<std::size_t>(kind)].ending; }

std::optional<UnitKind> parse_unit_kind(std::string_view name) {
  for (std::size_t i = 0; i < kUnitKinds.size(); ++i)
    if (kUnitKinds[i].name == name) return static_cast<UnitKind>(i);
  return std::nullopt;
}

std::string PackTarget::name() const {
  std::string text = kind == TargetKind::cpu ? arch : std::string(targets::kind_name(kind));
  if (kind != TargetKind::cpu && !arch.empty()) text += ":" + arch;
  for (const std::string &feature : features) text += ":" + feature;
  return text;
}

std::string PackTarget::base() const {
  if (kind == TargetKind::opencl) return "opencl";
  return kind == TargetKind::cpu ? arch : std::string(targets::kind_name(kind)) + ":" + arch;
}

std::optional<Isa> PackTarget::isa() const {
  if (kind != TargetKind::cpu || machine != targets::host_machine()) return std::nullopt;
  return parse_isa(arch);
}

Result<PackTarget> parse_pack_target(std::string_view name) {
  std::string cpus;
  for (const targets::Cpu &row : targets::cpus()) cpus += (cpus.empty() ? "" : ", ") + std::string(row.name);
  const Error wrong{"target '" + std::string(name.substr(0, 80)) + "': write a CPU's instruction set (" + cpus +
                        "), cuda:sm_NN, cuda:compute_NN, hip:gfxNNN, hip:gfxNNN:FEATURES, opencl or opencl:spirv64",
                    2};
  const auto parsed = targets::parse(name);
  if (!parsed) return wrong;
  PackTarget target;
  static_cast<targets::Name &>(target) = *parsed;
  std::sort(target.features.begin(), target.features.end());
  const bool twice = std::adjacent_find(target.features.begin(), target.features.end()) != target.features.end();
  const bool cpu = target.kind == TargetKind::cpu;
  if (twice || (cpu ? !target.features.empty() || !parse_isa(target.arch)
                    : target.kind != TargetKind::opencl && target.arch.empty()))
    return wrong;
  return target;
}

}  // namespace alnsmith::rt::packs
