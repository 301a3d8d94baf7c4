// The public class: opening, preparing, and calls in all their forms; run_call.h has what they come to.
#include <algorithm>

#include "align/align.h"
#include "align/alone.h"
#include "align/dense_sink.h"
#include "align/memory.h"
#include "align/packed_groups.h"
#include "base/guard.h"
#include "base/isa.h"
#include "device/schedule/schedule.h"
#include "run_call.h"
#include "sources/cpu_kernels.h"
#include "sources/linked.h"

namespace alnsmith {

struct Aligner::Impl {
  Impl(std::unique_ptr<rt::sources::CpuKernels> from, const Scoring &scoring, rt::schedule::DeviceSet set);
  // An aligner over kernels that can only run on the CPU; `name` is for messages.
  static Result<Aligner> cpu_only(std::unique_ptr<rt::sources::CpuKernels> source, const Options &options,
                                  const std::string &name);

  std::unique_ptr<rt::sources::CpuKernels> source;
  Scoring standing;  // given at open
  rt::schedule::DeviceSet devices;
  std::string target;
  std::shared_ptr<const int> token = std::make_shared<const int>();  // what Prepared knows its aligner by

  const rt::kernels::Manifest &manifest() const { return source->manifest(); }
};

struct Prepared::Impl {
  std::shared_ptr<const int> token;
  std::unique_ptr<rt::schedule::Targets> targets;  // null where they are packed
  std::span<const std::string_view> all;           // the targets
  std::optional<rt::align::PackedGroups> packed;
};

namespace {

using rt::guarded;
using rt::run_call;

Result<Isa> allowed(const Options &options) {
  auto best = best_isa();
  if (!best || !options.isa) return best;
  const auto cap = rt::host_isa("Options::isa", isa_name(*options.isa));
  return cap ? rt::narrower(*best, *cap) : cap;
}

// The columns of a call that asks for scores alone.
Result<Columns> scores_alone(const char *call, std::size_t queries, std::size_t targets, bool all,
                             std::span<std::int32_t> scores) {
  std::size_t pairs = queries;
  const bool overflows = all && __builtin_mul_overflow(queries, targets, &pairs);
  if (!overflows && pairs == scores.size()) return Columns{{Output::score, scores}};
  return Error{std::string(call) + ": " + std::to_string(queries) + " queries and " + std::to_string(targets) +
                   " targets do not make " + std::to_string(scores.size()) + " scores",
               2};
}

// The source of machines where only devices have kernels: it knows the spec, and no kernel.
class NoCpuKernels : public rt::sources::CpuKernels {
 public:
  explicit NoCpuKernels(rt::kernels::Manifest manifest)
      : rt::sources::CpuKernels(without_kernels(std::move(manifest))) {}
  Status obtain(std::span<const int>, const rt::Cancelled &) override { return Ok{}; }
  rt::kernels::KernelFn kernel(int) const override { return nullptr; }

 private:
  static rt::kernels::Manifest without_kernels(rt::kernels::Manifest manifest) {
    manifest.kernels.clear();
    return manifest;
  }
  std::vector<std::string> origins() const override { return {"no kernels for the CPU"}; }
};

}  // namespace

Aligner::Aligner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Aligner::Aligner(Aligner &&) noexcept = default;
Aligner &Aligner::operator=(Aligner &&) noexcept = default;
Aligner::~Aligner() = default;

Aligner::Impl::Impl(std::unique_ptr<rt::sources::CpuKernels> from, const Scoring &scoring, rt::schedule::DeviceSet set)
    : source(std::move(from)), standing(scoring), devices(std::move(set)) {
  std::vector<std::string> targets;
  for (const auto &device : devices.devices) targets.push_back(device->info().target);
  if (devices.cpu) targets.push_back(std::string(isa_name(manifest().target)));
  for (auto at = targets.begin(); at != targets.end(); ++at)
    if (std::find(targets.begin(), at, *at) == at) target += (target.empty() ? "" : ",") + *at;
}

Result<Aligner> Aligner::open(const SpecRef &spec, const Sources &sources, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto isa = allowed(options);
    if (!isa) return isa.error();
    auto devices =
        rt::schedule::open_devices(options.devices, spec, sources, options.device_memory_bytes, options.cancelled);
    if (!devices) return devices.error();
    auto source = rt::sources::find_cpu_kernels(spec, sources, *isa, options.cancelled);
    if (!source) {
      if (devices->cpu || source.error().exit_code == 130) return source.error();
      devices->no_cpu = source.error();
      source = std::unique_ptr<rt::sources::CpuKernels>(new NoCpuKernels(devices->devices.front()->manifest()));
    }
    if (auto ok = rt::align::check_scoring((*source)->manifest(), options.scoring); !ok) return ok.error();
    return Aligner(std::make_unique<Impl>(*std::move(source), options.scoring, *std::move(devices)));
  });
}

Result<Aligner> Aligner::open(const std::string &name_or_file, const Sources &sources, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto spec = find_spec(name_or_file, sources);
    if (!spec) return spec.error();
    return open(*spec, sources, options);
  });
}

Result<Aligner> Aligner::open(const std::string &name_or_file, const Options &options) {
  return guarded([&] { return open(name_or_file, installed_sources(), options); });
}

Result<Aligner> Aligner::Impl::cpu_only(std::unique_ptr<rt::sources::CpuKernels> source, const Options &options,
                                        const std::string &name) {
  if (auto ok = rt::align::check_scoring(source->manifest(), options.scoring); !ok) return ok.error();
  if (!options.devices.empty() && options.devices != std::vector<std::string>{"cpu"})
    return Error{name + ": holds kernels for CPUs: open the spec to run on devices", 2};
  return Aligner(std::make_unique<Impl>(std::move(source), options.scoring, rt::schedule::DeviceSet{}));
}

Result<Aligner> Aligner::open_file(const std::string &path, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto isa = allowed(options);
    if (!isa) return isa.error();
    auto source = rt::sources::open_kernel_file(path, *isa);
    if (!source) return source.error();
    return Impl::cpu_only(*std::move(source), options, path);
  });
}

Result<Aligner> Aligner::open_linked(const alnsmith_linked_kernels &kernels, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto isa = allowed(options);
    if (!isa) return isa.error();
    auto source = rt::sources::open_linked_kernels(kernels, *isa);
    if (!source) return source.error();
    return Impl::cpu_only(*std::move(source), options, kernels.name ? kernels.name : "linked kernels");
  });
}

Result<Report> Aligner::align_pairs(std::span<const std::string_view> queries,
                                    std::span<const std::string_view> targets, std::span<std::int32_t> scores,
                                    const Options &options) const {
  const auto columns = scores_alone("align_pairs", queries.size(), targets.size(), false, scores);
  if (!columns) return columns.error();
  return align_pairs(queries, targets, *columns, options);
}

Result<Report> Aligner::align_pairs(std::span<const std::string_view> queries,
                                    std::span<const std::string_view> targets, const Columns &columns,
                                    const Options &options) const {
  rt::align::DenseSink sink(columns);
  return align_pairs(queries, targets, sink, options);
}

Result<Report> Aligner::align_pairs(std::span<const std::string_view> queries,
                                    std::span<const std::string_view> targets, ResultSink &sink,
                                    const Options &options) const {
  return guarded([&] {
    return run_call(*impl_->source, impl_->standing, impl_->devices, {queries, targets, false}, sink, options, nullptr);
  });
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                                  std::span<std::int32_t> scores, const Options &options) const {
  const auto columns = scores_alone("align_all", queries.size(), targets.size(), true, scores);
  if (!columns) return columns.error();
  return align_all(queries, targets, *columns, options);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                                  const Columns &columns, const Options &options) const {
  rt::align::DenseSink sink(columns);
  return align_all(queries, targets, sink, options);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                                  ResultSink &sink, const Options &options) const {
  return guarded([&] {
    return run_call(*impl_->source, impl_->standing, impl_->devices, {queries, targets, true}, sink, options, nullptr);
  });
}

Result<Report> Aligner::align_pairs(std::span<const std::string_view> queries, std::span<const StateColumns> targets,
                                    const Columns &columns, const Options &options) const {
  rt::align::DenseSink sink(columns);
  return guarded([&] {
    return run_call(*impl_->source, impl_->standing, impl_->devices, {queries, {}, false}, sink, options, nullptr,
                    targets);
  });
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const StateColumns> targets,
                                  const Columns &columns, const Options &options) const {
  rt::align::DenseSink sink(columns);
  return align_all(queries, targets, sink, options);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const StateColumns> targets,
                                  ResultSink &sink, const Options &options) const {
  return guarded([&] {
    return run_call(*impl_->source, impl_->standing, impl_->devices, {queries, {}, true}, sink, options, nullptr,
                    targets);
  });
}

Result<Prepared> Aligner::prepare(std::span<const std::string_view> targets, const Options &options) const {
  return guarded([&]() -> Result<Prepared> {
    auto made = std::make_unique<Prepared::Impl>();
    made->token = impl_->token;
    made->targets = rt::schedule::make_targets(targets, SIZE_MAX, impl_->devices, options.memory_bytes);
    made->all = made->targets->all();
    return Prepared(std::move(made));
  });
}

Result<Prepared> Aligner::prepare(std::span<const std::string_view> targets, const PackedTargets &packed,
                                  const Options &options) const {
  return guarded([&]() -> Result<Prepared> {
    auto groups = rt::align::PackedGroups::open(packed, targets);
    if (!groups) return groups.error();
    if (!impl_->devices.devices.empty()) {
      for (std::size_t t = 0; t < targets.size(); ++t)
        if (auto ok = groups->check(t); !ok) return ok.error();
      return prepare(targets, options);
    }
    auto made = std::make_unique<Prepared::Impl>();
    made->token = impl_->token;
    made->all = targets;
    made->packed = *std::move(groups);
    return Prepared(std::move(made));
  });
}

std::string Aligner::target_layout(const Options &options) const {
  if (!impl_->devices.devices.empty()) return "";
  const auto scoring = rt::align::resolve_scoring(impl_->manifest(), options.scoring, impl_->standing);
  if (!scoring) return "";
  const rt::align::Chooser chooser(impl_->manifest(), *scoring, Form::shared_profile, 0);
  if (chooser.levels() == 0) return "";
  return rt::align::layout_of(impl_->manifest(),
                              impl_->manifest().kernels[static_cast<std::size_t>(chooser.kernel(0))]);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, const Prepared &targets,
                                  std::span<std::int32_t> scores, const Options &options) const {
  const auto columns = scores_alone("align_all", queries.size(), targets.size(), true, scores);
  if (!columns) return columns.error();
  return align_all(queries, targets, *columns, options);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, const Prepared &targets,
                                  const Columns &columns, const Options &options) const {
  rt::align::DenseSink sink(columns);
  return align_all(queries, targets, sink, options);
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, const Prepared &targets, ResultSink &sink,
                                  const Options &options) const {
  if (targets.impl_->token != impl_->token) return Error{"align_all: the targets were prepared by another aligner", 2};
  rt::align::Sequences sequences{queries, targets.impl_->all, true};
  if (targets.impl_->packed) sequences.packed = &*targets.impl_->packed;
  return guarded([&] {
    return run_call(*impl_->source, impl_->standing, impl_->devices, sequences, sink, options,
                    targets.impl_->targets.get());
  });
}

Prepared::Prepared(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Prepared::Prepared(Prepared &&) noexcept = default;
Prepared &Prepared::operator=(Prepared &&) noexcept = default;
Prepared::~Prepared() = default;
std::size_t Prepared::size() const { return impl_->all.size(); }

std::optional<std::size_t> Aligner::first_invalid_letter(std::string_view letters) const {
  return impl_->manifest().query_codes.first_invalid(letters);
}

OutputSet Aligner::outputs() const { return impl_->manifest().outputs; }
std::string_view Aligner::target() const { return impl_->target; }
std::string Aligner::gap_formula() const { return rt::align::gap_formula(impl_->manifest(), impl_->standing); }
const std::string &Aligner::manifest() const { return impl_->manifest().text; }
std::vector<std::string> Aligner::warnings() const {
  std::vector<std::string> lines = impl_->devices.warnings;
  lines.insert(lines.end(), impl_->source->warnings().begin(), impl_->source->warnings().end());
  return lines;
}

namespace {

// Appends what `lines_of` says of each device, then of the CPU's kernels.
template <class LinesOf>
std::vector<std::string> of_all(std::vector<std::string> lines, const rt::schedule::DeviceSet &devices,
                                rt::sources::CpuKernels &source, const LinesOf &lines_of) {
  const auto add = [&](const std::vector<std::string> &more) { lines.insert(lines.end(), more.begin(), more.end()); };
  for (const auto &device : devices.devices) {
    const std::lock_guard lock(device->use);
    add(lines_of(*device));
  }
  add(lines_of(source));
  return lines;
}

}  // namespace

std::vector<std::string> Aligner::provenance() const {
  auto lines = of_all(impl_->devices.provenance, impl_->devices, *impl_->source,
                      [](auto &kernels) { return kernels.provenance(); });
  const auto alone = rt::align::alone_lines(impl_->manifest(), impl_->standing);
  lines.insert(lines.end(), alone.begin(), alone.end());
  return lines;
}

std::vector<std::string> Aligner::memory() const {
  return of_all({}, impl_->devices, *impl_->source,
                [](auto &kernels) { return rt::align::memory_lines(kernels.manifest()); });
}

}  // namespace alnsmith
