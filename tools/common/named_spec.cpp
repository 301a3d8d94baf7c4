// See named_spec.h.
#include "common/named_spec.h"

#include <fmt/format.h>

#include <filesystem>

#include "alnsmith/packs.hpp"
#include "common/paths.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace alnsmith::tool {
namespace {

Result<NamedSpec> from_file(const std::string &path) {
  auto spec = spec::parse_file(path);
  if (!spec) return spec.error();
  return NamedSpec{*std::move(spec), path, path};
}

// Nothing where no pack has the name; packs that were skipped are added.
Result<std::optional<NamedSpec>> from_packs(const std::vector<std::string> &places, const std::string &name,
                                            std::vector<std::string> &skipped) {
  const auto found = find_spec_in_packs(places, name, &skipped);
  if (!found) return found.error();
  if (!*found) return std::optional<NamedSpec>();
  const std::string label = fmt::format("{} of {}", name, (*found)->pack);
  auto spec = spec::parse_text((*found)->packed.text, label, "");
  if (!spec) return spec.error();
  // Kernels are found by the hash, so a text of another spec would be scored by another one's.
  if (spec::hash(*spec) != (*found)->packed.spec.hash)
    return Error{fmt::format("{}: the pack's text of the spec is not what its hash says: build the pack anew", label)};
  return std::optional(NamedSpec{*std::move(spec), "", label});
}

}  // namespace

Result<NamedSpec> named_spec(const std::string &name, const std::vector<std::string> &packs) {
  std::error_code ignored;
  std::vector<std::string> skipped;
  if (std::filesystem::exists(name, ignored)) return from_file(name);
  if (!packs.empty()) {
    auto packed = from_packs(packs, name, skipped);
    if (!packed) return packed.error();
    if (*packed) return **std::move(packed);
  }
  const auto shipped = find_spec(name, packs.empty() ? kernel_folders() : packs);
  if (shipped) return from_file(*shipped);
  if (packs.empty()) {
    auto packed = from_packs(kernel_folders(), name, skipped);
    if (!packed) return packed.error();
    if (*packed) return **std::move(packed);
  }
  std::string why = shipped.error().message;
  for (const std::string &line : skipped) why += "; " + line;
  return Error{why, shipped.error().exit_code};
}

}  // namespace alnsmith::tool
