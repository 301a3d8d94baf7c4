// Which targets this CPU and operating system run: CPUID, and XGETBV for the register state that the system saves; on
// Linux for Arm what the kernel says.  In: a row's features, and ALNSMITH_ISA.  Out: the highest rank of which all
// features are there, and the CPU's class; `scalar` and `generic` on other processors.
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <cstdlib>
#include <cstring>

#include "base/isa.h"

namespace alnsmith {
namespace {

#if defined(__x86_64__)
struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

// Leaf `leaf`, subleaf 0; zeros where the CPU does not have the leaf.
Registers cpuid(unsigned leaf) {
  Registers r;
  if (__get_cpuid_max(leaf & 0x80000000u, nullptr) < leaf) return r;
  __cpuid_count(leaf, 0, r.a, r.b, r.c, r.d);
  return r;
}

// Where CPUID says it, and what of XCR0 the system must save: 0x06 XMM and YMM, 0xE6 opmask and ZMM too.
struct Feature {
  std::string_view name;
  unsigned leaf;
  unsigned Registers::*word;
  int bit;
  unsigned state = 0;
};
constexpr Feature kFeatures[] = {
    {"sse3", 1, &Registers::c, 0},
    {"ssse3", 1, &Registers::c, 9},
    {"cx16", 1, &Registers::c, 13},
    {"sse4.1", 1, &Registers::c, 19},
    {"sse4.2", 1, &Registers::c, 20},
    {"popcnt", 1, &Registers::c, 23},
    {"lahf", 0x80000001u, &Registers::c, 0},
    {"fma", 1, &Registers::c, 12, 0x06},
    {"movbe", 1, &Registers::c, 22},
    {"osxsave", 1, &Registers::c, 27},
    {"avx", 1, &Registers::c, 28, 0x06},
    {"f16c", 1, &Registers::c, 29, 0x06},
    {"bmi1", 7, &Registers::b, 3},
    {"avx2", 7, &Registers::b, 5, 0x06},
    {"bmi2", 7, &Registers::b, 8},
    {"lzcnt", 0x80000001u, &Registers::c, 5},
    {"avx512f", 7, &Registers::b, 16, 0xE6},
    {"avx512dq", 7, &Registers::b, 17, 0xE6},
    {"avx512cd", 7, &Registers::b, 28, 0xE6},
    {"avx512bw", 7, &Registers::b, 30, 0xE6},
    {"avx512vl", 7, &Registers::b, 31, 0xE6},
    {"avx512fp16", 7, &Registers::d, 23, 0xE6},
    {"amx-tile", 7, &Registers::d, 24},
};

// XCR0: which register files the operating system saves. Only valid where OSXSAVE is set.
unsigned saved_state() {
  if (!(cpuid(1).c >> 27 & 1u)) return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool has(std::string_view name) {
  for (const Feature &f : kFeatures)
    if (f.name == name) return (cpuid(f.leaf).*f.word >> f.bit & 1u) && (f.state & ~saved_state()) == 0;
  return false;
}

// Microarchitectures by family and range of models, as in the lists of GCC and LLVM.
struct Class {
  std::string_view vendor;
  unsigned family, first_model, last_model;
  std::string_view name;
};
constexpr Class kClasses[] = {
    {"AuthenticAMD", 23, 0x30, 0xff, "znver2"},        {"AuthenticAMD", 25, 0x10, 0x1f, "znver4"},
    {"AuthenticAMD", 25, 0x60, 0x7f, "znver4"},        {"AuthenticAMD", 25, 0xa0, 0xaf, "znver4"},
    {"AuthenticAMD", 25, 0x00, 0x5f, "znver3"},        {"AuthenticAMD", 26, 0x00, 0x77, "znver5"},
    {"GenuineIntel", 6, 0x55, 0x55, "skylake-avx512"}, {"GenuineIntel", 6, 0x6a, 0x6c, "icelake-server"},
    {"GenuineIntel", 6, 0x8f, 0x8f, "sapphirerapids"}, {"GenuineIntel", 6, 0xcf, 0xcf, "emeraldrapids"},
    {"GenuineIntel", 6, 0xad, 0xae, "graniterapids"},
};

std::string hardware_class() {
  const Registers zero = cpuid(0), one = cpuid(1);
  char vendor[13] = {};
  std::memcpy(vendor, &zero.b, 4);
  std::memcpy(vendor + 4, &zero.d, 4);
  std::memcpy(vendor + 8, &zero.c, 4);
  unsigned family = one.a >> 8 & 15u, model = one.a >> 4 & 15u;
  if (family == 6 || family == 15) model += (one.a >> 16 & 15u) << 4;
  if (family == 15) family += one.a >> 20 & 255u;
  for (const Class &known : kClasses)
    if (known.vendor == vendor && known.family == family && model >= known.first_model && model <= known.last_model)
      return std::string(known.name);
  // Virtual machines give models that their cores are not. Intel's servers from Sapphire Rapids on, whose vector ports
  // are alike, are the only cores with both of these.
  if (std::string_view(vendor) == "GenuineIntel" && family == 6 && has("avx512fp16") && has("amx-tile"))
    return "sapphirerapids";
  return std::string(vendor) + "-" + std::to_string(family) + "-" + std::to_string(model);
}
#else
std::string hardware_class() { return "generic"; }
#if defined(__aarch64__)
bool has(std::string_view name) { return name == "asimd" && (::getauxval(AT_HWCAP) & HWCAP_ASIMD); }
#else
bool has(std::string_view) { return false; }
#endif
#endif

Isa hardware_isa() {
  Isa best;
  for (const targets::Cpu &row : targets::cpus()) {
    if (row.machine != targets::host_machine()) continue;
    for (const auto need : targets::words(row.needs))
      if (!has(need)) return best;
    best = {row.machine, row.rank};
  }
  return best;
}

}  // namespace

std::string cpu_class() { return hardware_class(); }

std::string_view isa_name(Isa isa) {
  const targets::Cpu *row = rt::row_of(isa);
  return row ? row->name : std::string_view();
}

std::optional<Isa> parse_isa(std::string_view name) {
  const targets::Cpu *row = targets::find_cpu(name);
  if (!row) return std::nullopt;
  return Isa{row->machine, row->rank};
}

Result<Isa> best_isa() {
  static const Isa hardware = hardware_isa();
  const char *cap = std::getenv("ALNSMITH_ISA");
  if (!cap || !*cap) return hardware;
  auto isa = rt::host_isa("ALNSMITH_ISA", cap);
  return isa ? rt::narrower(*isa, hardware) : isa;
}

namespace rt {

const targets::Cpu *row_of(Isa isa) {
  for (const targets::Cpu &row : targets::cpus())
    if (row.machine == isa.machine && row.rank == isa.rank) return &row;
  return nullptr;
}

Result<Isa> host_isa(std::string_view asker, std::string_view name) {
  const auto list = targets::host_cpus();
  for (const targets::Cpu *row : list)
    if (row->name == name) return Isa{row->machine, row->rank};
  return Error{std::string(asker) + " is '" + std::string(name) + "'; use one of " + targets::names_of(list), 2};
}

std::vector<Isa> up_to(Isa widest) {
  std::vector<Isa> list;
  for (const targets::Cpu *row : targets::host_cpus())
    if (const Isa isa{row->machine, row->rank}; isa <= widest) list.push_back(isa);
  return list;
}

}  // namespace rt
}  // namespace alnsmith
