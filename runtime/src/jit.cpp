// Generation at run time.  See jit.hpp.
//
// Identity first: (generator, templates, spec, target) names a plan and, with an entry, the key of a text, so that a
// second run starts no program.  (text, target, compiler, flags) names the shared object.
#include "jit.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "cache.hpp"
#include "compiler.hpp"
#include "files.hpp"
#include "process.hpp"

namespace alnsmith::rt {
namespace {

namespace fs = std::filesystem;

// Removes a half-made file however its scope is left.
struct Temporary {
  std::string path;
  ~Temporary() { ::unlink(path.c_str()); }
};

// SHA-256 over names and contents of all files below, sorted.
Result<std::string> folder_hash(const std::string &folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file()) files.push_back(at->path());
  if (error) return Error{folder + ": cannot read the templates: " + error.message()};
  std::sort(files.begin(), files.end());
  std::string list;
  for (const fs::path &file : files) {
    auto bytes = read_file(file.string());
    if (!bytes) return bytes.error();
    list += fs::relative(file, folder, error).string() + "\n" + sha256_hex(*bytes) + "\n";
  }
  return sha256_hex(list);
}

// What all targets of one spec share.
struct Context {
  SpecRef spec;
  Sources sources;
  std::string generator, identity;
  Cache cache;
  Compiler compiler;
  Context(const SpecRef &s, const Sources &from) : spec(s), sources(from), cache(from.cache_dir) {}

  // Runs a subcommand of the generator; what it complains about is the error.
  Result<std::string> ask(std::vector<std::string> words, const std::function<bool()> &cancelled) const {
    words.insert(words.begin(), generator);
    if (!sources.templates_dir.empty()) words.insert(words.end(), {"--templates", sources.templates_dir});
    auto result = run_process(words, cancelled);
    if (!result) return result.error();
    if (result->exit_code == 0) return std::move(result->out);
    std::string line = result->err.substr(0, result->err.find('\n'));
    if (line.empty()) line = generator + " ended with exit code " + std::to_string(result->exit_code);
    return Error{line, result->exit_code == 2 ? 2 : 1};
  }
};

class JitStore : public Store {
 public:
  JitStore(std::shared_ptr<const Context> context, Manifest manifest, std::string plan_id)
      : context_(std::move(context)), plan_id_(std::move(plan_id)), slots_(manifest.kernels.size()) {
    manifest_ = std::move(manifest);
  }

  KernelFn function(int kernel) const override { return slots_[static_cast<std::size_t>(kernel)].function.load(); }

  Status obtain(std::span<const int> kernels, const std::function<bool()> &cancelled) override {
    const auto ready = [&](int k) { return function(k) != nullptr; };
    if (std::all_of(kernels.begin(), kernels.end(), ready)) return Ok{};
    const std::lock_guard lock(mutex_);
    std::vector<int> missing;
    for (int kernel : kernels)
      if (!ready(kernel) && !load_cached(kernel)) missing.push_back(kernel);
    return generate(missing, cancelled);
  }

  std::vector<std::string> provenance() const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      lines.push_back(manifest_.kernels[i].entry + ": " + slots_[i].origin);
    return lines;
  }

 private:
  struct Slot {
    std::atomic<KernelFn> function{nullptr};
    std::unique_ptr<SharedObject> object;
    std::string origin = "not needed yet";
  };

  const std::string &entry(int kernel) const { return manifest_.kernels[static_cast<std::size_t>(kernel)].entry; }
  std::string index_name(int kernel) const { return "text-" + sha256_hex(plan_id_ + "\n" + entry(kernel)); }
  std::string object_name(const std::string &text_hash) const {
    std::string key = text_hash + "\n" + std::string(isa_name(manifest_.target)) + "\n" + context_->compiler.identity;
    for (const auto &flag : context_->compiler.flags(manifest_.target)) key += "\n" + flag;
    return "kernel-" + sha256_hex(key) + ".so";
  }

  bool load_cached(int kernel) {
    const auto hash = context_->cache.load(index_name(kernel));
    if (!hash) return false;
    const std::string name = object_name(*hash);
    return context_->cache.sound(name) && bool(load(kernel, name, "from the cache, "));
  }

  Status load(int kernel, const std::string &name, const std::string &how) {
    const KernelInfo &wanted = manifest_.kernels[static_cast<std::size_t>(kernel)];
    auto object = SharedObject::open(context_->cache.path(name), manifest_.target);
    if (!object) return object.error();
    const auto &kernels = (*object)->manifest().kernels;
    const auto same = [&](const KernelInfo &k) {
      return k.entry == wanted.entry && k.form == wanted.form && k.width == wanted.width && k.lanes == wanted.lanes &&
             k.k == wanted.k && k.query_in_registers == wanted.query_in_registers && k.segments == wanted.segments &&
             k.scratch_fixed == wanted.scratch_fixed && k.scratch_per_letter == wanted.scratch_per_letter;
    };
    if (std::none_of(kernels.begin(), kernels.end(), same))
      return Error{"kernel " + wanted.entry + ": the generator's plan and text do not agree; rebuild it"};
    Slot &slot = slots_[static_cast<std::size_t>(kernel)];
    slot.object = *std::move(object);
    slot.origin = how + slot.object->path();
    slot.function = slot.object->entry(wanted.entry);
    return Ok{};
  }

  // Text and shared object of one kernel into the cache; the object's name. Called from several threads.
  Result<std::string> make(int kernel, const std::function<bool()> &cancelled) const {
    const Cache &cache = context_->cache;
    if (cache.folder().empty()) return Error{cache.note()};
    const Temporary text{temporary_beside(cache.path("x"))};
    const Temporary binary{temporary_beside(cache.path("x"))};
    auto said = context_->ask({"text", context_->spec.path, "--target", std::string(isa_name(manifest_.target)),
                               "--kernel", entry(kernel), "-o", text.path},
                              cancelled);
    if (!said) return said.error();
    const auto source = read_file(text.path);
    if (!source) return source.error();
    const std::string hash = sha256_hex(*source), name = object_name(hash);
    if (!cache.sound(name)) {  // another spec or process may have made the same text
      if (auto ok = context_->compiler.compile(manifest_.target, text.path, binary.path, cancelled); !ok)
        return Error{"kernel " + entry(kernel) + ": " + ok.error().message, ok.error().exit_code};
      const auto object = read_file(binary.path);
      if (!object) return object.error();
      if (auto ok = cache.store(name, *object); !ok) return ok.error();
    }
    if (auto ok = cache.store(index_name(kernel), hash); !ok) return ok.error();
    return name;
  }

  Status generate(std::span<const int> kernels, const std::function<bool()> &cancelled) {
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
      for (int turn = 0; turn < 2 && made[i] && !loaded && !context_->cache.sound(*made[i]); ++turn) {
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

  std::unique_ptr<Store> cached(Isa target) override {
    const auto text = context_->cache.load("plan-" + plan_id(target));
    if (!text) return nullptr;
    auto store = make(target, *text);
    return store ? *std::move(store) : nullptr;
  }

  Result<std::unique_ptr<Store>> plan(Isa target, const std::function<bool()> &cancelled) override {
    auto text = context_->ask({"plan", context_->spec.path, "--target", std::string(isa_name(target))}, cancelled);
    if (!text) return text.error();
    while (!text->empty() && text->back() == '\n') text->pop_back();
    auto store = make(target, *text);
    // A plan that cannot be kept is asked for again.
    if (store)
      if (auto kept = context_->cache.store("plan-" + plan_id(target), *text); !kept) return store;
    return store;
  }

 private:
  std::string plan_id(Isa target) const {
    return sha256_hex(context_->identity + "\n" + std::string(isa_name(target)));
  }

  Result<std::unique_ptr<Store>> make(Isa target, const std::string &text) {
    auto manifest = parse_manifest(text);
    if (!manifest) return Error{context_->generator + ": " + manifest.error().message};
    if (manifest->target != target || (!context_->spec.hash.empty() && manifest->spec_hash != context_->spec.hash))
      return Error{context_->generator + ": the plan is for another spec or target; rebuild the generator"};
    return std::unique_ptr<Store>(new JitStore(context_, *std::move(manifest), plan_id(target)));
  }

  std::shared_ptr<Context> context_;
};

}  // namespace

Result<std::unique_ptr<Generation>> Generation::prepare(const SpecRef &spec, const Sources &sources,
                                                        const std::function<bool()> &cancelled) {
  if (sources.generator.empty()) return Error{"this build cannot generate kernels (no alnsmith-generate)"};
  if (spec.path.empty()) return Error{"no generation: no spec file"};
  auto context = std::make_shared<Context>(spec, sources);
  context->generator = find_program(sources.generator);
  if (context->generator.empty()) return Error{"no generation: " + sources.generator + " is no program"};
  const auto text = read_file(spec.path);
  if (!text) return text.error();
  std::string templates = "own";
  if (!sources.templates_dir.empty()) {
    auto hash = folder_hash(sources.templates_dir);
    if (!hash) return hash.error();
    templates = *hash;
  }
  auto compiler = find_compiler(sources.compiler, context->cache, cancelled);
  if (!compiler) return Error{"no generation: " + compiler.error().message, compiler.error().exit_code};
  context->compiler = *compiler;
  context->identity = "alnsmith 1\n" + file_identity(context->generator) + "\n" + templates + "\n" + spec.hash + "\n" +
                      sha256_hex(*text);
  return std::unique_ptr<Generation>(new GenerationImpl(std::move(context)));
}

}  // namespace alnsmith::rt
