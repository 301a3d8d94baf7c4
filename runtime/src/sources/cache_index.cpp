// See cache_index.h.
#include "sources/cache_index.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/files.h"

namespace alnsmith::rt::sources {
namespace {

// Written only where it changes: most runs find what an earlier one has noted.
void keep(const Cache &cache, const std::string &name, const std::string &text) {
  if (cache.load(name) == text) return;
  if (const auto kept = cache.store(name, text); !kept) return;
}

bool is_file_name(const std::string &name) {
  return (name.starts_with("kernel-") || name.starts_with("device-")) && name.find('/') == std::string::npos;
}

constexpr std::size_t kMostPlans = 16;  // of a unit: CPUs, generators and tables that share a cache

bool is_plan_id(const std::string &line) { return !line.empty() && line.find('/') == std::string::npos; }

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (is_plan_id(line)) lines.push_back(line);
  return lines;
}

}  // namespace

std::string CacheIndex::unit_name() const { return "spec-" + sha256_hex(unit_); }

std::string CacheIndex::built_name(const std::string &plan_id, const std::string &entry) const {
  return "built-" + sha256_hex(unit_ + "\n" + plan_id + "\n" + entry);
}

void CacheIndex::note(const Cache &cache, const std::string &plan_id, const std::string &entry,
                      const std::string &file) const {
  keep(cache, built_name(plan_id, entry), file);
  // Login nodes of another CPU, or of an older generator, use the same cache: a plan more does not replace theirs.
  std::vector<std::string> plans = plans_of(cache);
  std::erase(plans, plan_id);
  plans.push_back(plan_id);
  std::string text;
  for (std::size_t i = plans.size() - std::min(plans.size(), kMostPlans); i < plans.size(); ++i)
    text += (text.empty() ? "" : "\n") + plans[i];
  keep(cache, unit_name(), text);
}

std::vector<std::string> CacheIndex::plans_of(const Cache &cache) const {
  const auto text = cache.folder().empty() ? std::nullopt : cache.load(unit_name());
  return text ? lines_of(*text) : std::vector<std::string>();
}

std::optional<std::string> CacheIndex::file(const Cache &cache, const std::string &plan_id,
                                            const std::string &entry) const {
  auto name = cache.load(built_name(plan_id, entry));
  if (name && is_file_name(*name) && cache.sound(*name)) return name;
  return std::nullopt;
}

std::optional<CacheIndex::Kernels> CacheIndex::find(const Cache &cache, const Filter &wanted) const {
  std::optional<Kernels> best;
  const std::vector<std::string> plans = plans_of(cache);
  for (std::size_t i = plans.size(); i-- > 0 && !(best && best->complete());) {
    auto found = of_plan(cache, plans[i], wanted);
    if (found && (!best || found->complete() || found->files.size() > best->files.size())) best = std::move(found);
  }
  return best;
}

std::optional<CacheIndex::Kernels> CacheIndex::of_plan(const Cache &cache, const std::string &plan_id,
                                                       const Filter &wanted) const {
  const auto text = cache.load("plan-" + plan_id);
  if (!text) return std::nullopt;
  auto plan = kernels::parse_manifest(*text);
  if (!plan || !unit_.starts_with(plan->spec_hash + "\n")) return std::nullopt;
  Kernels found;
  std::vector<kernels::KernelInfo> there;
  for (kernels::KernelInfo &kernel : plan->kernels) {
    if (wanted && !wanted(kernel)) continue;
    ++found.planned;
    auto name = file(cache, plan_id, kernel.entry);
    if (!name) {
      ++plan->absent[static_cast<std::size_t>(kernel.form)];
      continue;
    }
    there.push_back(std::move(kernel));
    found.files.push_back(*std::move(name));
  }
  if (there.empty()) return std::nullopt;
  plan->kernels = std::move(there);
  found.manifest = *std::move(plan);
  return found;
}

}  // namespace alnsmith::rt::sources
