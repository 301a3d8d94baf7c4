// See cache_index.hpp.
#include "sources/cache_index.hpp"

#include "base/files.hpp"

namespace alnsmith::rt {
namespace {

// Written only where it changes: most runs find what an earlier one has noted.
void keep(const Cache &cache, const std::string &name, const std::string &text) {
  if (cache.load(name) == text) return;
  if (const auto kept = cache.store(name, text); !kept) return;
}

bool is_file_name(const std::string &name) {
  return (name.starts_with("kernel-") || name.starts_with("device-")) && name.find('/') == std::string::npos;
}

}  // namespace

std::string CacheIndex::unit_name() const { return "spec-" + sha256_hex(unit_); }

std::string CacheIndex::built_name(const std::string &plan_id, const std::string &entry) const {
  return "built-" + sha256_hex(unit_ + "\n" + plan_id + "\n" + entry);
}

void CacheIndex::note(const Cache &cache, const std::string &plan_id, const std::string &entry,
                      const std::string &file) const {
  keep(cache, built_name(plan_id, entry), file);
  keep(cache, unit_name(), plan_id);
}

std::optional<std::string> CacheIndex::file(const Cache &cache, const std::string &plan_id,
                                            const std::string &entry) const {
  auto name = cache.load(built_name(plan_id, entry));
  if (name && is_file_name(*name) && cache.sound(*name)) return name;
  return std::nullopt;
}

std::optional<CacheIndex::Kernels> CacheIndex::find(const Cache &cache) const {
  const auto plan_id = cache.folder().empty() ? std::nullopt : cache.load(unit_name());
  const auto text = plan_id && plan_id->find('/') == std::string::npos ? cache.load("plan-" + *plan_id) : std::nullopt;
  if (!text) return std::nullopt;
  auto plan = parse_manifest(*text);
  if (!plan || !unit_.starts_with(plan->spec_hash + "\n")) return std::nullopt;
  Kernels found;
  found.planned = plan->kernels.size();
  std::vector<KernelInfo> there;
  for (KernelInfo &kernel : plan->kernels) {
    auto name = file(cache, *plan_id, kernel.entry);
    if (!name) continue;
    there.push_back(std::move(kernel));
    found.files.push_back(*std::move(name));
  }
  if (there.empty()) return std::nullopt;
  plan->kernels = std::move(there);
  found.manifest = *std::move(plan);
  return found;
}

}  // namespace alnsmith::rt
