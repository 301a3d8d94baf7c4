// See device_kernels.hpp.
#include "sources/device_kernels.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "compile/device_compiler.hpp"
#include "compile/fitting.hpp"
#include "compile/generator.hpp"
#include "compile/tuned.hpp"
#include "packs/search.hpp"
#include "sources/cache_index.hpp"
#include "sources/cached_kernels.hpp"
#include "sources/generic_kernels.hpp"
#include "targets/targets.h"

namespace alnsmith::rt {
namespace {

using Lines = std::vector<std::string>;

// A target whose kernels may serve a device, and the kinds of binary of it that do.
struct Candidate {
  std::string target;
  std::vector<std::string_view> endings;
};

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

std::vector<Candidate> candidates(const std::string &target) {
  if (target.starts_with("cuda:")) return cuda_candidates(target);
  if (target.starts_with("hip:")) return {{text_target(target), {".co"}}};
  return {{"opencl", {".cl", ".spv"}}};
}

// How well a unit of a pack serves the device `target`: the candidates' order, with more of its features first; -1:
// not.
int rank_of(const std::vector<Candidate> &list, const std::string &target, const PackTarget &unit, UnitKind kind) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto &endings = list[i].endings;
    if (list[i].target != unit.base()) continue;
    const auto ending = std::find(endings.begin(), endings.end(), unit_kind_ending(kind));
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
  OneBinary(Manifest manifest, std::string binary, std::string path)
      : DeviceKernels(std::move(manifest)), binary_(std::move(binary)), path_(std::move(path)) {}
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  const std::string *kernel(int) const override { return &binary_; }

 private:
  Lines origins() const override {
    return {manifest().target_name + ": " + std::to_string(manifest().kernels.size()) + " kernels from " + path_};
  }

  std::string binary_, path_;
};

// The first candidate that a folder has, then its packs; damaged ones and those of others are skipped and listed. The
// folder may also be a pack.
std::unique_ptr<DeviceKernels> search_folder(const std::string &folder, const SpecRef &spec, const std::string &target,
                                             PackSearch &packs, Lines &skipped) {
  std::error_code ignored;
  const std::vector<Candidate> list = candidates(target);
  for (const Candidate &candidate : list) {
    const std::string stem = folder + "/" + kernels_stem(spec, candidate.target);
    if (!std::filesystem::exists(stem + ".json", ignored)) continue;
    const auto text = read_trusted(stem + ".json");
    auto manifest = text ? parse_manifest(*text) : Result<Manifest>(text.error());
    if (!manifest) {
      skipped.push_back(stem + ".json: skipped: " + manifest.error().message);
      continue;
    }
    if (manifest->target_name != candidate.target || manifest->spec_hash != spec.hash) {
      skipped.push_back(stem + ".json: skipped: holds another spec or target than its name says");
      continue;
    }
    for (std::string_view ending : candidate.endings) {
      const std::string path = stem + std::string(ending);
      if (!std::filesystem::exists(path, ignored)) continue;
      auto binary = read_trusted(path);
      if (binary) return std::make_unique<OneBinary>(*std::move(manifest), *std::move(binary), path);
      skipped.push_back(binary.error().message);
    }
    skipped.push_back(stem + ".json: skipped: no binary beside it that " + target + " runs");
  }
  const auto serves = [&](const PackTarget &unit, UnitKind kind) { return rank_of(list, target, unit, kind); };
  if (auto unit = packs.device(folder, spec, serves, skipped))
    return std::make_unique<OneBinary>(std::move(unit->manifest), std::move(unit->binary), unit->origin);
  return nullptr;
}

// The cache keeps which of a plan's kernels spill, a line each; not for another compiler. Empty where there is none.
std::string spilled_name(const Generator &generator, const std::string &target) {
  CompileOptions options;
  options.cache = &generator.cache();
  const auto compiler = find_device_compiler(target, options, {});
  return compiler ? "spilled-" + sha256_hex(generator.plan_id(target) + "\n" + (*compiler)->identity()) : "";
}

std::string joined(const Spilled &spilled) {
  std::string lines;
  for (const std::string &entry : spilled) lines += entry + "\n";
  return lines;
}

Spilled known_to_spill(const Generator &generator, const std::string &target) {
  Spilled spilled;
  if (target.starts_with("opencl")) return spilled;  // only the device's driver knows
  const std::string name = spilled_name(generator, target);
  std::istringstream lines(name.empty() ? "" : generator.cache().load(name).value_or(""));
  for (std::string entry; std::getline(lines, entry);) spilled.insert(entry);
  return spilled;
}

// The widest of `plan` that does the work of `wide` with fewer columns; null if `wide` had to stay.
const KernelInfo *narrower(const Manifest &plan, const KernelInfo &wide) {
  const KernelInfo *best = nullptr;
  for (const KernelInfo &kernel : plan.kernels) {
    const bool same = kernel.form == wide.form && kernel.level == wide.level && kernel.mapping == wide.mapping &&
                      kernel.arithmetic == wide.arithmetic && kernel.device.p == wide.device.p;
    if (kernel.entry == wide.entry) return nullptr;
    if (same && kernel.k < wide.k && (!best || kernel.k > best->k)) best = &kernel;
  }
  return best;
}

// Binaries that earlier runs left in the user's cache, where nothing can be generated; null where there are none.
class CachedBinaries : public DeviceKernels {
 public:
  static std::unique_ptr<DeviceKernels> open(const Cache &cache, const SpecRef &spec, const std::string &target) {
    auto found = CacheIndex(spec.hash, target).find(cache);
    if (!found || !found->manifest.for_device) return nullptr;
    std::vector<std::string> binaries;
    for (const std::string &file : found->files) {
      auto binary = load_cached_binary(cache, file);
      if (!binary) return nullptr;
      binaries.push_back(std::move(binary->bytes));
    }
    const std::size_t there = binaries.size();
    std::unique_ptr<DeviceKernels> made(
        new CachedBinaries(std::move(found->manifest), std::move(binaries), cache.folder()));
    if (there < found->planned) made->set_notes({partial_note(there, found->planned, target)});
    return made;
  }
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  const std::string *kernel(int index) const override { return &binaries_[static_cast<std::size_t>(index)]; }

 private:
  CachedBinaries(Manifest manifest, std::vector<std::string> binaries, std::string folder)
      : DeviceKernels(std::move(manifest)), binaries_(std::move(binaries)), folder_(std::move(folder)) {}
  Lines origins() const override {
    Lines lines;
    for (const KernelInfo &kernel : manifest().kernels) lines.push_back(kernel.entry + ": from the cache, " + folder_);
    return lines;
  }

  std::vector<std::string> binaries_;  // by kernel
  std::string folder_;
};

// Texts from the generator, compiled for the device one kernel at a time and kept in the user's cache. A kernel that
// spills is made anew with a narrower tile where the tile is the planner's; whoever opens the spec next plans with it.
class GeneratedDeviceKernels : public DeviceKernels {
 public:
  GeneratedDeviceKernels(std::shared_ptr<Generator> generator, Manifest manifest, std::string target, Spilled spilled,
                         bool noted)
      : DeviceKernels(std::move(manifest)),
        generator_(std::move(generator)),
        target_(std::move(target)),
        spilled_(std::move(spilled)),
        noted_(noted),
        slots_(this->manifest().kernels.size()) {}

  Status obtain(std::span<const int> kernels, const Cancelled &cancelled) override {
    for (const int kernel : kernels)
      if (slots_[static_cast<std::size_t>(kernel)].bytes.empty())
        if (auto ok = make(kernel, cancelled); !ok) return ok;
    return Ok{};
  }
  const std::string *kernel(int index) const override {
    const Slot &slot = slots_[static_cast<std::size_t>(index)];
    return slot.bytes.empty() ? nullptr : &slot.bytes;
  }

 private:
  struct Slot {
    std::string bytes, origin = "not needed yet";
  };

  Lines origins() const override {
    Lines lines;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      lines.push_back(manifest().kernels[i].entry + ": " + slots_[i].origin);
    return lines;
  }

  Status make(int kernel, const Cancelled &cancelled) {
    Slot &slot = slots_[static_cast<std::size_t>(kernel)];
    const KernelInfo &info = manifest().kernels[static_cast<std::size_t>(kernel)];
    const auto text = generator_->kept_text(manifest().target_name, info.entry, cancelled, spilled_);
    if (!text) return text.error();
    CompileOptions options;
    options.name = info.entry;
    if (target_.starts_with("hip:")) options.warp = info.device.warp;
    auto made = compile_device_cached(*text, target_, options, generator_->cache(), cancelled);
    const CacheIndex index(manifest().spec_hash, target_);
    const std::string plan = generator_->plan_id(manifest().target_name, spilled_);
    if (!made && made.error().exit_code != 130)  // no compiler here: what another machine compiled
      if (const auto file = index.file(generator_->cache(), plan, info.entry))
        if (auto binary = load_cached_binary(generator_->cache(), *file)) {
          slot.bytes = std::move(binary->bytes);
          slot.origin = "from the cache, " + generator_->cache().folder();
          return Ok{};
        }
    if (!made) return Error{"kernel " + info.entry + ": " + made.error().message, made.error().exit_code};
    if (auto ok = check_resources(*made, target_); !ok) return narrow(kernel, ok.error(), options, cancelled);
    if (noted_ && !made->cached_as.empty()) index.note(generator_->cache(), plan, info.entry, made->cached_as);
    slot.bytes = std::move(made->bytes);
    slot.origin = "generated, compiled by " + made->compiler;
    return Ok{};
  }

  // The same kernel of a plan with a narrower tile for it. Whatever was decided by the wide one's predicates holds for
  // the narrow one's: fewer columns a stage need no wider scores (tests/device/random_specs_test.cpp).
  Status narrow(int kernel, const Error &why, const CompileOptions &options, const Cancelled &cancelled) {
    const KernelInfo wide = manifest().kernels[static_cast<std::size_t>(kernel)];
    spilled_.insert(wide.entry);
    auto plan = generator_->cached_plan(manifest().target_name, spilled_);
    if (!plan) {
      auto made = generator_->plan(manifest().target_name, cancelled, spilled_);
      if (!made) return made.error();
      plan = *std::move(made);
    }
    const KernelInfo *found = narrower(*plan, wide);
    if (!found) return too_wide(wide, why, options, cancelled);
    // Where it cannot be kept, the next one finds out too.
    (void)generator_->cache().store(spilled_name(*generator_, target_), joined(spilled_));
    replace(kernel, *found);
    return make(kernel, cancelled);
  }

  // The error for a tile that does not stay in registers names the largest that does.
  Error too_wide(const KernelInfo &info, const Error &why, const CompileOptions &options, const Cancelled &cancelled) {
    std::vector<int> smaller;
    for (int k = info.k - 1; k >= 1; --k) smaller.push_back(k);
    const auto fitting = largest_fitting(std::move(smaller), target_, [&](int k) -> Result<DeviceBinary> {
      const auto text = generator_->text(manifest().target_name, info.entry, cancelled, {}, k);
      if (!text) return text.error();
      return compile_device(*text, target_, options, cancelled);
    });
    if (!fitting) return Error{why.message + "; no smaller k was found: " + fitting.error().message};
    return Error{why.message + "; the largest that fits is k = " + std::to_string(fitting->k) +
                 ": write `tile: {k: " + std::to_string(fitting->k) + "}` in the spec, or leave the tile out"};
  }

  std::shared_ptr<Generator> generator_;
  std::string target_;
  Spilled spilled_;
  bool noted_;  // in the cache's index
  std::vector<Slot> slots_;
};

}  // namespace

Result<std::unique_ptr<DeviceKernels>> find_device_kernels(const SpecRef &spec, const Sources &given,
                                                           const std::string &target, const Cancelled &cancelled) {
  using Found = std::unique_ptr<DeviceKernels>;
  Lines skipped;
  const std::string own = text_target(target);
  const Sources sources = with_user_tables(given, spec, own, skipped);
  auto generator = sources.only_kernel_dirs
                       ? Result<std::shared_ptr<Generator>>(Error{"no compiled kernels of it in the given folders"})
                       : Generator::prepare(spec, sources);
  std::optional<Error> refusal;
  std::optional<Cache> cache;  // of earlier runs, where nothing can be generated
  if (!generator) refusal = generator.error();
  const Spilled spilled = generator ? known_to_spill(**generator, own) : Spilled();
  if (!generator && !sources.only_kernel_dirs) cache.emplace(sources.cache_dir, Cache::Use::read);
  const auto from = [&](Manifest manifest) -> Found {
    return std::make_unique<GeneratedDeviceKernels>(*generator, std::move(manifest), own, spilled, is_usual(sources));
  };
  const auto cached = [&]() -> Found {
    if (!generator) return nullptr;
    auto manifest = (*generator)->cached_plan(own, spilled);
    return manifest ? from(*std::move(manifest)) : nullptr;
  };
  PackSearch packs;
  const auto compiled = [&]() -> Found {
    if (refusal && refusal->exit_code == 130) return nullptr;
    for (const std::string &folder : sources.kernel_dirs)
      if (auto found = search_folder(folder, spec, target, packs, skipped)) return found;
    return nullptr;
  };
  const auto generated = [&]() -> Found {
    if (cache) return CachedBinaries::open(*cache, spec, own);
    if (!generator) return nullptr;
    // An architecture that the generator does not know runs the texts of an earlier one.
    for (const Candidate &candidate : candidates(target)) {
      if (candidate.target.starts_with("cuda:compute_")) continue;
      auto manifest = (*generator)->plan(candidate.target, cancelled, spilled);
      if (manifest) return from(*std::move(manifest));
      if (!refusal || manifest.error().exit_code == 130) refusal = manifest.error();
      if (manifest.error().exit_code == 130) return nullptr;
    }
    return nullptr;
  };
  auto found = first_source<DeviceKernels>(source_order(sources), cached, compiled, generated);
  if (!found && !generator && spec.generic && is_usual(sources)) {
    const SpecRef generic{"", spec.name, spec.generic->hash};
    for (const std::string &folder : sources.kernel_dirs)
      if (!found) found = search_folder(folder, generic, target, packs, skipped);
    if (found) found = serve_spec(std::move(found), spec, skipped);
  }
  if (found) {
    found->set_skipped(std::move(skipped));
    return found;
  }
  if (refusal->exit_code == 130) return *refusal;
  std::string why = refusal->message;
  for (const std::string &line : skipped) why += "; " + line;
  return Error{"no kernels for the spec '" + spec.name + "' on " + target + ": " + why, refusal->exit_code};
}

}  // namespace alnsmith::rt
