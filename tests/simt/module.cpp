// A loaded kernel object, and launches: the blocks of a grid are dealt to host threads.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "block.h"
#include "compile.h"

namespace simt {

struct Module::Object {
  std::unique_ptr<ObjectFile> file;
  void *handle = nullptr;
  const Entry *entries = nullptr;
  std::vector<Kernel> kernels;
  Range image;
  Dialect dialect = Dialect::cuda;
  bool count = false;

  ~Object() {
    if (handle) dlclose(handle);
  }
};

namespace {

// Where the object's segments lie.
Range image_of(const void *address) {
  struct Search {
    std::uintptr_t wanted;
    Range found;
  } search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *data) {
        auto &state = *static_cast<Search *>(data);
        std::uintptr_t low = ~std::uintptr_t{0}, high = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto &segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          low = std::min<std::uintptr_t>(low, info->dlpi_addr + segment.p_vaddr);
          high = std::max<std::uintptr_t>(high, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        if (state.wanted < low || state.wanted >= high) return 0;
        state.found = {reinterpret_cast<const void *>(low), reinterpret_cast<const void *>(high)};
        return 1;
      },
      &search);
  return search.found;
}

void require(bool holds, const std::string &entry, const std::string &what) {
  if (!holds) throw std::runtime_error("simt: launch of " + entry + ": " + what);
}

}  // namespace

bool address_sanitized() { return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr; }

Module compile(const std::string &text, Dialect dialect, const Build &build) {
  if (build.address && !address_sanitized()) {
    throw std::runtime_error("simt: a build with AddressSanitizer needs a process with AddressSanitizer");
  }
  auto object = std::make_shared<Module::Object>();
  object->file = compile_object(text, dialect, build);
  object->handle = dlopen(object->file->path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object->handle) throw std::runtime_error(std::string("simt: ") + dlerror());
  object->entries = static_cast<const Entry *>(dlsym(object->handle, "simt_entries"));
  const auto bind = reinterpret_cast<void (*)(const Services *)>(dlsym(object->handle, "simt_bind"));
  if (!object->entries || !bind) throw std::runtime_error("simt: " + object->file->path() + " is no kernel object");
  bind(&services);
  for (const Entry *entry = object->entries; entry->name; ++entry) {
    object->kernels.push_back({entry->name, {entry->sizes, entry->sizes + entry->parameters}, entry->threads});
  }
  object->image = image_of(object->entries);
  object->dialect = dialect;
  object->count = build.count;
  Module module;
  module.object_ = object;
  return module;
}

const std::vector<Module::Kernel> &Module::kernels() const { return object_->kernels; }

bool Module::has(const std::string &entry) const {
  for (const Kernel &kernel : kernels()) {
    if (kernel.name == entry) return true;
  }
  return false;
}

Counters Module::launch(const std::string &entry, int grid, int block, std::size_t shared_bytes,
                        std::span<void *const> arguments, const Settings &settings) const {
  const Entry *kernel = object_->entries;
  while (kernel->name && entry != kernel->name) ++kernel;
  require(kernel->name, entry, "there is no such kernel in the module");
  require(grid >= 1 && block >= 1 && block <= 1024, entry, "a grid has 1 block or more, a block 1 to 1024 threads");
  require(kernel->threads == 0 || block <= kernel->threads, entry,
          std::to_string(block) + " threads exceed the launch bound " + std::to_string(kernel->threads));
  require(arguments.size() == static_cast<std::size_t>(kernel->parameters), entry,
          std::to_string(arguments.size()) + " arguments for " + std::to_string(kernel->parameters) + " parameters");
  require(settings.warp == 32 || (settings.warp == 64 && object_->dialect == Dialect::hip), entry,
          "a warp has 32 lanes, or 64 under HIP");

  const Job job{kernel,
                arguments.data(),
                static_cast<unsigned>(grid),
                static_cast<unsigned>(block),
                static_cast<unsigned>(settings.warp),
                shared_bytes,
                settings.seed,
                object_->count,
                object_->image};
  std::atomic<int> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  int failed_block = grid;
  Counters total;
  const auto work = [&] {
    Block runner(job);
    for (int index = next++; index < grid; index = next++) {
      try {
        runner.run(static_cast<unsigned>(index));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (index < failed_block) failure = std::current_exception(), failed_block = index;
        next = grid;
      }
    }
    const std::lock_guard lock(mutex);
    total += runner.counters;
  };
  std::vector<std::thread> others;
  for (int i = 1; i < std::min(settings.host_threads, grid); ++i) others.emplace_back(work);
  work();
  for (std::thread &other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  return total;
}

}  // namespace simt
