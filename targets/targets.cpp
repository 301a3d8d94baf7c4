// The tables, and the grammar of names.  See targets.h.
#include "targets/targets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "targets/rows.h"

namespace alnsmith::targets {
namespace {

constexpr Machine machine_table[] = {
#define ALN_MACHINE(name, elf, processor, baseline, tools) {name, elf, processor, baseline, tools},
#include "targets/targets.def"
};
constexpr Cpu cpu_table[] = {
#define ALN_CPU(name, machine, rank, shipped, flags, preludes, gates, bytes, registers, linear_k, affine_k, variants, \
                needs)                                                                                                \
  {name, machine, rank, shipped, flags, preludes, gates, bytes, registers, linear_k, affine_k, variants, needs},
#include "targets/targets.def"
};
struct Core {
  std::string_view name, model;
  int vector;
};
constexpr Core core_table[] = {
#define ALN_CORE(name, model, vector) {name, model, vector},
#include "targets/targets.def"
};
constexpr Device device_table[] = {
#define ALN_DEVICE(kind, archs, variants, warp, shared, ptx, family) \
  {Kind::kind, archs, variants, warp, shared, ptx, #family},
#include "targets/targets.def"
};

constexpr std::array<std::string_view, 4> kind_names = {"cpu", "cuda", "hip", "opencl"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Letters and digits; `besides` may stand among them. Nothing else ends up in names of files and compilers' arguments.
bool is_word(std::string_view text, std::string_view besides = "") {
  return !text.empty() && text.size() <= 64 && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || besides.find(c) != std::string_view::npos; });
}

bool is_architecture(Kind kind, std::string_view arch) {
  const auto behind = [&](std::string_view prefix, std::string_view besides) {
    return arch.starts_with(prefix) && is_word(arch.substr(prefix.size()), besides);
  };
  if (kind == Kind::cuda) return behind("sm_", "") || behind("compute_", "");
  if (kind == Kind::hip) return behind("gfx", "-");  // gfx9-4-generic
  return arch.empty() || arch == "spirv64";
}

bool is_feature(std::string_view word) {
  return word.size() > 1 && (word.back() == '+' || word.back() == '-') && is_word(word.substr(0, word.size() - 1));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '+' || c == '.') out += '\\';
    out += c;
  }
  return out;
}

std::string alternatives(std::string_view list, char separator) {
  std::string out;
  for (const auto word : words(list, separator)) out += (out.empty() ? "(?:" : "|") + escaped(word);
  return out + ")";
}

// The variants of a row as a pattern: each may be missing.
std::string variants_pattern(std::string_view variants) {
  std::string out;
  for (const auto choice : words(variants)) out += alternatives(choice, '|') + "?";
  return out;
}

}  // namespace

std::string_view kind_name(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == text.npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view text, char separator) {
  auto out = pieces(text, separator);
  std::erase(out, "");
  return out;
}

std::span<const Machine> machines() { return machine_table; }
std::span<const Cpu> cpus() { return cpu_table; }
std::span<const Device> devices() { return device_table; }

const Machine *find_machine(std::string_view name) { return row_named(machine_table, name); }

const Cpu *find_cpu(std::string_view name) { return row_named(cpu_table, name); }

const Device *find_device(Kind kind, std::string_view arch) {
  arch = arch.substr(0, arch.find(':'));
  for (const Device &row : device_table) {
    const auto archs = words(row.archs);
    if (row.kind == kind && (kind == Kind::opencl || std::ranges::find(archs, arch) != archs.end())) return &row;
  }
  return nullptr;
}

std::vector<int> cuda_capabilities() {
  std::vector<int> out;
  for (const Device &row : device_table)
    for (const auto arch : words(row.archs)) {
      int number = 0;
      const char *const end = arch.data() + arch.size();
      if (arch.starts_with("sm_") && std::from_chars(arch.data() + 3, end, number).ptr == end) out.push_back(number);
    }
  std::ranges::sort(out, std::greater{});
  return out;
}

std::optional<Name> parse(std::string_view text) {
  auto parts = pieces(text, ':');
  const auto *kind = std::find(kind_names.begin() + 1, kind_names.end(), parts[0]);
  Name name;
  if (kind == kind_names.end()) {
    parts = pieces(text, '+');
    name.arch = parts[0];
    name.features.assign(parts.begin() + 1, parts.end());
    const bool plain = std::ranges::all_of(name.features, [](const auto &word) { return is_word(word); });
    if (!is_word(name.arch, "-") || !plain) return std::nullopt;
    return name;
  }
  name.kind = static_cast<Kind>(kind - kind_names.begin());
  if (parts.size() > 1) name.arch = parts[1];
  if (parts.size() > 2) name.features.assign(parts.begin() + 2, parts.end());
  if (!is_architecture(name.kind, name.arch) || (parts.size() > 1 && name.arch.empty())) return std::nullopt;
  if (!name.features.empty() && (name.kind != Kind::hip || !std::ranges::all_of(name.features, is_feature)))
    return std::nullopt;
  return name;
}

bool one_row(const Name &a, const Name &b) { return a.kind == b.kind && (a.arch == b.arch || a.kind == Kind::opencl); }

bool known(const Name &name) {
  std::string_view variants;
  char mark = '+';
  if (name.kind == Kind::cpu) {
    const Cpu *row = find_cpu(name.arch);
    if (!row) return false;
    variants = row->variants;
  } else {
    const Device *row = find_device(name.kind, name.arch);
    if (!row) return false;
    variants = row->variants;
    mark = ':';
  }
  auto next = name.features.begin();
  for (const auto choice : words(variants))
    for (const auto variant : words(choice, '|'))
      if (next != name.features.end() && variant == mark + *next) {
        ++next;
        break;
      }
  return next == name.features.end();
}

std::vector<std::string> known_names() {
  std::vector<std::string> out;
  for (const Cpu &row : cpu_table) out.emplace_back(row.name);
  for (const Device &row : device_table) {
    if (row.kind == Kind::opencl) out.emplace_back(kind_name(row.kind));
    for (const auto arch : words(row.archs)) out.push_back(std::string(kind_name(row.kind)) + ":" + std::string(arch));
  }
  return out;
}

std::string pattern() {
  std::string out;
  const auto add = [&](const std::string &text) { out += (out.empty() ? "^(?:" : "|") + text; };
  for (const Cpu &row : cpu_table) add(escaped(row.name) + variants_pattern(row.variants));
  for (const Kind kind : {Kind::cuda, Kind::hip}) {
    // Rows of a kind have the same variants.
    std::string archs;
    std::string_view variants;
    for (const Device &row : device_table)
      if (row.kind == kind) archs += (archs.empty() ? "" : " ") + std::string(row.archs), variants = row.variants;
    add(std::string(kind_name(kind)) + ":" + alternatives(archs, ' ') + variants_pattern(variants));
  }
  add(std::string(kind_name(Kind::opencl)) + "(?::spirv64)?");
  return out + ")$";
}

int largest_p(const Name &name) {
  const Device *row = name.kind == Kind::cpu ? nullptr : find_device(name.kind, name.arch);
  if (!row) return 0;
  return row->warp > 0 ? row->warp : 64;
}

static const Core *find_core(std::string_view name) { return row_named(core_table, name); }

std::string_view model_of_core(std::string_view name) {
  const Core *core = find_core(name);
  return core ? core->model : std::string_view();
}

int vector_of_core(std::string_view name) {
  const Core *core = find_core(name);
  return core ? core->vector : 0;
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

std::vector<const Cpu *> host_cpus() {
  std::vector<const Cpu *> out;
  for (const Cpu &row : cpu_table)
    if (row.machine.empty() || row.machine == host_machine()) out.push_back(&row);
  std::ranges::reverse(out);
  return out;
}

std::string names_of(std::span<const Cpu *const> list) {
  std::string out;
  for (const Cpu *row : list) out += (out.empty() ? "" : ", ") + std::string(row->name);
  return out;
}

std::vector<std::string> shipped() {
  std::vector<std::string> out;
  for (const Cpu &row : cpu_table)
    if (row.shipped) out.emplace_back(row.name);
  std::ranges::reverse(out);
  return out;
}

std::string identifier(std::string_view name) {
  std::string out(name);
  const auto stays = [](char c) { return is_letter(c) || (c >= 'A' && c <= 'Z'); };
  std::ranges::replace_if(out, [&](char c) { return !stays(c); }, '_');
  return out;
}

std::string macro(const Cpu &cpu) { return "ALN_TARGET_" + identifier(cpu.name); }

std::vector<std::string> compile_flags(const Cpu &cpu, std::string_view machine) {
  const Machine *own = find_machine(machine);
  std::vector<std::string> out;
  for (const auto flag : words(cpu.machine.empty() && own ? own->baseline : cpu.flags)) out.emplace_back(flag);
  if (!cpu.machine.empty()) out.push_back("-D" + macro(cpu));
  return out;
}

}  // namespace alnsmith::targets
