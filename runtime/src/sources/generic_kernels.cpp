// See generic_kernels.h.
#include "sources/generic_kernels.h"

#include <algorithm>

namespace alnsmith::rt::sources {
namespace {

template <class Kernel>
class Serving : public KernelSource<Kernel> {
 public:
  Serving(kernels::Manifest manifest, std::unique_ptr<KernelSource<Kernel>> kernels)
      : KernelSource<Kernel>(std::move(manifest)), kernels_(std::move(kernels)) {}
  Status obtain(std::span<const int> kernels, const Cancelled &cancelled) override {
    return kernels_->obtain(kernels, cancelled);
  }
  Kernel kernel(int index) const override { return kernels_->kernel(index); }

 private:
  std::vector<std::string> origins() const override { return kernels_->provenance(); }

  std::unique_ptr<KernelSource<Kernel>> kernels_;
};

std::optional<std::uint64_t> shorter(std::optional<std::uint64_t> own, std::uint64_t wanted) {
  if (wanted == 0) return own;
  return own ? std::min(*own, wanted) : wanted;
}

// Writes what the spec fixes into the manifest, as folded values stand there; why not, or empty.
std::string fix(const GenericSpec &generic, kernels::Manifest &m) {
  m.minimize = generic.minimize;
  for (const auto &[name, value] : generic.scoring.values) {
    const auto found = std::ranges::find_if(kScoringValues, [&](const auto &row) { return row.name == name; });
    const auto i = static_cast<std::size_t>(found - kScoringValues);
    if (found == std::end(kScoringValues) || !m.runtime[i]) return "fix " + name;
    m.runtime[i] = false;
    m.scoring[i] = m.minimize && found->kind == ScoringValue::score ? -value : value;
  }
  const std::size_t n = m.letters.size();
  if (!generic.scoring.matrix.empty()) {
    if (m.matrix != kernels::MatrixKind::runtime || generic.scoring.matrix.size() != n * n)
      return "have another matrix";
    m.fixed_matrix = generic.scoring.matrix;
  }
  m.max_query = shorter(m.max_query, generic.max_query);
  m.max_target = shorter(m.max_target, generic.max_target);
  return "";
}

}  // namespace

template <class Kernel>
std::unique_ptr<KernelSource<Kernel>> serve_spec(std::unique_ptr<KernelSource<Kernel>> kernels, const SpecRef &spec,
                                                 std::vector<std::string> &skipped) {
  kernels::Manifest manifest = kernels->manifest();
  if (const std::string why = fix(*spec.generic, manifest); !why.empty()) {
    skipped.push_back("generic kernels of " + manifest.spec_name + ": skipped: they " + why);
    return nullptr;
  }
  const std::string note = "no kernels of the spec '" + spec.name + "' are at hand: generic kernels of '" +
                           manifest.spec_name +
                           "' serve it, with its scoring passed at run time; exact, but they may be slower than its " +
                           "own, which a pack brings (`alnsmith pack build`)";
  manifest.spec_name = spec.name;
  std::unique_ptr<KernelSource<Kernel>> serving(new Serving<Kernel>(std::move(manifest), std::move(kernels)));
  serving->set_warnings({note});
  return serving;
}

template std::unique_ptr<CpuKernels> serve_spec(std::unique_ptr<CpuKernels>, const SpecRef &,
                                                std::vector<std::string> &);
template std::unique_ptr<DeviceKernels> serve_spec(std::unique_ptr<DeviceKernels>, const SpecRef &,
                                                   std::vector<std::string> &);

}  // namespace alnsmith::rt::sources
