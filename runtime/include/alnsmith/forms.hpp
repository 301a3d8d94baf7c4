// The forms of kernels, as manifests, tuned tables and reports name them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace alnsmith {

/// How the pairs that a kernel aligns side by side share sequences (docs/manifest.md, `form`).
enum class Form {
  pairwise,        ///< each has a query and a target of its own
  shared_profile,  ///< one query, or as many as share a register, against many targets: their scores are laid out once
  single_query,    ///< of devices: one query, each half of a register with a target of its own
  split,           ///< of CPUs: all lanes share one pair
  extent           ///< of CPUs: as shared_profile, how far the best alignments reach
};

/// The names of the forms, in their order.
inline constexpr std::array<const char *, 5> kFormNames = {"pairwise", "shared_profile", "single_query", "split",
                                                           "extent"};

/// @return the form's name
inline std::string name_of(Form form) { return kFormNames[static_cast<std::size_t>(form)]; }

/// @return the form of this name, or nothing
inline std::optional<Form> form_named(std::string_view name) {
  const auto at = std::ranges::find(kFormNames, name);
  if (at == kFormNames.end()) return std::nullopt;
  return static_cast<Form>(at - kFormNames.begin());
}

}  // namespace alnsmith
