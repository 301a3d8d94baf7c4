// See linked.h. In: tables that the generator printed, maybe of another version. Out: a source or one line of why
// not.
#include "sources/linked.h"

#include <algorithm>
#include <cstring>

#include "sources/strips_beside.h"

namespace alnsmith::rt::sources {
namespace {

using Lines = std::vector<std::string>;

class LinkedKernels : public CpuKernels {
 public:
  LinkedKernels(kernels::Manifest manifest, std::vector<kernels::KernelFn> functions, std::string name)
      : CpuKernels(std::move(manifest)), functions_(std::move(functions)), name_(std::move(name)) {}
  Status obtain(std::span<const int>, const Cancelled &) override { return Ok{}; }
  kernels::KernelFn kernel(int kernel) const override { return functions_[static_cast<std::size_t>(kernel)]; }
  Lines origins() const override {
    Lines lines;
    for (const kernels::KernelInfo &kernel : manifest().kernels)
      lines.push_back(kernel.entry + ": linked in as " + name_);
    return lines;
  }

 private:
  std::vector<kernels::KernelFn> functions_;
  std::string name_;
};

Result<std::unique_ptr<CpuKernels>> open_unit(const alnsmith_linked_unit &unit, const std::string &name, Isa target) {
  const std::string where = name + " for " + unit.target + ": ";
  auto manifest = kernels::parse_manifest(unit.manifest);
  if (!manifest) return Error{where + manifest.error().message};
  if (manifest->for_device || manifest->target != target)
    return Error{where + "holds kernels for " + manifest->target_name + "; generate it anew"};
  std::vector<kernels::KernelFn> functions;
  const std::span<const alnsmith_linked_entry> entries(unit.entries, unit.entry_count);
  for (const kernels::KernelInfo &kernel : manifest->kernels) {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const alnsmith_linked_entry &entry) {
      return entry.name && kernel.entry == entry.name && entry.function;
    });
    if (at == entries.end()) return Error{where + "the entry " + kernel.entry + " is missing; generate it anew"};
    functions.push_back(at->function);
  }
  return std::unique_ptr<CpuKernels>(new LinkedKernels(*std::move(manifest), std::move(functions), name));
}

}  // namespace

Result<std::unique_ptr<CpuKernels>> open_linked_kernels(const alnsmith_linked_kernels &kernels, Isa widest,
                                                        int vector) {
  const std::string name = kernels.name ? kernels.name : "linked kernels";
  if (kernels.version != ALNSMITH_LINKED_VERSION)
    return Error{name + ": made for another version of alnsmith (tables of version " + std::to_string(kernels.version) +
                 ", this library reads " + std::to_string(ALNSMITH_LINKED_VERSION) + "); generate it anew"};
  const std::span<const alnsmith_linked_unit *const> units(kernels.units, kernels.unit_count);
  Lines skipped;
  std::string targets;
  for (const alnsmith_linked_unit *unit : units)
    if (unit && unit->target) targets += (targets.empty() ? "" : ", ") + std::string(unit->target);
  const auto at = [&](Isa target) -> std::unique_ptr<CpuKernels> {
    for (const alnsmith_linked_unit *unit : units) {
      if (!unit || !unit->target || !unit->manifest || isa_name(target) != unit->target) continue;
      auto found = open_unit(*unit, name, target);
      if (found) return *std::move(found);
      skipped.push_back(found.error().message);
    }
    return nullptr;
  };
  for (const Isa target : up_to(widest)) {
    auto found = at(target);
    if (!found) continue;
    if (const auto narrower = strips_target(target, vector)) found = with_strips(std::move(found), at(*narrower));
    found->set_skipped(std::move(skipped));
    return found;
  }
  std::string why;
  for (const std::string &line : skipped) why += (why.empty() ? "" : "; ") + line;
  if (why.empty())
    why = name + ": has kernels for " + (targets.empty() ? "no target" : targets) +
          ", this CPU or the given limit has " + std::string(isa_name(widest)) + "; add a narrower one to its TARGETS";
  return Error{why};
}

}  // namespace alnsmith::rt::sources
