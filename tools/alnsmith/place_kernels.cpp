// See place_kernels.h.
#include "place_kernels.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "alnsmith/placement_aligner.hpp"
#include "scoring.h"
#include "totals.h"

namespace alnsmith::tool {
namespace {

// One of the two phases, all its calls.
struct Phase {
  double seconds = 0, cpu_seconds = 0;  // inside the library's calls; of all threads
  std::uint64_t cells = 0;
};

// CPU time of the program so far.
double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Another aligner, and the CPU time of each phase.
class TimedAligner : public placement::BranchAligner {
 public:
  TimedAligner(placement::BranchAligner &aligner, Phase &scores, Phase &paths)
      : aligner_(aligner), scores_(scores), paths_(paths) {}
  bool minimize() const override { return aligner_.minimize(); }
  Status score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<std::int32_t> scores) override {
    return timed(scores_, [&] { return aligner_.score(reads, branches, scores); });
  }
  Status align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<placement::ReadPath> paths) override {
    return timed(paths_, [&] { return aligner_.align(reads, branches, paths); });
  }
  Status can_align(std::string_view read, const StateColumns &branch) override {
    return aligner_.can_align(read, branch);
  }
  std::size_t most_letters(unsigned states) const override { return aligner_.most_letters(states); }

 private:
  template <class Call>
  static Status timed(Phase &phase, const Call &call) {
    const double before = cpu_now();
    Status done = call();
    phase.cpu_seconds += cpu_now() - before;
    return done;
  }

  placement::BranchAligner &aligner_;
  Phase &scores_, &paths_;
};

class SpecKernels : public PlaceKernels {
 public:
  SpecKernels(Opened scores, Opened paths, bool minimize, const Options &options, std::string gap, std::string label)
      : scores_(std::move(scores)),
        paths_(std::move(paths)),
        aligner_(scores_.aligner, paths_.aligner, minimize, options,
                 [this](const Report &report, bool paths) {
                   totals_.add(report, true);
                   Phase &phase = paths ? path_phase_ : score_phase_;
                   phase.seconds += report.seconds;
                   phase.cells += report.cells;
                 }),
        timed_(aligner_, score_phase_, path_phase_),
        gap_(std::move(gap)),
        label_(std::move(label)) {}

  placement::BranchAligner &aligner() override { return timed_; }
  std::vector<std::string> warnings() const override { return scores_.aligner.warnings(); }
  std::string closing(double wall_seconds) const override {
    const auto phase = [](const char *name, const Phase &own) {
      return fmt::format("{0}_cells={1} {0}_seconds={2:.6f} {0}_cpu_seconds={3:.6f} ", name, own.cells, own.seconds,
                         own.cpu_seconds);
    };
    return phase("score", score_phase_) + phase("path", path_phase_) +
           totals_.line(wall_seconds, scores_.aligner, gap_, 0);
  }
  void explain() const override { tool::explain(scores_.aligner, label_, scores_.kernels.reference.hash, totals_); }

 private:
  Opened scores_, paths_;
  Totals totals_;
  Phase score_phase_, path_phase_;
  placement::SpecAligner aligner_;
  TimedAligner timed_;
  std::string gap_, label_;
};

}  // namespace

Result<std::unique_ptr<PlaceKernels>> open_place_kernels(const RunArguments &run, const spec::Spec &given,
                                                         const std::string &path, std::size_t call_memory) {
  spec::Spec spec = given;
  Result<ResolvedScoring> scoring = resolve_scoring(spec, run.scoring);
  if (!scoring) return scoring.error();
  const Result<Options> options = options_of(run, call_memory, scoring->scoring);
  if (!options) return options.error();
  // Devices score; alignments with the best branches are few, and the CPU's.
  Options on_cpu = *options;
  on_cpu.devices.clear();
  const auto opened = [&](bool whole) {
    spec.output = {};
    spec.output.end = spec.output.begin = spec.output.cigar = whole;
    return open_kernels(run, spec, path, scoring->spec_changed || spec.output != given.output,
                        whole ? on_cpu : *options);
  };
  Result<Opened> scores = opened(false);
  if (!scores) return scores.error();
  Result<Opened> paths = opened(true);
  if (!paths) return paths.error();
  return std::unique_ptr<PlaceKernels>(std::make_unique<SpecKernels>(std::move(*scores), std::move(*paths),
                                                                     spec.objective == spec::Objective::minimize,
                                                                     *options, scoring->gap, spec.name));
}

}  // namespace alnsmith::tool
