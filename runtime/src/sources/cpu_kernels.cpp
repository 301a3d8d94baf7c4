// See cpu_kernels.h.
#include "sources/cpu_kernels.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/isa.h"
#include "compile/tuned.h"
#include "packs/search.h"
#include "sources/cached_kernels.h"
#include "sources/generic_kernels.h"
#include "sources/jit.h"
#include "sources/strips_beside.h"

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

// The sources of a spec's kernels, target by target. What was skipped on the way, and what was wrong, is kept.
class CpuSearch {
 public:
  using Found = std::unique_ptr<CpuKernels>;

  CpuSearch(const SpecRef &spec, const Sources &sources, int vector, const Cancelled &cancelled)
      : spec_(spec), sources_(sources), vector_(vector), cancelled_(cancelled) {}

  Result<Found> find(Isa widest) {
    if (auto ok = begin(); !ok) return ok.error();
    for (const Isa target : up_to(widest)) {
      const Sources tuned = with_tables(target);
      if (source_order(tuned) == SourceOrder::generated_only && target != widest) break;
      bool was_compiled = false;
      auto found = at(target, tuned, &was_compiled);
      if (ended()) return *refusal_;
      if (!found) continue;
      if (wants_strips(found->manifest())) {
        found = with_strips(std::move(found), strips_of(target, tuned, was_compiled));
        if (ended()) return *refusal_;
      }
      found->set_skipped(std::move(skipped_));
      return found;
    }
    const auto generic = [&](const Isa &target) -> Found {
      auto found = generic_at(target);
      if (const auto narrower = strips_target(target, vector_); found && narrower && wants_strips(found->manifest()))
        found = with_strips(std::move(found), generic_at(*narrower));
      return found ? serve_spec(std::move(found), spec_, skipped_) : nullptr;
    };
    const auto part = [&](const Isa &target) -> Found { return cache_ ? cached_at(spec_, target, true) : nullptr; };
    if (auto found = last_source<CpuKernels, Isa>(up_to(widest), generic, part)) {
      found->set_skipped(std::move(skipped_));
      return found;
    }
    return why_not(widest);
  }

 private:
  Status begin() {
    if (spec_.hash.empty() && (sources_.only_kernel_dirs || sources_.generator.empty()))
      return Error{
          "no kernels for the spec '" + spec_.name +
          "': they are found by the spec's hash: set SpecRef::hash (`alnsmith spec show` prints it), or open the "
          "spec by its name or file"};
    if (sources_.only_kernel_dirs) return Ok{};
    auto made = Generation::prepare(spec_, sources_, cancelled_);
    if (made) return generation_ = *std::move(made), Ok{};
    cache_.emplace(sources_.cache_dir, Cache::Use::read);
    if (made.error().exit_code == 130 || !sources_.choice.empty()) return made.error();
    skipped_.push_back(made.error().message);
    return Ok{};
  }

  bool ended() const { return refusal_ && refusal_->exit_code == 130; }

  Sources with_tables(Isa target) {
    return compile::with_user_tables(sources_, spec_, std::string(isa_name(target)), skipped_);
  }

  // The same with the folder of the user's tables: each target's table is checked before the generator may read it.
  Generation *generation_for(const Sources &tuned) {
    if (!generation_) return nullptr;
    if (tuned.tuned_dir == sources_.tuned_dir) return generation_.get();
    if (by_tables_) return by_tables_.get();
    auto made = Generation::prepare(spec_, tuned, cancelled_);
    if (made) return (by_tables_ = *std::move(made)).get();
    skipped_.push_back(made.error().message);
    return generation_.get();
  }

  Found in_folders(const SpecRef &spec, Isa target) {
    for (const std::string &folder : sources_.kernel_dirs)
      if (auto found = search_folder(folder, spec, target, packs_, skipped_)) return found;
    return nullptr;
  }

  Found compiled(Isa target) {
    if (ended()) return nullptr;
    auto found = in_folders(spec_, target);
    if (!found && !sources_.kernel_dirs.empty()) skipped_.push_back(std::string(isa_name(target)).append(none_here));
    return found;
  }

  // Kernels of the spec's generic form, where nothing can be generated.
  Found generic_at(Isa target) {
    if (generation_ || !spec_.generic || !is_usual(sources_)) return nullptr;
    const SpecRef form{"", spec_.name, spec_.generic->hash};
    auto found = in_folders(form, target);
    return found || !cache_ ? std::move(found) : cached_at(form, target, false);
  }

  Found at(Isa target, const Sources &tuned, bool *was_compiled) {
    Generation *const maker = generation_for(tuned);
    const auto cached = [&]() -> Found { return maker ? maker->cached(target) : nullptr; };
    const auto from_folders = [&]() -> Found {
      auto found = compiled(target);
      *was_compiled = found != nullptr;
      return found;
    };
    const auto generated = [&]() -> Found {
      if (cache_) return cached_at(spec_, target, false);
      if (!maker) return nullptr;
      auto found = maker->plan(target, cancelled_);
      if (found) return *std::move(found);
      skipped_.push_back(std::string(isa_name(target)) + ": not generated: " + found.error().message);
      if (!refusal_ || found.error().exit_code == 130) refusal_ = found.error();
      return nullptr;
    };
    return first_source<CpuKernels>(source_order(tuned), cached, from_folders, generated);
  }

  // A core's strips where they are not those of `target` (strips_beside.h), as ready as the others are: none is
  // compiled beside kernels that were. A choice by hand is of the target's own. What was skipped on the way to them is
  // no one's concern, but that they are not there.
  Found strips_of(Isa target, const Sources &tuned, bool was_compiled) {
    const auto narrower = strips_target(target, vector_);
    if (!narrower || (cache_ && !was_compiled) || source_order(tuned) == SourceOrder::generated_only) return nullptr;
    Lines skipped = std::move(skipped_);
    const std::optional<Error> refusal = refusal_;
    auto found = was_compiled ? compiled(*narrower) : at(*narrower, with_tables(*narrower), &was_compiled);
    skipped_ = std::move(skipped);
    if (!found)
      skipped_.push_back("no kernels of " + std::string(isa_name(*narrower)) +
                         " beside these: pairs alone take those of " + std::string(isa_name(target)) +
                         ", which are slower on this core");
    if (!ended()) refusal_ = refusal;
    return found;
  }

  // What the cache holds for a target, strips as above.
  Found cached_at(const SpecRef &spec, Isa target, bool partial) {
    if (const auto narrower = strips_target(target, vector_)) {
      auto strips = open_cached_kernels(*cache_, spec, *narrower, partial, skipped_, &kernels::KernelInfo::strips);
      if (strips && wants_strips(strips->manifest()))
        if (auto own = open_cached_kernels(*cache_, spec, target, partial, skipped_,
                                           std::not_fn(&kernels::KernelInfo::strips)))
          return with_strips(std::move(own), std::move(strips));
    }
    return open_cached_kernels(*cache_, spec, target, partial, skipped_);
  }

  Error why_not(Isa widest) {
    if (refusal_) return *refusal_;
    if (cache_) skipped_.push_back("none of it in the cache (" + cache_->where() + ")");
    std::string why;
    for (const std::string &line : skipped_)
      if (!line.ends_with(none_here)) why += (why.empty() ? "" : "; ") + line;
    if (!sources_.kernel_dirs.empty())
      why += (why.empty() ? "" : "; ") + std::string("no compiled kernels of it for ") + std::string(isa_name(widest)) +
             (widest.rank == 0 ? "" : " or narrower") + " in " + joined(sources_.kernel_dirs);
    return Error{"no kernels for the spec '" + spec_.name + "': " + (why.empty() ? "no source was given" : why)};
  }

  const SpecRef &spec_;
  const Sources &sources_;
  int vector_;  // bytes that this core runs as one
  const Cancelled &cancelled_;
  Lines skipped_;
  std::optional<Error> refusal_;  // the generator's first: it knows best what is wrong with a spec
  std::unique_ptr<Generation> generation_, by_tables_;
  std::optional<Cache> cache_;  // of earlier runs, where nothing can be generated
  packs::PackSearch packs_;
};

}  // namespace

Result<std::unique_ptr<CpuKernels>> open_kernel_file(const std::string &path, Isa widest) {
  auto object = kernels::SharedObject::open(path, widest);
  if (!object) return object.error();
  return std::unique_ptr<CpuKernels>(new FileKernels(*std::move(object)));
}

Result<std::unique_ptr<CpuKernels>> find_cpu_kernels(const SpecRef &spec, const Sources &sources, Isa widest,
                                                     const Cancelled &cancelled, int vector) {
  return CpuSearch(spec, sources, vector, cancelled).find(widest);
}

}  // namespace alnsmith::rt::sources
