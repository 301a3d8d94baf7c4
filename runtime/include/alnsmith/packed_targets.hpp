/// @file
/// Targets packed once, in the layout that kernels read, for calls of align_all to come: docs/database.md.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

/// Packs targets for Aligner::prepare. Needs no kernel, and depends on nothing else.
/// @param layout what Aligner::target_layout() gave @param targets any number; empty ones are left out
/// @return the bytes, some 1.02 per letter and 12 per target; an error where a letter is outside the layout's alphabet
///   (it names target and position), or the layout is none that this version knows
Result<std::string> pack_targets(std::string_view layout, std::span<const std::string_view> targets);

/// Packed targets, wherever they lie.
struct PackedTargets {
  /// What pack_targets() gave for the same targets, from an address that is a multiple of 8 on. Whatever is there is
  /// read within its bounds, and has its checksums verified when a call first reads it.
  std::string_view bytes;
  std::string name;  ///< for messages, "proteins.alndb.packed"
  /// Asked before letters of a target are read all the same, by its place among the targets: of those whose scores a
  /// kernel could not hold. What it says ends the call. From any thread; may be empty.
  std::function<Status(std::size_t)> check;
};

}  // namespace alnsmith
#pragma GCC visibility pop
