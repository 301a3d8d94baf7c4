// Which instruction sets this CPU and operating system run: CPUID, and XGETBV for the register state
// that the system saves.  In: CPUID and ALNSMITH_ISA.  Out: one of four levels, and the CPU's class; `scalar` and
// `generic` on other processors.
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <cstdlib>
#include <cstring>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"scalar", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

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

bool has(unsigned word, std::initializer_list<int> bits) {
  for (int bit : bits)
    if (!(word >> bit & 1u)) return false;
  return true;
}

// XCR0: which register files the operating system saves. Only valid where OSXSAVE is set.
unsigned saved_state() {
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

Isa hardware_isa() {
  const Registers one = cpuid(1), seven = cpuid(7), extended = cpuid(0x80000001u);
  // SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT; LAHF
  if (!has(one.c, {0, 9, 13, 19, 20, 23}) || !has(extended.c, {0})) return Isa::scalar;
  // FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
  if (!has(one.c, {12, 22, 27, 28, 29}) || !has(seven.b, {3, 5, 8}) || !has(extended.c, {5})) return Isa::x86_64_v2;
  const unsigned state = saved_state();
  if ((state & 0x06u) != 0x06u) return Isa::x86_64_v2;  // XMM and YMM
  // AVX512F, DQ, CD, BW, VL
  if (!has(seven.b, {16, 17, 28, 30, 31})) return Isa::x86_64_v3;
  return (state & 0xE6u) == 0xE6u ? Isa::x86_64_v4 : Isa::x86_64_v3;  // also opmask and ZMM
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
  return std::string(vendor) + "-" + std::to_string(family) + "-" + std::to_string(model);
}
#else
Isa hardware_isa() { return Isa::scalar; }
std::string hardware_class() { return "generic"; }
#endif

}  // namespace

std::string cpu_class() { return hardware_class(); }

std::string_view isa_name(Isa isa) { return kNames[static_cast<std::size_t>(isa)]; }

std::optional<Isa> parse_isa(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Isa>(i);
  return std::nullopt;
}

Result<Isa> best_isa() {
  static const Isa hardware = hardware_isa();
  const char *cap = std::getenv("ALNSMITH_ISA");
  if (!cap || !*cap) return hardware;
  const auto parsed = parse_isa(cap);
  if (!parsed)
    return Error{"ALNSMITH_ISA is '" + std::string(cap) + "'; use scalar, x86-64-v2, x86-64-v3 or x86-64-v4", 2};
  return std::min(*parsed, hardware);
}

}  // namespace alnsmith
