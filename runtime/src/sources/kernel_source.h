// Where kernels come from: one spec, one target, kernels obtained when a call needs them.
//
// The cache, folders of compiled kernels, packs, generation and the program itself are such sources; `find_cpu_kernels`
// and `find_device_kernels` ask them in one order (`first_source`).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/process.h"
#include "kernels/manifest.h"
#include "kernels/shared_object.h"

namespace alnsmith::rt::sources {

// `Kernel`: KernelFn, a function, on CPUs; on devices the binary that Executor::load takes.
template <class Kernel>
class KernelSource {
 public:
  explicit KernelSource(kernels::Manifest manifest) : manifest_(std::move(manifest)) {}
  virtual ~KernelSource() = default;
  KernelSource(const KernelSource &) = delete;
  KernelSource &operator=(const KernelSource &) = delete;

  // A device's kernel may turn out narrower than it was planned when it is obtained; its place stays.
  const kernels::Manifest &manifest() const { return manifest_; }
  // Makes kernel(i) valid for these indices of manifest().kernels, as long as the source lives. Thread-safe on CPUs; a
  // device's source is used by one thread at a time.
  virtual Status obtain(std::span<const int> kernels, const Cancelled &cancelled) = 0;
  virtual Kernel kernel(int index) const = 0;  // null before obtain

  // What was skipped on the way to this source and why, then where its kernels came from; one line each.
  std::vector<std::string> provenance() const {
    std::vector<std::string> lines = skipped_, own = origins();
    lines.insert(lines.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    return lines;
  }
  void set_skipped(std::vector<std::string> lines) { skipped_ = std::move(lines); }
  // What users should know of this source before they use it; one line each.
  const std::vector<std::string> &warnings() const { return warnings_; }
  void set_warnings(std::vector<std::string> lines) { warnings_ = std::move(lines); }

 protected:
  // Where each kernel came from, one line each.
  virtual std::vector<std::string> origins() const = 0;

  void replace(int kernel, kernels::KernelInfo info) {
    manifest_.kernels[static_cast<std::size_t>(kernel)] = std::move(info);
  }

 private:
  kernels::Manifest manifest_;
  std::vector<std::string> skipped_, warnings_;
};

using CpuKernels = KernelSource<kernels::KernelFn>;
using DeviceKernels = KernelSource<const std::string *>;

// Which sources a call's options ask for, and which of them first.
enum class SourceOrder { compiled_first, generated_first, generated_only };

// Templates or tables given by hand mean kernels from these, not compiled ones made from others; a choice given by hand
// means this kernel or none.
inline SourceOrder source_order(const Sources &sources) {
  if (!sources.choice.empty()) return SourceOrder::generated_only;
  const bool by_hand = !sources.templates_dir.empty() || !sources.tuned_dir.empty();
  return by_hand ? SourceOrder::generated_first : SourceOrder::compiled_first;
}

// Whether what is generated is what the spec means to everyone, not of templates or of a choice given by hand.
inline bool is_usual(const Sources &sources) { return sources.templates_dir.empty() && sources.choice.empty(); }

// The first source that there is for one target; each argument gives one or null. `cached`: a plan that the cache
// knows, so that no program is started; `compiled`: folders and packs; `generated`: after asking the generator for a
// plan or, where nothing can be generated, what earlier runs left in the cache.
template <class Source>
std::unique_ptr<Source> first_source(SourceOrder order, const std::function<std::unique_ptr<Source>()> &cached,
                                     const std::function<std::unique_ptr<Source>()> &compiled,
                                     const std::function<std::unique_ptr<Source>()> &generated) {
  auto found = cached();
  if (!found && order == SourceOrder::compiled_first) found = compiled();
  if (!found) found = generated();
  if (!found && order == SourceOrder::generated_first) found = compiled();
  return found;
}

// Where nothing can be generated and there is no whole set of the spec's own: kernels of its generic form, then a part
// of its own that earlier runs left in the cache. `targets`: from the best on; each argument gives one or null.
template <class Source, class Target>
std::unique_ptr<Source> last_source(const std::vector<Target> &targets,
                                    const std::function<std::unique_ptr<Source>(const Target &)> &generic,
                                    const std::function<std::unique_ptr<Source>(const Target &)> &part) {
  for (const auto &ask : {generic, part})
    for (const Target &target : targets)
      if (auto found = ask(target)) return found;
  return nullptr;
}

}  // namespace alnsmith::rt::sources
