// The rows of arithmetics.def, by name, and the layouts of letters that go with them.
//
// In:  names as specs, manifests and tables of targets give them. Out: rows; a constant for each name, so that a
//      misspelt one does not compile.
#pragma once

#include <array>
#include <string_view>

#include "targets/rows.h"

namespace alnsmith::targets {

enum class Machines { cpus, devices, both };
enum class Numbers { integers, halves, floats };

// The columns are explained in arithmetics.def.
struct Arithmetic {
  std::string_view name;
  Machines machines;
  int bits, packing;
  Numbers sums, maxima;

  constexpr bool on_cpus() const { return machines != Machines::devices; }
  constexpr bool on_devices() const { return machines != Machines::cpus; }
  // Keeps no scores but bits of their differences.
  constexpr bool sliced() const { return bits == 1; }
};

inline constexpr auto kArithmetics = std::to_array<Arithmetic>({
#define ALN_ARITHMETIC(name, machines, bits, packing, sums, maxima) \
  {#name, Machines::machines, bits, packing, Numbers::sums, Numbers::maxima},
#include "targets/arithmetics.def"
});

// Null where no row has the name.
constexpr const Arithmetic *find_arithmetic(std::string_view name) { return row_named(kArithmetics, name); }

namespace arithmetics {
#define ALN_ARITHMETIC(name, ...) inline constexpr std::string_view name = #name;
#include "targets/arithmetics.def"
}  // namespace arithmetics

// How letters lie in what kernels read, as manifests name it (docs/manifest.md): a byte each, side by side by lane or
// sequence by sequence; or planes of bits.
namespace layouts {
inline constexpr std::string_view lanes = "lanes-u8-v1", sequences = "sequences-u8-v1", planes = "planes-u1-v1";
}  // namespace layouts

}  // namespace alnsmith::targets
