// See device_kernels.h.
#include "sources/device_kernels.h"

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "compile/device_compiler.h"
#include "compile/fitting.h"
#include "compile/generator.h"
#include "compile/tuned.h"
#include "sources/cache_index.h"
#include "sources/cached_kernels.h"
#include "sources/device_files.h"
#include "sources/generic_kernels.h"

namespace alnsmith::rt::sources {
namespace {

using Lines = std::vector<std::string>;

// What generation for one device needs besides the device.
struct DeviceGeneration {
  std::shared_ptr<compile::Generator> generator;
  std::string spilled_name;  // in the cache: which of a plan's kernels spill, a line each; not for another compiler
};

// Errors say why generation is not possible at all: no generator, no spec file, no compiler for the device.
Result<DeviceGeneration> prepare(const SpecRef &spec, const Sources &sources, const std::string &target,
                                 const Cancelled &cancelled) {
  auto generator = compile::Generator::prepare(spec, sources);
  if (!generator) return generator.error();
  compile::CompileOptions options;
  options.cache = &(*generator)->cache();
  const auto compiler = compile::find_device_compiler(target, options, cancelled);
  if (!compiler) return Error{"no generation: " + compiler.error().message, compiler.error().exit_code};
  std::string name = "spilled-" + sha256_hex((*generator)->plan_id(target) + "\n" + (*compiler)->identity());
  return DeviceGeneration{*std::move(generator), std::move(name)};
}

std::string joined(const compile::Spilled &spilled) {
  std::string lines;
  for (const std::string &entry : spilled) lines += entry + "\n";
  return lines;
}

compile::Spilled known_to_spill(const DeviceGeneration &generation) {
  compile::Spilled spilled;
  std::istringstream lines(generation.generator->cache().load(generation.spilled_name).value_or(""));
  for (std::string entry; std::getline(lines, entry);) spilled.insert(entry);
  return spilled;
}

// The widest of `plan` that does the work of `wide`, which it does not have any more, with fewer columns or with
// registers for fewer blocks; null if `wide` had to stay.
const kernels::KernelInfo *narrower(const kernels::Manifest &plan, const kernels::KernelInfo &wide) {
  const kernels::KernelInfo *best = nullptr;
  for (const kernels::KernelInfo &kernel : plan.kernels) {
    const bool same = kernel.form == wide.form && kernel.level == wide.level && kernel.mapping == wide.mapping &&
                      kernel.arithmetic == wide.arithmetic && kernel.width == wide.width &&
                      kernel.checked == wide.checked && kernel.outputs == wide.outputs &&
                      kernel.device.p == wide.device.p;
    if (kernel.entry == wide.entry) return nullptr;
    if (same && kernel.k <= wide.k && (!best || kernel.k > best->k)) best = &kernel;
  }
  return best;
}

// Binaries that earlier runs left in the user's cache, where nothing can be generated.
class CachedBinaries : public DeviceKernels {
 public:
  // All that belong together or, where `partial`, those that are there, with a note that says so; null where there are
  // none. What cannot be read is added to `skipped`.
  static std::unique_ptr<DeviceKernels> open(const Cache &cache, const SpecRef &spec, const std::string &target,
                                             bool partial, Lines &skipped) {
    auto found = CacheIndex(spec.hash, target).find(cache);
    if (!found || !found->manifest.for_device || (!partial && !found->complete())) return nullptr;
    std::vector<kernels::KernelInfo> kernels;
    std::vector<std::string> binaries;
    for (std::size_t i = 0; i < found->files.size(); ++i) {
      if (auto binary = compile::load_cached_binary(cache, found->files[i])) {
        kernels.push_back(std::move(found->manifest.kernels[i]));
        binaries.push_back(std::move(binary->bytes));
        continue;
      }
      const std::string line =
          cache.path(found->files[i]) + ": skipped: no device's binary of this version of alnsmith; remove it";
      if (std::ranges::find(skipped, line) == skipped.end()) skipped.push_back(line);
    }
    const std::size_t there = binaries.size();
    if (there == 0 || (!partial && there < found->planned)) return nullptr;
    found->manifest.kernels = std::move(kernels);
    std::unique_ptr<DeviceKernels> made(
        new CachedBinaries(std::move(found->manifest), std::move(binaries), cache.folder()));
    if (there < found->planned) made->set_warnings({partial_note(there, found->planned, target)});
    return made;
  }
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  const std::string *kernel(int index) const override { return &binaries_[static_cast<std::size_t>(index)]; }

 private:
  CachedBinaries(kernels::Manifest manifest, std::vector<std::string> binaries, std::string folder)
      : DeviceKernels(std::move(manifest)), binaries_(std::move(binaries)), folder_(std::move(folder)) {}
  Lines origins() const override {
    Lines lines;
    for (const kernels::KernelInfo &kernel : manifest().kernels)
      lines.push_back(kernel.entry + ": from the cache, " + folder_);
    return lines;
  }

  std::vector<std::string> binaries_;  // by kernel
  std::string folder_;
};

// Texts from the generator, compiled for the device one kernel at a time and kept in the user's cache. A kernel that
// spills is made anew with a narrower tile where the tile is the planner's; whoever opens the spec next plans with it.
class GeneratedDeviceKernels : public DeviceKernels {
 public:
  GeneratedDeviceKernels(const DeviceGeneration &generation, kernels::Manifest manifest, std::string target,
                         compile::Spilled spilled, bool noted)
      : DeviceKernels(std::move(manifest)),
        generator_(generation.generator),
        spilled_name_(generation.spilled_name),
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
    std::string bytes, origin = "not needed yet", file;  // the file: in the cache, or empty
  };

  Lines origins() const override {
    Lines lines;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      lines.push_back(manifest().kernels[i].entry + ": " + slots_[i].origin);
    return lines;
  }

  Status make(int kernel, const Cancelled &cancelled) {
    Slot &slot = slots_[static_cast<std::size_t>(kernel)];
    const kernels::KernelInfo &info = manifest().kernels[static_cast<std::size_t>(kernel)];
    const auto text = generator_->kept_text(manifest().target_name, info.entry, cancelled, spilled_);
    if (!text) return text.error();
    compile::CompileOptions options;
    options.name = info.entry;
    if (target_.starts_with("hip:")) options.warp = info.device.warp;
    auto made = compile::compile_device_cached(*text, target_, options, generator_->cache(), cancelled);
    if (!made) return Error{"kernel " + info.entry + ": " + made.error().message, made.error().exit_code};
    if (auto ok = compile::check_resources(*made, target_); !ok) return narrow(kernel, ok.error(), options, cancelled);
    slot.bytes = std::move(made->bytes);
    slot.origin = "generated, compiled by " + made->compiler;
    slot.file = std::move(made->cached_as);
    note(kernel);
    return Ok{};
  }

  // In the cache's index, by the plan of now.
  void note(int kernel) const {
    const std::string &file = slots_[static_cast<std::size_t>(kernel)].file;
    if (!noted_ || file.empty()) return;
    const std::string plan = generator_->plan_id(manifest().target_name, spilled_);
    CacheIndex(manifest().spec_hash, target_)
        .note(generator_->cache(), plan, manifest().kernels[static_cast<std::size_t>(kernel)].entry, file);
  }

  // The same kernel of a plan with a narrower tile for it. Whatever was decided by the wide one's predicates holds for
  // the narrow one's: fewer columns per stage need no wider scores (tests/device/random_specs_test.cpp).
  Status narrow(int kernel, const Error &why, const compile::CompileOptions &options, const Cancelled &cancelled) {
    const kernels::KernelInfo wide = manifest().kernels[static_cast<std::size_t>(kernel)];
    spilled_.insert(wide.entry);
    auto plan = generator_->cached_plan(manifest().target_name, spilled_);
    if (!plan) {
      auto made = generator_->plan(manifest().target_name, cancelled, spilled_);
      if (!made) return made.error();
      plan = *std::move(made);
    }
    const kernels::KernelInfo *found = narrower(*plan, wide);
    if (!found) return too_wide(wide, why, options, cancelled);
    // Where it cannot be kept, the next one finds out too.
    (void)generator_->cache().store(spilled_name_, joined(spilled_));
    replace(kernel, *found);
    // Where nothing can be generated, one plan is found: it names those that were made before it, too.
    for (std::size_t i = 0; i < slots_.size(); ++i) note(static_cast<int>(i));
    return make(kernel, cancelled);
  }

  // The error for a tile that does not stay in registers names the largest that does.
  Error too_wide(const kernels::KernelInfo &info, const Error &why, const compile::CompileOptions &options,
                 const Cancelled &cancelled) {
    std::vector<int> smaller;
    for (int k = info.k - 1; k >= 1; --k) smaller.push_back(k);
    const auto fitting =
        compile::largest_fitting(std::move(smaller), target_, [&](int k) -> Result<compile::DeviceBinary> {
          const auto text = generator_->text(manifest().target_name, info.entry, cancelled, spilled_, k);
          if (!text) return text.error();
          return compile::compile_device(*text, target_, options, cancelled);
        });
    if (!fitting) return Error{why.message + "; no smaller k was found: " + fitting.error().message};
    return Error{why.message + "; the largest that fits is k = " + std::to_string(fitting->k) +
                 ": write `tile: {k: " + std::to_string(fitting->k) + "}` in the spec, or leave the tile out"};
  }

  std::shared_ptr<compile::Generator> generator_;
  std::string spilled_name_, target_;
  compile::Spilled spilled_;
  bool noted_;  // in the cache's index
  std::vector<Slot> slots_;
};

}  // namespace

Result<std::unique_ptr<DeviceKernels>> find_device_kernels(const SpecRef &spec, const Sources &given,
                                                           const std::string &target, const Cancelled &cancelled) {
  using Found = std::unique_ptr<DeviceKernels>;
  Lines skipped;
  const std::string own = compile::text_target(target);
  const Sources sources = compile::with_user_tables(given, spec, own, skipped);
  const SourceOrder order = source_order(sources);
  const auto generation = sources.only_kernel_dirs
                              ? Result<DeviceGeneration>(Error{"no compiled kernels of it in the given folders"})
                              : prepare(spec, sources, own, cancelled);
  std::optional<Error> refusal;
  std::optional<Cache> cache;  // of earlier runs, where nothing can be generated
  if (!generation) refusal = generation.error();
  if (refusal && (refusal->exit_code == 130 || order == SourceOrder::generated_only)) return *refusal;
  const compile::Spilled spilled = generation ? known_to_spill(*generation) : compile::Spilled();
  if (!generation && !sources.only_kernel_dirs) cache.emplace(sources.cache_dir, Cache::Use::read);
  const auto from = [&](kernels::Manifest manifest) -> Found {
    return std::make_unique<GeneratedDeviceKernels>(*generation, std::move(manifest), own, spilled, is_usual(sources));
  };
  const auto cached = [&]() -> Found {
    if (!generation) return nullptr;
    auto manifest = generation->generator->cached_plan(own, spilled);
    return manifest ? from(*std::move(manifest)) : nullptr;
  };
  packs::PackSearch packs;
  const auto compiled = [&]() -> Found {
    if (refusal && refusal->exit_code == 130) return nullptr;
    for (const std::string &folder : sources.kernel_dirs)
      if (auto found = search_folder(folder, spec, target, packs, skipped)) return found;
    return nullptr;
  };
  const auto generated = [&]() -> Found {
    if (cache) return CachedBinaries::open(*cache, spec, own, false, skipped);
    if (!generation) return nullptr;
    // An architecture that the generator does not know runs the texts of an earlier one.
    for (const Candidate &candidate : candidates(target)) {
      if (candidate.target.starts_with("cuda:compute_")) continue;
      auto manifest = generation->generator->plan(candidate.target, cancelled, spilled);
      if (manifest) return from(*std::move(manifest));
      if (!refusal || manifest.error().exit_code == 130) refusal = manifest.error();
      if (manifest.error().exit_code == 130) return nullptr;
    }
    return nullptr;
  };
  const auto generic = [&](const std::string &on) -> Found {
    if (generation || !spec.generic || !is_usual(sources)) return nullptr;
    const SpecRef form{"", spec.name, spec.generic->hash};
    Found found;
    for (const std::string &folder : sources.kernel_dirs)
      if (!found) found = search_folder(folder, form, on, packs, skipped);
    if (!found && cache) found = CachedBinaries::open(*cache, form, own, false, skipped);
    return found ? serve_spec(std::move(found), spec, skipped) : nullptr;
  };
  const auto part = [&](const std::string &) -> Found {
    return cache ? CachedBinaries::open(*cache, spec, own, true, skipped) : nullptr;
  };
  auto found = first_source<DeviceKernels>(order, cached, compiled, generated);
  if (!found) found = last_source<DeviceKernels, std::string>({target}, generic, part);
  if (found) {
    found->set_skipped(std::move(skipped));
    return found;
  }
  if (refusal->exit_code == 130) return *refusal;
  std::string why = refusal->message;
  for (const std::string &line : skipped) why += "; " + line;
  return Error{"no kernels for the spec '" + spec.name + "' on " + target + ": " + why, refusal->exit_code};
}

}  // namespace alnsmith::rt::sources
