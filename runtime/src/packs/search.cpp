// See search.h.
#include "packs/search.h"

#include <algorithm>
#include <filesystem>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "packs/entries.h"

namespace alnsmith::rt::packs {
namespace {

namespace fs = std::filesystem;

std::string origin_of(const PackFile &pack, const Unit &unit) {
  return pack.path() + " (" + unit_name(pack.index(), unit) + ")";
}

}  // namespace

std::vector<std::string> packs_at(const std::string &place) {
  std::error_code error;
  if (fs::path(place).extension() == ".pack" && !fs::is_directory(place, error)) return {place};
  std::vector<std::string> packs;
  for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".pack" && at->path().filename().string()[0] != '.')
      packs.push_back(at->path().string());
  std::sort(packs.begin(), packs.end());
  return packs;
}

}  // namespace alnsmith::rt::packs

namespace alnsmith {

Result<std::optional<FoundSpec>> find_spec_in_packs(const std::vector<std::string> &places, const std::string &name,
                                                    std::vector<std::string> *skipped) {
  std::optional<FoundSpec> found;
  rt::packs::PackSearch search;
  rt::packs::PackSearch::Lines unheard;
  rt::packs::PackSearch::Lines &warnings = skipped ? *skipped : unheard;
  for (const std::string &place : places)
    for (const std::string &path : rt::packs::packs_at(place)) {
      const auto pack = search.pack(path, warnings);
      if (!pack) continue;
      for (const rt::packs::PackedSpec &spec : pack->index().specs) {
        if (spec.name != name || (found && found->packed.spec.hash == spec.hash)) continue;
        if (found)
          return Error{"several specs are named '" + name + "': " + found->packed.spec.hash.substr(0, 12) + " in " +
                       found->pack + ", " + spec.hash.substr(0, 12) + " in " + path +
                       "; name one pack (--pack, Sources::kernel_dirs), or set SpecRef::hash"};
        auto text = pack->read(spec.text);
        if (text)
          found = FoundSpec{{{"", spec.name, spec.hash}, *std::move(text)}, path};
        else
          warnings.push_back(path + ": skipped: its text of the spec '" + name + "': " + text.error().message);
      }
    }
  return found;
}

}  // namespace alnsmith

namespace alnsmith::rt::packs {

std::shared_ptr<const PackFile> PackSearch::pack(const std::string &path, Lines &warnings) {
  if (const auto known = packs_.find(path); known != packs_.end()) return known->second;
  const auto trusted = check_trusted(path);
  auto opened = trusted ? PackFile::open(*trusted, path) : Result<std::shared_ptr<const PackFile>>(trusted.error());
  if (!opened) warnings.push_back("pack skipped: " + opened.error().message);
  return packs_[path] = opened ? *std::move(opened) : nullptr;
}

Result<UnitParts> read_unit_parts(const PackFile &pack, const Unit &unit) {
  const PackedSpec &spec = pack.index().specs[unit.spec];
  auto text = pack.read(unit.manifest);
  if (!text) return Error{"its manifest: " + text.error().message};
  auto manifest = kernels::parse_manifest(*text);
  if (!manifest) return manifest.error();
  if (manifest->spec_hash != spec.hash || manifest->spec_name != spec.name ||
      manifest->target_name != unit.target.base() || manifest->kernels.size() != unit.kernels)
    return Error{"its manifest is of another spec or target than the index says"};
  auto binary = pack.read(unit.binary);
  if (!binary) return Error{"its binary: " + binary.error().message};
  if (auto ok = check_entries(unit.target, unit.kind, *binary, *manifest); !ok)
    return Error{"its binary: " + ok.error().message};
  return UnitParts{*std::move(manifest), *std::move(binary)};
}

std::unique_ptr<kernels::SharedObject> PackSearch::cpu(const std::string &place, const SpecRef &spec, Isa target,
                                                       Lines &warnings) {
  for (const std::string &path : packs_at(place)) {
    const auto file = pack(path, warnings);
    if (!file) continue;
    for (const Unit &unit : file->index().units) {
      if (unit.target.kind != TargetKind::cpu || unit.target.arch != isa_name(target)) continue;
      if (file->index().specs[unit.spec].hash != spec.hash) continue;
      const std::string origin = origin_of(*file, unit);
      if (unit.target.isa() != target) {
        warnings.push_back(origin + ": skipped: made for " + unit.target.machine + ", this machine is " +
                           std::string(targets::host_machine()));
        continue;
      }
      const auto parts = read_unit_parts(*file, unit);
      if (!parts) {
        warnings.push_back(origin + ": skipped: " + parts.error().message);
        continue;
      }
      auto object = kernels::SharedObject::open_bytes(origin, parts->binary, target);
      if (object) return *std::move(object);
      warnings.push_back(object.error().message);
    }
  }
  return nullptr;
}

std::optional<PackSearch::DeviceUnit> PackSearch::device(const std::string &place, const SpecRef &spec,
                                                         const Serves &serves, Lines &warnings) {
  for (const std::string &path : packs_at(place)) {
    const auto file = pack(path, warnings);
    if (!file) continue;
    std::vector<std::pair<int, const Unit *>> units;
    for (const Unit &unit : file->index().units)
      if (unit.target.kind != TargetKind::cpu && file->index().specs[unit.spec].hash == spec.hash)
        if (const int rank = serves(unit.target, unit.kind); rank >= 0) units.emplace_back(rank, &unit);
    std::stable_sort(units.begin(), units.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[rank, unit] : units) {
      auto parts = read_unit_parts(*file, *unit);
      if (parts) return DeviceUnit{std::move(parts->manifest), std::move(parts->binary), origin_of(*file, *unit)};
      warnings.push_back(origin_of(*file, *unit) + ": skipped: " + parts.error().message);
    }
  }
  return std::nullopt;
}

}  // namespace alnsmith::rt::packs
