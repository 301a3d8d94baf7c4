// Cases by the library's own interface: kernels generated and compiled as for a user, promotion, packing, threads and
// devices included.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "alnsmith/devices.hpp"
#include "kernels.h"
#include "spec/canonical.h"

namespace soak {
namespace {

using namespace alnsmith;

std::vector<std::string_view> views(const std::vector<std::string> &texts) { return {texts.begin(), texts.end()}; }

class AlignerKernels : public Kernels {
 public:
  AlignerKernels(Aligner aligner, const spec::Output &output, std::string cache)
      : aligner_(std::move(aligner)), output_(output), cache_(std::move(cache)) {}
  ~AlignerKernels() override {
    std::error_code ignored;
    std::filesystem::remove_all(cache_, ignored);
  }
  AlignerKernels(const AlignerKernels &) = delete;

  Result<std::vector<Answers>> align(const Case &c) override {
    Options options;
    options.threads = c.threads;
    options.scoring = scoring(c.spec);
    Answers a;
    a.arithmetic = c.spec.arithmetic;
    a.mapping = c.spec.mapping;
    a.reserve(c.pairs(), output_);
    Columns columns{{Output::score, a.score}};
    const std::pair<Output, std::vector<int> *> more[] = {{Output::query_end, &a.query_end},
                                                          {Output::target_end, &a.target_end},
                                                          {Output::query_begin, &a.query_begin},
                                                          {Output::target_begin, &a.target_begin}};
    for (const auto &[output, values] : more)
      if (!values->empty()) columns.set(output, *values);
    Cigars cigars;
    if (!a.cigar.empty()) columns.set(cigars);
    a.given.assign(c.pairs(), 1);
    const auto queries = views(c.queries), targets = views(c.targets);
    const auto report = c.all ? aligner_.align_all(queries, targets, columns, options)
                              : aligner_.align_pairs(queries, targets, columns, options);
    if (!report) return report.error();
    for (std::size_t i = 0; i < a.cigar.size(); ++i) a.cigar[i] = cigar_text(cigars[i]);
    // Devices that fail hand their pairs to the CPU, which would hide it.
    for (const std::string &note : report->warnings) return Error{"a device failed: " + note};
    for (const auto &share : report->devices) a.who += (a.who.empty() ? "" : ", ") + share.id;
    for (const std::string &kernel : report->kernels) a.who += " " + kernel;
    return std::vector<Answers>{std::move(a)};
  }

 private:
  Aligner aligner_;
  spec::Output output_;
  std::string cache_;
};

}  // namespace

Result<std::unique_ptr<Kernels>> open_aligner(const Case &c, const spec::Spec &spec, const Places &places) {
  const std::string path = places.folder + "/spec.yaml", cache = places.folder + "/cache";
  std::ofstream(path) << yaml(c.spec);
  Sources sources;
  sources.generator = places.generator;
  sources.cache_dir = cache;
  sources.choice = choice(c);
  Options options;
  options.isa = parse_isa(c.target);
  if (c.route == Route::opencl) options.devices = {"opencl:0"};
  auto aligner = Aligner::open({path, spec.name, spec::hash(spec)}, sources, options);
  if (!aligner) return aligner.error();
  return std::unique_ptr<Kernels>(new AlignerKernels(*std::move(aligner), spec.output, cache));
}

Result<std::unique_ptr<Kernels>> open_kernels(const Case &c, const spec::Spec &spec, const Places &places) {
  return c.route == Route::cpu || c.route == Route::opencl ? open_aligner(c, spec, places)
                                                           : open_single(c, spec, places);
}

std::string obstacle(const Case &c) {
  const auto best = best_isa();
  if (c.route == Route::cpu && best && !(*parse_isa(c.target) <= *best)) return "this CPU has no " + c.target;
  static const bool opencl = std::ranges::any_of(list_devices(), [](const PlatformReport &platform) {
    return platform.kind == DeviceKind::opencl && !platform.devices.empty();
  });
  if (c.route == Route::opencl && !opencl) return "no OpenCL device";
#ifndef SOAK_SIMT
  if (c.route == Route::simt) return "built without the SIMT library (clang++-22)";
#endif
  return {};
}

}  // namespace soak
