// What a unit of a pack runs on, as a structure: never by a device's size or name.
//
// In:  names as users give them (targets.h) or the JSON object of an index (docs/packs.md). Out: the same parts, and
//      whether they serve a CPU or a device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "targets/targets.h"

namespace alnsmith::rt::packs {

using TargetKind = targets::Kind;

// What kind of file a binary is.
enum class UnitKind { shared_object, cubin, ptx, code_object, opencl_c, spirv };
std::string_view unit_kind_name(UnitKind kind);  // "shared-object", ...
std::optional<UnitKind> parse_unit_kind(std::string_view name);
std::string_view unit_kind_ending(UnitKind kind);  // ".so", ".cubin", ...

// Features are sorted.
struct PackTarget : targets::Name {
  std::string machine;  // cpu: "x86_64"; of the compiled file, since `scalar` names no machine

  bool operator==(const PackTarget &) const = default;
  auto operator<=>(const PackTarget &) const = default;

  std::string name() const;  // as users give it
  std::string base() const;  // what the generator and a kernel manifest call it: without features and "spirv64"
  // cpu of this process's machine, of an instruction set that this runtime knows.
  std::optional<Isa> isa() const;
};

// Any word may stand for a device's architecture: which ones there are is the generator's and the compilers' affair.
Result<PackTarget> parse_pack_target(std::string_view name);

}  // namespace alnsmith::rt::packs
