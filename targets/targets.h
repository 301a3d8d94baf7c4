// The rows of targets.def, and the one grammar of targets' names. The room below all others: it needs nothing.
//
//   scalar, x86-64-v4, x86-64-v4+vbmi    a CPU's row, and variants
//   cuda:sm_90a, cuda:compute_80         devices: kind, architecture
//   hip:gfx90a:sramecc+:xnack-           and features
//   opencl, opencl:spirv64               OpenCL C, SPIR-V
// In:  names as users, specs and packs give them. Out: their parts, and the rows that they name.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::targets {

enum class Kind { cpu, cuda, hip, opencl };
std::string_view kind_name(Kind kind);  // "cuda"

// The columns are explained in targets.def.
struct Machine {
  std::string_view name;
  int elf;
  std::string_view processor, baseline, tools;
};
struct Cpu {
  std::string_view name, machine;
  int rank;
  bool shipped;
  std::string_view flags, preludes, gates;
  int bytes, registers, linear_k, affine_k;
  std::string_view variants, needs;
};
struct Device {
  Kind kind;
  std::string_view archs, variants;
  int warp, shared, ptx;
  std::string_view family;  // "none": no kernels are generated
};

std::span<const Machine> machines();
std::span<const Cpu> cpus();  // `scalar` first, then by machine, narrow to wide
std::span<const Device> devices();

const Machine *find_machine(std::string_view name);
const Cpu *find_cpu(std::string_view name);
const Device *find_device(Kind kind, std::string_view arch);  // "sm_90", "gfx90a", ""; features are ignored

// NN of the architectures sm_NN, the highest first.
std::vector<int> cuda_capabilities();

// A name's parts. Any well-formed words: whether a row has them is for known() to say.
struct Name {
  Kind kind = Kind::cpu;
  std::string arch;                   // "x86-64-v4", "sm_90a", "gfx90a"; OpenCL: "", "spirv64", of the same texts
  std::vector<std::string> features;  // "vbmi"; "sramecc+", "xnack-"; as given
  auto operator<=>(const Name &) const = default;
};
std::optional<Name> parse(std::string_view text);
// Whether a row has the architecture and these variants, in this order.
bool known(const Name &name);
// Whether both are of one row: variants of an architecture, whose kernels have one text.
bool one_row(const Name &a, const Name &b);
// All that are known without variants, for messages and the nearest name.
std::vector<std::string> known_names();
// A regular expression (ECMAScript) of the names that parse and are known.
std::string pattern();
// Threads that can share an alignment: 64 on gfx9 and OpenCL, else 32; 0 on CPUs.
int largest_p(const Name &name);

// The targets of this process's machine and `scalar`, wide to narrow.
std::vector<const Cpu *> host_cpus();
// Whose measured costs are those of a core that compilers call `name` (models/cpu_model.h); "" where none were
// measured.
std::string_view model_of_core(std::string_view name);
int vector_of_core(std::string_view name);  // bytes that it runs as one; 0: not known
std::string_view host_machine();            // "x86_64"; "unknown" without a row
// "scalar, x86-64-v2, ...": for messages.
std::string names_of(std::span<const Cpu *const> list);
// The shipped ones, wide to narrow: what generated/ and the default pack hold and specs without `targets` ask for.
std::vector<std::string> shipped();

// Any name as a part of C names: letters and digits stay, as in "x86_64_v4".
std::string identifier(std::string_view name);
// The macro that says which target a text is compiled for: "ALN_TARGET_x86_64_v4".
std::string macro(const Cpu &cpu);
// The words that a compiler needs for kernels of a target: its flags and its macro; `scalar` those of any CPU of
// `machine`, which may be empty.
std::vector<std::string> compile_flags(const Cpu &cpu, std::string_view machine);

// What stands between separators; of words() the empty ones are left out.
std::vector<std::string_view> pieces(std::string_view text, char separator);
std::vector<std::string_view> words(std::string_view text, char separator = ' ');

}  // namespace alnsmith::targets
