// See named_spec.h.
#include "common/named_spec.h"

#include <fmt/format.h>

#include <filesystem>

#include "alnsmith/packs.hpp"
#include "common/paths.h"
#include "spec/parse.h"

namespace alnsmith::tool {
namespace {

Result<NamedSpec> from_file(const std::string &path) {
  auto spec = spec::parse_file(path);
  if (!spec) return spec.error();
  return NamedSpec{*std::move(spec), path, path};
}

// Nothing where no pack has the name.
Result<std::optional<NamedSpec>> from_packs(const std::vector<std::string> &places, const std::string &name) {
  const auto found = find_spec_in_packs(places, name);
  if (!found) return found.error();
  if (!*found) return std::optional<NamedSpec>();
  const std::string label = fmt::format("{} of {}", name, (*found)->pack);
  auto spec = spec::parse_text((*found)->packed.text, label, "");
  if (!spec) return spec.error();
  return std::optional(NamedSpec{*std::move(spec), "", label});
}

}  // namespace

Result<NamedSpec> named_spec(const std::string &name, const std::vector<std::string> &packs) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return from_file(name);
  if (!packs.empty()) {
    auto packed = from_packs(packs, name);
    if (!packed) return packed.error();
    if (*packed) return **std::move(packed);
  }
  const auto shipped = find_spec(name);
  if (shipped) return from_file(*shipped);
  if (packs.empty()) {
    auto packed = from_packs(kernel_folders(), name);
    if (!packed) return packed.error();
    if (*packed) return **std::move(packed);
  }
  return shipped.error();
}

}  // namespace alnsmith::tool
