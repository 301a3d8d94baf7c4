// See strips_beside.h.
#include "sources/strips_beside.h"

#include <algorithm>

#include "base/isa.h"

namespace alnsmith::rt::sources {
namespace {

// Where a kernel is: of which source, and its index there.
struct Place {
  bool beside;
  int index;
};

struct Joined {
  kernels::Manifest manifest;
  std::vector<Place> places;
};

// The others' strips behind the last of the own kernels of their form, levels after it.
Joined join(const kernels::Manifest &own, const kernels::Manifest &beside) {
  Joined joined{own, {}};
  std::vector<kernels::KernelInfo> &kernels = joined.manifest.kernels;
  kernels.clear();
  int level = 0;
  const auto add = [&](bool other, int index) {
    kernels.push_back((other ? beside : own).kernels[static_cast<std::size_t>(index)]);
    joined.places.push_back({other, index});
  };
  const auto count = [](const kernels::Manifest &manifest) { return static_cast<int>(manifest.kernels.size()); };
  const auto add_strips = [&] {
    int last = -1;
    for (int i = 0; i < count(beside); ++i) {
      const kernels::KernelInfo &kernel = beside.kernels[static_cast<std::size_t>(i)];
      if (!kernel.strips()) continue;
      level += last >= 0 && kernel.level != last;
      last = kernel.level;
      add(true, i);
      kernels.back().level = level;
    }
  };
  bool added = false;
  for (int i = 0; i < count(own); ++i) {
    const kernels::KernelInfo &kernel = own.kernels[static_cast<std::size_t>(i)];
    if (!added && kernel.form > Form::split) add_strips(), added = true;
    if (kernel.strips()) continue;
    add(false, i);
    if (kernel.form == Form::split) level = kernel.level + 1;
  }
  if (!added) add_strips();
  joined.manifest.measure_kernels();
  constexpr auto split = static_cast<std::size_t>(Form::split);
  joined.manifest.absent[split] += beside.absent[split];
  return joined;
}

class StripsBeside : public CpuKernels {
 public:
  StripsBeside(Joined joined, std::unique_ptr<CpuKernels> own, std::unique_ptr<CpuKernels> beside)
      : CpuKernels(std::move(joined.manifest)),
        places_(std::move(joined.places)),
        own_(std::move(own)),
        beside_(std::move(beside)) {}

  Status obtain(std::span<const int> kernels, const Cancelled &cancelled) override {
    std::vector<int> own, beside;
    for (const int kernel : kernels) {
      const Place &place = places_[static_cast<std::size_t>(kernel)];
      (place.beside ? beside : own).push_back(place.index);
    }
    if (!own.empty())
      if (auto ok = own_->obtain(own, cancelled); !ok) return ok;
    return beside.empty() ? Status(Ok{}) : beside_->obtain(beside, cancelled);
  }
  kernels::KernelFn kernel(int index) const override {
    const Place &place = places_[static_cast<std::size_t>(index)];
    return (place.beside ? *beside_ : *own_).kernel(place.index);
  }

 private:
  // Those of kernels that are in it, and what was skipped on the way to either.
  std::vector<std::string> origins() const override {
    std::vector<std::string> lines;
    for (const bool other : {false, true}) {
      const CpuKernels &source = other ? *beside_ : *own_;
      for (std::string &line : source.provenance())
        if (const kernels::KernelInfo *kernel = named(source.manifest(), line); !kernel || kernel->strips() == other)
          lines.push_back(std::move(line));
    }
    return lines;
  }
  static const kernels::KernelInfo *named(const kernels::Manifest &manifest, const std::string &line) {
    const auto found = std::ranges::find_if(
        manifest.kernels, [&](const kernels::KernelInfo &kernel) { return line.starts_with(kernel.entry + ":"); });
    return found == manifest.kernels.end() ? nullptr : &*found;
  }

  std::vector<Place> places_;
  std::unique_ptr<CpuKernels> own_, beside_;
};

}  // namespace

std::optional<Isa> strips_target(Isa target, int vector) {
  const targets::Cpu *row = row_of(target);
  if (!row || vector <= 0 || row->bytes <= vector) return std::nullopt;
  for (const Isa narrower : up_to(target))
    if (const targets::Cpu *other = row_of(narrower); other && other->bytes == vector) return narrower;
  return std::nullopt;
}

bool wants_strips(const kernels::Manifest &kernels) {
  return kernels.matrix == kernels::MatrixKind::none &&
         std::ranges::any_of(kernels.kernels, [&](const kernels::KernelInfo &kernel) {
           return kernel.strips() && (kernel.width < 32 || kernels.band_width);
         });
}

std::unique_ptr<CpuKernels> with_strips(std::unique_ptr<CpuKernels> kernels, std::unique_ptr<CpuKernels> beside) {
  const auto widest = [](const CpuKernels &source) {
    int width = 0;
    for (const kernels::KernelInfo &kernel : source.manifest().kernels)
      if (kernel.strips()) width = std::max(width, kernel.width);
    return width;
  };
  if (!beside || !wants_strips(beside->manifest()) || beside->manifest().outputs != kernels->manifest().outputs ||
      widest(*beside) < widest(*kernels))
    return kernels;
  std::vector<std::string> warnings = kernels->warnings();
  for (const std::string &note : beside->warnings())
    if (std::ranges::find(warnings, note) == warnings.end()) warnings.push_back(note);
  Joined joined = join(kernels->manifest(), beside->manifest());
  std::unique_ptr<CpuKernels> both(new StripsBeside(std::move(joined), std::move(kernels), std::move(beside)));
  both->set_warnings(std::move(warnings));
  return both;
}

}  // namespace alnsmith::rt::sources
