// See device_files.h.
#include "sources/device_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/files.h"
#include "compile/generator.h"
#include "targets/targets.h"

namespace alnsmith::rt::sources {
namespace {

using Lines = std::vector<std::string>;

// Of CUDA's architectures those that run on `target`: a cubin on later ones of its generation, PTX on all later ones.
std::vector<Candidate> cuda_candidates(const std::string &target) {
  constexpr std::string_view kPrefix = "cuda:sm_";
  std::vector<Candidate> list = {{target, {".cubin", ".ptx"}}};
  int own = 0;
  const char *const last = target.data() + target.size();
  if (target.size() <= kPrefix.size() || std::from_chars(target.data() + kPrefix.size(), last, own).ptr != last)
    return list;
  for (int arch : targets::cuda_capabilities()) {
    if (arch > own) continue;
    const std::string number = std::to_string(arch);
    if (arch != own && arch / 10 == own / 10) list.push_back({"cuda:sm_" + number, {".cubin", ".ptx"}});
    if (arch != own && arch / 10 != own / 10) list.push_back({"cuda:sm_" + number, {".ptx"}});
    list.push_back({"cuda:compute_" + number, {".ptx"}});
  }
  return list;
}

// How well a unit of a pack serves the device `target`: the candidates' order, with more of its features first; -1:
// not.
int rank_of(const std::vector<Candidate> &list, const std::string &target, const packs::PackTarget &unit,
            packs::UnitKind kind) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto &endings = list[i].endings;
    if (list[i].target != unit.base()) continue;
    const auto ending = std::find(endings.begin(), endings.end(), packs::unit_kind_ending(kind));
    if (ending == endings.end()) continue;
    for (const std::string &feature : unit.features)
      if ((target + ":").find(":" + feature + ":") == std::string::npos) return -1;
    const auto features = static_cast<int>(std::min<std::size_t>(unit.features.size(), 99));
    return static_cast<int>(i) * 1000 + static_cast<int>(ending - endings.begin()) * 100 + 99 - features;
  }
  return -1;
}

// A manifest with one binary that holds all its kernels.
class OneBinary : public DeviceKernels {
 public:
  OneBinary(kernels::Manifest manifest, std::string binary, std::string path)
      : DeviceKernels(std::move(manifest)), binary_(std::move(binary)), path_(std::move(path)) {}
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  const std::string *kernel(int) const override { return &binary_; }

 private:
  Lines origins() const override {
    return {manifest().target_name + ": " + std::to_string(manifest().kernels.size()) + " kernels from " + path_};
  }

  std::string binary_, path_;
};

// The folder's files in the order of their names.
Lines files_of(const std::string &folder) {
  std::error_code error;
  Lines names;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The manifest `<stem>.json` with a binary beside it that serves the candidate.
std::unique_ptr<DeviceKernels> open_loose(const std::string &stem, const SpecRef &spec, const Candidate &candidate,
                                          const std::string &target, Lines &skipped) {
  const auto text = read_trusted(stem + ".json");
  auto manifest = text ? kernels::parse_manifest(*text) : Result<kernels::Manifest>(text.error());
  if (!manifest) {
    skipped.push_back(stem + ".json: skipped: " + manifest.error().message);
    return nullptr;
  }
  if (manifest->target_name != candidate.target || manifest->spec_hash != spec.hash) {
    skipped.push_back(stem + ".json: skipped: holds another spec or target than its name says");
    return nullptr;
  }
  std::error_code ignored;
  for (std::string_view ending : candidate.endings) {
    const std::string path = stem + std::string(ending);
    if (!std::filesystem::exists(path, ignored)) continue;
    auto binary = read_trusted(path);
    if (binary) return std::make_unique<OneBinary>(*std::move(manifest), *std::move(binary), path);
    skipped.push_back(binary.error().message);
  }
  skipped.push_back(stem + ".json: skipped: no binary beside it that " + target + " runs");
  return nullptr;
}

}  // namespace

std::vector<Candidate> candidates(const std::string &target) {
  if (target.starts_with("cuda:")) return cuda_candidates(target);
  if (target.starts_with("hip:")) return {{compile::text_target(target), {".co"}}};
  return {{"opencl", {".cl", ".spv"}}};
}

std::unique_ptr<DeviceKernels> search_folder(const std::string &folder, const SpecRef &spec, const std::string &target,
                                             packs::PackSearch &packs, Lines &skipped) {
  const std::vector<Candidate> list = candidates(target);
  const Lines files = files_of(folder);
  for (const Candidate &candidate : list) {
    const std::string ending = compile::kernels_stem({"", "", spec.hash}, candidate.target) + ".json";
    for (const std::string &file : files)
      if (file.ends_with(ending))
        if (auto found = open_loose(folder + "/" + file.substr(0, file.size() - 5), spec, candidate, target, skipped))
          return found;
  }
  const auto serves = [&](const packs::PackTarget &unit, packs::UnitKind kind) {
    return rank_of(list, target, unit, kind);
  };
  if (auto unit = packs.device(folder, spec, serves, skipped))
    return std::make_unique<OneBinary>(std::move(unit->manifest), std::move(unit->binary), unit->origin);
  return nullptr;
}

}  // namespace alnsmith::rt::sources
