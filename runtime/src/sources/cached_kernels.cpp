// See cached_kernels.h.
#include "sources/cached_kernels.h"

#include <algorithm>
#include <tuple>

namespace alnsmith::rt::sources {
namespace {

class CachedKernels : public CpuKernels {
 public:
  CachedKernels(kernels::Manifest manifest, std::vector<std::unique_ptr<kernels::SharedObject>> objects)
      : CpuKernels(std::move(manifest)), objects_(std::move(objects)) {
    for (std::size_t i = 0; i < objects_.size(); ++i)
      functions_.push_back(objects_[i]->entry(this->manifest().kernels[i].entry));
  }
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  kernels::KernelFn kernel(int index) const override { return functions_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<std::string> origins() const override {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < objects_.size(); ++i)
      lines.push_back(manifest().kernels[i].entry + ": from the cache, " + objects_[i]->path());
    return lines;
  }

  std::vector<std::unique_ptr<kernels::SharedObject>> objects_;  // by kernel
  std::vector<kernels::KernelFn> functions_;
};

}  // namespace

bool same_kernel(const kernels::KernelInfo &planned, const kernels::KernelInfo &loaded) {
  const auto all = [](const kernels::KernelInfo &k) {
    return std::tie(k.entry, k.form, k.width, k.lanes, k.k, k.query_in_registers, k.ends, k.scratch_fixed,
                    k.scratch_per_letter);
  };
  return all(planned) == all(loaded);
}

std::string partial_note(std::size_t there, std::size_t planned, const std::string &target) {
  return "the cache holds " + std::to_string(there) + " of " + std::to_string(planned) + " kernels for " + target +
         " and nothing can be generated here: what only the others can score is refused; bring them in a pack "
         "(`alnsmith pack build`)";
}

std::unique_ptr<CpuKernels> open_cached_kernels(const Cache &cache, const SpecRef &spec, Isa target, bool partial,
                                                std::vector<std::string> &skipped, const CacheIndex::Filter &wanted) {
  const std::string name(isa_name(target));
  auto found = CacheIndex(spec.hash, name).find(cache, wanted);
  if (!found || found->manifest.for_device || found->manifest.target != target || (!partial && !found->complete()))
    return nullptr;
  std::vector<kernels::KernelInfo> kernels;
  std::vector<std::unique_ptr<kernels::SharedObject>> objects;
  auto &absent = found->manifest.absent;
  for (std::size_t i = 0; i < found->files.size(); ++i) {
    const kernels::KernelInfo &planned = found->manifest.kernels[i];
    const auto is_planned = [&](const kernels::KernelInfo &kernel) { return same_kernel(planned, kernel); };
    auto object = kernels::SharedObject::open(cache.path(found->files[i]), target);
    if (!object) skipped.push_back(object.error().message);
    if (!object || std::ranges::none_of((*object)->manifest().kernels, is_planned)) {
      ++absent[static_cast<std::size_t>(planned.form)];
      continue;
    }
    kernels.push_back(planned);
    objects.push_back(*std::move(object));
  }
  if (objects.empty() || (!partial && objects.size() < found->planned)) return nullptr;
  found->manifest.kernels = std::move(kernels);
  std::unique_ptr<CpuKernels> source(new CachedKernels(std::move(found->manifest), std::move(objects)));
  const std::size_t there = source->manifest().kernels.size();
  if (there < found->planned) source->set_warnings({partial_note(there, found->planned, name)});
  return source;
}

}  // namespace alnsmith::rt::sources
