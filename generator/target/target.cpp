// The rows of targets.def as the generator takes them.
#include "target/target.h"

#include <vector>

namespace alnsmith::backend {

namespace {

struct Family {
  std::string_view name;
  Language language;
  std::string_view gates, local, bordered, traced, others, tiles, profile_tiles, traced_tiles;
  int block_warps, registers;
  bool block_border;
};
constexpr Family families[] = {
#define ALN_FAMILY(name, language, ...) {#name, Language::language, __VA_ARGS__},
#include "targets/targets.def"
};

// What a file of kernels is called.
std::string_view extension(Language language) {
  switch (language) {
    case Language::cuda:
      return "cu";
    case Language::hip:
      return "hip";
    default:
      return "cl";
  }
}

std::vector<Target> cpu_rows() {
  std::vector<Target> rows;
  for (const targets::Cpu &row : targets::cpus()) {
    Target t;
    t.name = row.name;
    t.identifier = targets::identifier(row.name);
    t.vector_bytes = row.bytes;
    t.registers = row.registers;
    t.linear_k = row.linear_k;
    t.affine_k = row.affine_k;
    t.preludes = row.preludes;
    t.gates = row.gates;
    t.cpu = &row;
    rows.push_back(std::move(t));
  }
  return rows;
}

std::vector<Target> device_rows() {
  std::vector<Target> rows;
  for (const targets::Device &row : targets::devices())
    for (const Family &family : families) {
      if (family.name != row.family) continue;
      const auto archs = targets::words(row.archs);
      Target t;
      t.name = std::string(targets::kind_name(row.kind)) + (archs.empty() ? "" : ":" + std::string(archs.front()));
      t.identifier = targets::identifier(t.name);
      t.registers = family.registers;
      t.gates = family.gates;
      const auto or_all = [&](std::string_view tiles) { return tiles.empty() ? family.tiles : tiles; };
      t.device = Device{family.language,
                        extension(family.language),
                        row.warp,
                        row.shared << 10,
                        family.local,
                        family.bordered,
                        family.traced,
                        family.others,
                        family.tiles,
                        or_all(family.profile_tiles),
                        or_all(family.traced_tiles),
                        family.block_warps,
                        family.block_border};
      rows.push_back(std::move(t));
    }
  return rows;
}
}  // namespace

std::string Target::flags() const {
  std::string out;
  for (const std::string &flag : targets::compile_flags(*cpu, cpu->machine.empty() ? targets::host_machine() : ""))
    out += (out.empty() ? "" : " ") + flag;
  return out;
}

std::span<const Target> targets() {
  static const std::vector<Target> table = cpu_rows();
  return table;
}

std::span<const Target> device_targets() {
  static const std::vector<Target> table = device_rows();
  return table;
}

const Target *find_target(std::string_view name) {
  const auto parsed = targets::parse(name);
  if (!parsed || !targets::known(*parsed)) return nullptr;
  const bool cpu = parsed->kind == targets::Kind::cpu;
  std::string base = cpu ? parsed->arch : std::string(targets::kind_name(parsed->kind));
  if (parsed->kind == targets::Kind::cuda || parsed->kind == targets::Kind::hip) base += ":" + parsed->arch;
  for (const Target &t : cpu ? targets() : device_targets())
    if (t.name == base) return &t;
  return nullptr;
}

std::string target_names() {
  std::string names;
  for (const auto list : {targets(), device_targets()})
    for (const Target &t : list) names += (names.empty() ? "" : ", ") + t.name;
  return names;
}

}  // namespace alnsmith::backend
