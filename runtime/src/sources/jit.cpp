// Generation at run time.  See jit.h.
//
// generator.h names plans and texts; (text, target, compiler, flags) names the shared object.
#include "sources/jit.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/generator.h"
#include "sources/cache_index.h"
#include "sources/cached_kernels.h"

namespace alnsmith::rt::sources {
namespace {

// Removes a half-made file however its scope is left.
struct Temporary {
  std::string path;
  ~Temporary() { ::unlink(path.c_str()); }
};

// What all targets of one spec share.
struct Context {
  std::shared_ptr<compile::Generator> generator;
  compile::Compiler compiler;
  bool noted;  // what comes of this spec is what others should find by it
  const Cache &cache() const { return generator->cache(); }
};

class GeneratedKernels : public CpuKernels {
 public:
  GeneratedKernels(std::shared_ptr<const Context> context, kernels::Manifest manifest)
      : CpuKernels(std::move(manifest)),
        context_(std::move(context)),
        plan_id_(context_->generator->plan_id(this->manifest().target_name)),
        slots_(this->manifest().kernels.size()) {}

  kernels::KernelFn kernel(int kernel) const override {
    return slots_[static_cast<std::size_t>(kernel)].function.load();
  }

  Status obtain(std::span<const int> kernels, const Cancelled &cancelled) override {
    const auto ready = [&](int k) { return this->kernel(k) != nullptr; };
    if (std::all_of(kernels.begin(), kernels.end(), ready)) return Ok{};
    const std::lock_guard lock(mutex_);
    std::vector<int> missing;
    for (int kernel : kernels)
      if (!ready(kernel) && !load_cached(kernel)) missing.push_back(kernel);
    return generate(missing, cancelled);
  }

  std::vector<std::string> origins() const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      lines.push_back(manifest().kernels[i].entry + ": " + slots_[i].origin);
    return lines;
  }

 private:
  struct Slot {
    std::atomic<kernels::KernelFn> function{nullptr};
    std::unique_ptr<kernels::SharedObject> object;
    std::string origin = "not needed yet";
  };

  const std::string &entry(int kernel) const { return manifest().kernels[static_cast<std::size_t>(kernel)].entry; }
  std::string index_name(int kernel) const { return "text-" + sha256_hex(plan_id_ + "\n" + entry(kernel)); }
  std::string object_name(const std::string &text_hash) const {
    std::string key = text_hash + "\n" + std::string(isa_name(manifest().target)) + "\n" + context_->compiler.identity;
    for (const auto &flag : context_->compiler.flags(manifest().target)) key += "\n" + flag;
    return "kernel-" + sha256_hex(key) + ".so";
  }

  bool load_cached(int kernel) {
    const auto hash = context_->cache().load(index_name(kernel));
    if (!hash) return false;
    const std::string name = object_name(*hash);
    return context_->cache().sound(name) && bool(load(kernel, name, "from the cache, "));
  }

  Status load(int kernel, const std::string &name, const std::string &how) {
    const kernels::KernelInfo &wanted = manifest().kernels[static_cast<std::size_t>(kernel)];
    auto object = kernels::SharedObject::open(context_->cache().path(name), manifest().target);
    if (!object) return object.error();
    const auto &kernels = (*object)->manifest().kernels;
    if (std::ranges::none_of(kernels, [&](const kernels::KernelInfo &k) { return same_kernel(wanted, k); }))
      return Error{"kernel " + wanted.entry + ": the generator's plan and text do not agree; rebuild it"};
    Slot &slot = slots_[static_cast<std::size_t>(kernel)];
    slot.object = *std::move(object);
    slot.origin = how + slot.object->path();
    slot.function = slot.object->entry(wanted.entry);
    if (context_->noted)
      CacheIndex(manifest().spec_hash, manifest().target_name).note(context_->cache(), plan_id_, wanted.entry, name);
    return Ok{};
  }

  // Text and shared object of one kernel into the cache; the object's name. Called from several threads.
  Result<std::string> make(int kernel, const Cancelled &cancelled) const {
    const Cache &cache = context_->cache();
    if (cache.folder().empty()) return Error{cache.note()};
    const Temporary text{temporary_beside(cache.path("x"))};
    const Temporary binary{temporary_beside(cache.path("x"))};
    const auto source = context_->generator->text(manifest().target_name, entry(kernel), cancelled);
    if (!source) return source.error();
    if (auto ok = write_file(text.path, *source); !ok) return ok.error();
    const std::string hash = sha256_hex(*source), name = object_name(hash);
    if (!cache.sound(name)) {  // another spec or process may have made the same text
      if (auto ok = context_->compiler.compile(manifest().target, text.path, binary.path, cancelled); !ok)
        return Error{"kernel " + entry(kernel) + ": " + ok.error().message, ok.error().exit_code};
      const auto object = read_file(binary.path);
      if (!object) return object.error();
      if (auto ok = cache.store(name, *object); !ok) return ok.error();
    }
    if (auto ok = cache.store(index_name(kernel), hash); !ok) return ok.error();
    return name;
  }

  Status generate(std::span<const int> kernels, const Cancelled &cancelled) {
    if (kernels.empty()) return Ok{};
    std::vector<Result<std::string>> made(kernels.size(), Error{"not made"});
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i; (i = next++) < kernels.size();) {
        try {
          made[i] = make(kernels[i], cancelled);
        } catch (const std::exception &e) {
          made[i] = Error{std::string("cannot generate: ") + e.what()};
        }
      }
    };
    {
      std::vector<std::jthread> helpers;
      const std::size_t most = std::min<std::size_t>(kernels.size(), std::max(1u, std::thread::hardware_concurrency()));
      for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
      work();
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      Status loaded = made[i] ? load(kernels[i], *made[i], "generated, ") : Status(made[i].error());
      // Someone may clear the cache between making and loading: make it once more.
      for (int turn = 0; turn < 2 && made[i] && !loaded && !context_->cache().sound(*made[i]); ++turn) {
        made[i] = make(kernels[i], cancelled);
        loaded = made[i] ? load(kernels[i], *made[i], "generated, ") : Status(made[i].error());
      }
      if (!loaded) return loaded;
    }
    return Ok{};
  }

  std::shared_ptr<const Context> context_;
  std::string plan_id_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
};

class GenerationImpl : public Generation {
 public:
  explicit GenerationImpl(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  std::unique_ptr<CpuKernels> cached(Isa target) override {
    auto manifest = context_->generator->cached_plan(std::string(isa_name(target)));
    return manifest ? std::make_unique<GeneratedKernels>(context_, *std::move(manifest)) : nullptr;
  }

  Result<std::unique_ptr<CpuKernels>> plan(Isa target, const Cancelled &cancelled) override {
    auto manifest = context_->generator->plan(std::string(isa_name(target)), cancelled);
    if (!manifest) return manifest.error();
    return std::unique_ptr<CpuKernels>(new GeneratedKernels(context_, *std::move(manifest)));
  }

 private:
  std::shared_ptr<Context> context_;
};

}  // namespace

Result<std::unique_ptr<Generation>> Generation::prepare(const SpecRef &spec, const Sources &sources,
                                                        const Cancelled &cancelled) {
  auto generator = compile::Generator::prepare(spec, sources);
  if (!generator) return generator.error();
  auto compiler = compile::find_compiler(sources.compiler, (*generator)->cache(), cancelled);
  if (!compiler) return Error{"no generation: " + compiler.error().message, compiler.error().exit_code};
  return std::unique_ptr<Generation>(new GenerationImpl(
      std::make_shared<Context>(Context{*std::move(generator), *std::move(compiler), is_usual(sources)})));
}

}  // namespace alnsmith::rt::sources
