// Stores over compiled files, and the order in which sources are asked.  See store.hpp.
#include "sources/store.hpp"

#include <algorithm>
#include <filesystem>

#include "base/isa.hpp"
#include "packs/search.hpp"
#include "sources/jit.hpp"

namespace alnsmith::rt {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class FileStore : public Store {
 public:
  explicit FileStore(std::unique_ptr<SharedObject> object) : object_(std::move(object)) {
    manifest_ = object_->manifest();
    for (const KernelInfo &kernel : manifest_.kernels) functions_.push_back(object_->entry(kernel.entry));
  }
  Status obtain(std::span<const int>, const std::function<bool()> &) override { return Ok{}; }
  KernelFn function(int kernel) const override { return functions_[static_cast<std::size_t>(kernel)]; }
  Lines provenance() const override {
    Lines lines;
    for (const KernelInfo &kernel : manifest_.kernels) lines.push_back(kernel.entry + ": from " + object_->path());
    return lines;
  }

 private:
  std::unique_ptr<SharedObject> object_;
  std::vector<KernelFn> functions_;
};

// Another store, with what find_store noted on the way to it.
class NotedStore : public Store {
 public:
  NotedStore(std::unique_ptr<Store> store, Lines notes) : store_(std::move(store)), notes_(std::move(notes)) {
    manifest_ = store_->manifest();
  }
  Status obtain(std::span<const int> kernels, const std::function<bool()> &cancelled) override {
    return store_->obtain(kernels, cancelled);
  }
  KernelFn function(int kernel) const override { return store_->function(kernel); }
  Lines provenance() const override {
    Lines lines = notes_;
    for (auto &line : store_->provenance()) lines.push_back(std::move(line));
    return lines;
  }

 private:
  std::unique_ptr<Store> store_;
  Lines notes_;
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

// The first compiled file of the folder with this spec and target, then its packs; damaged and foreign ones are noted
// and skipped. The folder may also be a pack.
std::unique_ptr<Store> search_folder(const std::string &folder, const SpecRef &spec, Isa target, PackSearch &packs,
                                     Lines &notes) {
  std::error_code error;
  std::vector<std::pair<int, std::string>> files;
  const bool is_pack = packs_at(folder) == Lines{folder};
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (at->path().extension() != ".so") continue;
    if (const int r = rank(name, spec, target); r < 2) files.emplace_back(r, at->path().string());
  }
  if (error && !is_pack) notes.push_back(folder + ": cannot be listed: " + error.message());
  std::sort(files.begin(), files.end());
  for (const auto &[r, path] : files) {
    auto object = SharedObject::open(path, target);
    if (!object) {
      notes.push_back(object.error().message);
      continue;
    }
    const Manifest &m = (*object)->manifest();
    if (m.target == target && m.spec_hash == spec.hash)
      return std::unique_ptr<Store>(new FileStore(*std::move(object)));
    if (r == 0) notes.push_back(path + ": skipped: holds another spec or target than its name says");
  }
  if (auto object = packs.cpu(folder, spec, target, notes))
    return std::unique_ptr<Store>(new FileStore(std::move(object)));
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<Store>> open_file_store(const std::string &path, Isa widest) {
  auto object = SharedObject::open(path, widest);
  if (!object) return object.error();
  return std::unique_ptr<Store>(new FileStore(*std::move(object)));
}

Result<std::unique_ptr<Store>> find_store(const SpecRef &spec, const Sources &sources, Isa widest,
                                          const std::function<bool()> &cancelled) {
  Lines notes;
  std::optional<Error> refusal;  // the generator's first: it knows best what is wrong with a spec
  auto generation = Generation::prepare(spec, sources, cancelled);
  if (!generation) {
    if (generation.error().exit_code == 130) return generation.error();
    notes.push_back(generation.error().message);
  }
  PackSearch packs;
  const auto folders = [&](Isa target) -> std::unique_ptr<Store> {
    for (const std::string &folder : sources.kernel_dirs)
      if (auto store = search_folder(folder, spec, target, packs, notes)) return store;
    if (!sources.kernel_dirs.empty()) notes.push_back(std::string(isa_name(target)).append(none_here));
    return nullptr;
  };
  const auto generated = [&](Isa target) -> std::unique_ptr<Store> {
    if (!generation) return nullptr;
    auto store = (*generation)->plan(target, cancelled);
    if (store) return *std::move(store);
    notes.push_back(std::string(isa_name(target)) + ": not generated: " + store.error().message);
    if (!refusal || store.error().exit_code == 130) refusal = store.error();
    return nullptr;
  };
  // A choice given by hand means this kernel or none.
  if (!sources.choice.empty()) {
    if (!generation) return generation.error();
    if (auto store = (*generation)->cached(widest)) return store;
    return (*generation)->plan(widest, cancelled);
  }
  // Templates or tables given by hand mean kernels from these, not compiled ones made from others.
  const bool own_templates = !sources.templates_dir.empty() || !sources.tuned_dir.empty();
  for (const Isa target : up_to(widest)) {
    auto store = generation ? (*generation)->cached(target) : nullptr;
    if (!store) store = own_templates ? generated(target) : folders(target);
    if (refusal && refusal->exit_code == 130) return *refusal;
    if (!store) store = own_templates ? folders(target) : generated(target);
    if (refusal && refusal->exit_code == 130) return *refusal;
    if (store) return std::unique_ptr<Store>(new NotedStore(std::move(store), std::move(notes)));
  }
  if (refusal) return *refusal;
  std::string why;
  for (const std::string &note : notes)
    if (!note.ends_with(none_here)) why += (why.empty() ? "" : "; ") + note;
  if (!sources.kernel_dirs.empty())
    why += (why.empty() ? "" : "; ") + std::string("no compiled kernels of it for ") + std::string(isa_name(widest)) +
           (widest.rank == 0 ? "" : " or narrower") + " in " + joined(sources.kernel_dirs);
  return Error{"no kernels for the spec '" + spec.name + "': " + (why.empty() ? "no source was given" : why)};
}

}  // namespace alnsmith::rt
