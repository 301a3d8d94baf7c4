// Building packs: all units in parallel, then one file.  See alnsmith/packs.hpp.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "base/guard.h"
#include "packs/info.h"
#include "packs/unit.h"

namespace alnsmith {
namespace rt::packs {
namespace {

struct Job {
  const PackSpec *spec = nullptr;
  PackTarget target;
};

// Specs by name, targets by their parts, each once: the order in which they were given changes nothing.
Result<std::vector<Job>> jobs_of(const PackOrder &order) {
  if (order.specs.empty() || order.targets.empty()) return Error{"a pack needs at least one spec and one target", 2};
  std::vector<const PackSpec *> specs;
  for (const PackSpec &spec : order.specs) specs.push_back(&spec);
  const auto id = [](const PackSpec *spec) { return std::tie(spec->spec.name, spec->spec.hash); };
  std::stable_sort(specs.begin(), specs.end(), [&](auto a, auto b) { return id(a) < id(b); });
  specs.erase(std::unique(specs.begin(), specs.end(), [&](auto a, auto b) { return id(a) == id(b); }), specs.end());
  std::set<PackTarget> targets;
  for (const std::string &name : order.targets) {
    auto target = parse_pack_target(name);
    if (!target) return target.error();
    targets.insert(*std::move(target));
  }
  std::vector<Job> jobs;
  for (const PackSpec *spec : specs)
    for (const PackTarget &target : targets) jobs.push_back({spec, target});
  return jobs;
}

// One that fails ends the others: a pack is complete or is not.
Result<std::vector<MadeUnit>> make_all(const PackOrder &order, const std::vector<Job> &jobs) {
  const Cache cache(order.sources.cache_dir);
  std::vector<std::optional<MadeUnit>> made(jobs.size());
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::optional<Error> error;
  const auto cancelled = [&] { return failed || (order.cancelled && order.cancelled()); };
  const auto fail = [&](Error why) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(why);
    failed = true;
  };
  const auto work = [&] {
    for (std::size_t i; !failed && (i = next++) < jobs.size();) {
      const SpecRef &spec = jobs[i].spec->spec;
      auto unit = guarded([&] { return make_unit(order, spec, jobs[i].target, cache, cancelled); });
      if (!unit) {
        const bool interrupted = unit.error().exit_code == 130;
        fail(interrupted ? unit.error()
                         : Error{spec.name + " for " + jobs[i].target.name() + ": " + unit.error().message,
                                 unit.error().exit_code});
        return;
      }
      made[i] = *std::move(unit);
      if (order.progress) order.progress(++done, jobs.size());
    }
  };
  const std::size_t wanted =
      order.threads > 0 ? static_cast<std::size_t>(order.threads) : std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(wanted, jobs.size()); ++i) helpers.emplace_back(work);
    work();
  }
  if (error) return *error;
  std::vector<MadeUnit> units;
  for (auto &unit : made) units.push_back(*std::move(unit));
  return units;
}

// The pack of those units that `wanted` takes.
std::string assemble(const std::vector<Job> &jobs, const std::vector<MadeUnit> &made,
                     const std::function<bool(const PackTarget &)> &wanted) {
  Index index;
  index.writer = "alnsmith " ALNSMITH_VERSION;
  std::vector<std::string> texts, parts;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!wanted(jobs[i].target)) continue;
    const PackSpec &spec = *jobs[i].spec;
    if (index.specs.empty() || index.specs.back().name != spec.spec.name || index.specs.back().hash != spec.spec.hash) {
      index.specs.push_back({spec.spec.name, spec.spec.hash, {}});
      texts.push_back(spec.text);
    }
    const auto build = std::find(index.builds.begin(), index.builds.end(), made[i].build);
    Unit unit;
    unit.spec = index.specs.size() - 1;
    unit.build = static_cast<std::size_t>(build - index.builds.begin());
    if (build == index.builds.end()) index.builds.push_back(made[i].build);
    unit.target = made[i].target;
    unit.kind = made[i].kind;
    unit.text_hash = made[i].text_hash;
    unit.kernels = made[i].kernels;
    unit.key = unit_key(unit, made[i].build);
    index.units.push_back(std::move(unit));
    parts.insert(parts.end(), {made[i].manifest, made[i].binary});
  }
  texts.insert(texts.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  return pack_bytes(index, texts);
}

Status check_path(const std::string &path) {
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (file.extension() != ".pack" || file.filename().string()[0] == '.')
    return Error{path + ": a pack's name ends in .pack, which is how it is found", 2};
  if (std::filesystem::is_directory(file, ignored)) return Error{path + ": is a folder", 2};
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, ignored)) return Error{folder.string() + ": no such folder"};
  return Ok{};
}

Result<PackInfo> write_pack(const std::string &path, const std::string &bytes) {
  if (auto ok = write_file(path, bytes, 0644); !ok) return ok.error();
  return list_pack(path);
}

std::string split_path(const std::string &path, const PackTarget &target) {
  std::string name = target.name();
  std::replace(name.begin(), name.end(), ':', '-');
  return path.substr(0, path.size() - std::string_view(".pack").size()) + "-" + name + ".pack";
}

}  // namespace
}  // namespace rt::packs

Result<PackInfo> build_pack(const PackOrder &order, const std::string &path) {
  return rt::guarded([&]() -> Result<PackInfo> {
    if (auto ok = rt::packs::check_path(path); !ok) return ok.error();
    const auto jobs = rt::packs::jobs_of(order);
    if (!jobs) return jobs.error();
    const auto made = rt::packs::make_all(order, *jobs);
    if (!made) return made.error();
    return rt::packs::write_pack(path,
                                 rt::packs::assemble(*jobs, *made, [](const rt::packs::PackTarget &) { return true; }));
  });
}

Result<std::vector<PackInfo>> build_packs_by_target(const PackOrder &order, const std::string &path) {
  return rt::guarded([&]() -> Result<std::vector<PackInfo>> {
    if (auto ok = rt::packs::check_path(path); !ok) return ok.error();
    const auto jobs = rt::packs::jobs_of(order);
    if (!jobs) return jobs.error();
    const auto made = rt::packs::make_all(order, *jobs);
    if (!made) return made.error();
    std::set<rt::packs::PackTarget> targets;
    for (const rt::packs::Job &job : *jobs) targets.insert(job.target);
    std::vector<PackInfo> packs;
    for (const rt::packs::PackTarget &target : targets) {
      const auto mine = [&](const rt::packs::PackTarget &other) { return other == target; };
      auto info = rt::packs::write_pack(rt::packs::split_path(path, target), rt::packs::assemble(*jobs, *made, mine));
      if (!info) return info.error();
      packs.push_back(*std::move(info));
    }
    return packs;
  });
}

}  // namespace alnsmith
