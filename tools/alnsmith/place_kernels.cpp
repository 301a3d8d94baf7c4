// See place_kernels.h.
#include "place_kernels.h"

#include <fmt/format.h>

#include <utility>

#include "alnsmith/placement_aligner.hpp"
#include "scoring.h"
#include "totals.h"

namespace alnsmith::tool {
namespace {

class SpecKernels : public PlaceKernels {
 public:
  SpecKernels(Opened scores, Opened paths, bool minimize, const Options &options, std::string gap, std::string label)
      : scores_(std::move(scores)),
        paths_(std::move(paths)),
        aligner_(scores_.aligner, paths_.aligner, minimize, options,
                 [this](const Report &report, bool paths) {
                   totals_.add(report, true);
                   if (paths) path_seconds_ += report.seconds;
                 }),
        gap_(std::move(gap)),
        label_(std::move(label)) {}

  placement::BranchAligner &aligner() override { return aligner_; }
  std::vector<std::string> notes() const override { return scores_.aligner.notes(); }
  std::string closing(double wall_seconds) const override {
    return fmt::format("path_seconds={:.6f} {}", path_seconds_, totals_.line(wall_seconds, scores_.aligner, gap_, 0));
  }
  void explain() const override { tool::explain(scores_.aligner, label_, scores_.kernels.reference.hash, totals_); }

 private:
  Opened scores_, paths_;
  Totals totals_;
  double path_seconds_ = 0;  // of the second phase
  placement::SpecAligner aligner_;
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
