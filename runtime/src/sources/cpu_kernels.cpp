// See cpu_kernels.h.
#include "sources/cpu_kernels.h"

#include <algorithm>
#include <filesystem>

#include "base/isa.h"
#include "compile/tuned.h"
#include "packs/search.h"
#include "sources/cached_kernels.h"
#include "sources/generic_kernels.h"
#include "sources/jit.h"

namespace alnsmith::rt::sources {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class FileKernels : public CpuKernels {
 public:
  explicit FileKernels(std::unique_ptr<kernels::SharedObject> object)
      : CpuKernels(object->manifest()), object_(std::move(object)) {
    for (const kernels::KernelInfo &kernel : manifest().kernels) functions_.push_back(object_->entry(kernel.entry));
  }
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  kernels::KernelFn kernel(int index) const override { return functions_[static_cast<std::size_t>(index)]; }

 private:
  Lines origins() const override {
    Lines lines;
    for (const kernels::KernelInfo &kernel : manifest().kernels)
      lines.push_back(kernel.entry + ": from " + object_->path());
    return lines;
  }

  std::unique_ptr<kernels::SharedObject> object_;
  std::vector<kernels::KernelFn> functions_;
};

// Names as `<name>-<first 12 of the spec's hash>-<target>.so` tell what is inside; 0 fits, 1 may fit, 2 does not.
int rank(const std::string &file, const SpecRef &spec, Isa target) {
  const std::string ending = "-" + std::string(isa_name(target)) + ".so";
  for (const targets::Cpu &row : targets::cpus()) {
    const std::string other = "-" + std::string(row.name) + ".so";
    if (file.size() < other.size() + 13 || file.compare(file.size() - other.size(), other.size(), other) != 0) continue;
    const std::string hash = file.substr(file.size() - other.size() - 13, 13);
    const bool hex = hash[0] == '-' && std::all_of(hash.begin() + 1, hash.end(), [](char c) {
                       return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                     });
    if (hex) return other == ending && hash.substr(1) == spec.hash.substr(0, 12) ? 0 : 2;
  }
  return 1;
}

constexpr std::string_view none_here = ": no compiled kernels of this spec in the given folders";

std::string joined(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// The first compiled file of the folder with this spec and target, then its packs; damaged ones and those of others are
// skipped and listed. The folder may also be a pack.
std::unique_ptr<CpuKernels> search_folder(const std::string &folder, const SpecRef &spec, Isa target,
                                          packs::PackSearch &packs, Lines &skipped) {
  std::error_code error;
  std::vector<std::pair<int, std::string>> files;
  const bool is_pack = packs::packs_at(folder) == Lines{folder};
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (at->path().extension() != ".so") continue;
    if (const int r = rank(name, spec, target); r < 2) files.emplace_back(r, at->path().string());
  }
  if (error && !is_pack) skipped.push_back(folder + ": cannot be listed: " + error.message());
  std::sort(files.begin(), files.end());
  for (const auto &[r, path] : files) {
    auto object = kernels::SharedObject::open(path, target);
    if (!object) {
      skipped.push_back(object.error().message);
      continue;
    }
    const kernels::Manifest &m = (*object)->manifest();
    if (m.target == target && m.spec_hash == spec.hash)
      return std::unique_ptr<CpuKernels>(new FileKernels(*std::move(object)));
    if (r == 0) skipped.push_back(path + ": skipped: holds another spec or target than its name says");
  }
  if (auto object = packs.cpu(folder, spec, target, skipped))
    return std::unique_ptr<CpuKernels>(new FileKernels(std::move(object)));
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<CpuKernels>> open_kernel_file(const std::string &path, Isa widest) {
  auto object = kernels::SharedObject::open(path, widest);
  if (!object) return object.error();
  return std::unique_ptr<CpuKernels>(new FileKernels(*std::move(object)));
}

Result<std::unique_ptr<CpuKernels>> find_cpu_kernels(const SpecRef &spec, const Sources &sources, Isa widest,
                                                     const Cancelled &cancelled) {
  using Found = std::unique_ptr<CpuKernels>;
  Lines skipped;
  std::optional<Error> refusal;  // the generator's first: it knows best what is wrong with a spec
  if (spec.hash.empty() && (sources.only_kernel_dirs || sources.generator.empty()))
    return Error{
        "no kernels for the spec '" + spec.name +
        "': they are found by the spec's hash: set SpecRef::hash (`alnsmith spec show` prints it), or open the "
        "spec by its name or file"};
  auto generation = sources.only_kernel_dirs ? Result<std::unique_ptr<Generation>>(Error{})
                                             : Generation::prepare(spec, sources, cancelled);
  std::optional<Cache> cache;  // of earlier runs, where nothing can be generated
  if (!generation && !sources.only_kernel_dirs) {
    cache.emplace(sources.cache_dir, Cache::Use::read);
    if (generation.error().exit_code == 130 || !sources.choice.empty()) return generation.error();
    skipped.push_back(generation.error().message);
  }
  // The same with the folder of the user's tables: each target's table is checked before the generator may read it.
  std::unique_ptr<Generation> by_tables;
  const auto generation_for = [&](const Sources &tuned) -> Generation * {
    if (!generation) return nullptr;
    if (tuned.tuned_dir == sources.tuned_dir) return generation->get();
    if (by_tables) return by_tables.get();
    auto made = Generation::prepare(spec, tuned, cancelled);
    if (made) return (by_tables = *std::move(made)).get();
    skipped.push_back(made.error().message);
    return generation->get();
  };
  packs::PackSearch packs;
  const auto ended = [&] { return refusal && refusal->exit_code == 130; };
  for (const Isa target : up_to(widest)) {
    const Sources tuned = compile::with_user_tables(sources, spec, std::string(isa_name(target)), skipped);
    const SourceOrder order = source_order(tuned);
    if (order == SourceOrder::generated_only && target != widest) break;
    Generation *const maker = generation_for(tuned);
    const auto cached = [&]() -> Found { return maker ? maker->cached(target) : nullptr; };
    const auto compiled = [&]() -> Found {
      if (ended()) return nullptr;
      for (const std::string &folder : sources.kernel_dirs)
        if (auto found = search_folder(folder, spec, target, packs, skipped)) return found;
      if (!sources.kernel_dirs.empty()) skipped.push_back(std::string(isa_name(target)).append(none_here));
      return nullptr;
    };
    const auto generated = [&]() -> Found {
      if (cache) return open_cached_kernels(*cache, spec, target, false, skipped);
      if (!maker) return nullptr;
      auto found = maker->plan(target, cancelled);
      if (found) return *std::move(found);
      skipped.push_back(std::string(isa_name(target)) + ": not generated: " + found.error().message);
      if (!refusal || found.error().exit_code == 130) refusal = found.error();
      return nullptr;
    };
    auto found = first_source<CpuKernels>(order, cached, compiled, generated);
    if (ended()) return *refusal;
    if (!found) continue;
    found->set_skipped(std::move(skipped));
    return found;
  }
  const auto generic = [&](const Isa &target) -> Found {
    if (generation || !spec.generic || !is_usual(sources)) return nullptr;
    const SpecRef form{"", spec.name, spec.generic->hash};
    Found found;
    for (const std::string &folder : sources.kernel_dirs)
      if (!found) found = search_folder(folder, form, target, packs, skipped);
    if (!found && cache) found = open_cached_kernels(*cache, form, target, false, skipped);
    return found ? serve_spec(std::move(found), spec, skipped) : nullptr;
  };
  const auto part = [&](const Isa &target) -> Found {
    return cache ? open_cached_kernels(*cache, spec, target, true, skipped) : nullptr;
  };
  if (auto found = last_source<CpuKernels, Isa>(up_to(widest), generic, part)) {
    found->set_skipped(std::move(skipped));
    return found;
  }
  if (refusal) return *refusal;
  if (cache) skipped.push_back("none of it in the cache (" + cache->where() + ")");
  std::string why;
  for (const std::string &line : skipped)
    if (!line.ends_with(none_here)) why += (why.empty() ? "" : "; ") + line;
  if (!sources.kernel_dirs.empty())
    why += (why.empty() ? "" : "; ") + std::string("no compiled kernels of it for ") + std::string(isa_name(widest)) +
           (widest.rank == 0 ? "" : " or narrower") + " in " + joined(sources.kernel_dirs);
  return Error{"no kernels for the spec '" + spec.name + "': " + (why.empty() ? "no source was given" : why)};
}

}  // namespace alnsmith::rt::sources
