// See aligner.h.
#include "aligner.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "alnsmith/packs.hpp"
#include "call.h"
#include "results.h"

namespace alnsmith::python {
namespace {

// Below it a call is over before anyone has reached for Ctrl-C: 10 ms of the slowest kernels.
constexpr std::uint64_t kShortCells = 10'000'000;

struct OpenRequest {
  std::string spec;
  std::vector<std::string> packs, devices;
  std::string isa;
  std::map<std::string, int> values;
  std::vector<int> matrix;
  std::size_t device_memory = 0;
};

Result<Options> open_options(const OpenRequest &request) {
  Options options;
  options.devices = request.devices;
  options.device_memory_bytes = request.device_memory;
  options.scoring.values = {request.values.begin(), request.values.end()};
  options.scoring.matrix = request.matrix;
  if (request.isa.empty()) return options;
  options.isa = parse_isa(request.isa);
  if (!options.isa) return Error{"isa: '" + request.isa + "' is no instruction set of this library", 2};
  return options;
}

// Packs that are given are there and sound, by the rules of --pack (tools/alnsmith/run_options.cpp): the library passes
// over what it cannot read.
Status check_packs(const std::vector<std::string> &packs) {
  for (const std::string &pack : packs) {
    std::error_code problem;
    const auto status = std::filesystem::status(pack, problem);
    if (!std::filesystem::exists(status))
      return Error{"packs: " + pack + ": " + std::strerror(problem ? problem.value() : ENOENT) +
                   ": name a pack, or a folder of packs"};
    if (std::filesystem::is_directory(status)) continue;
    if (!pack.ends_with(".pack")) return Error{"packs: " + pack + ": a pack's name ends in .pack"};
    if (const auto read = list_pack(pack); !read) return read.error();
  }
  return Ok{};
}

Status open(const OpenRequest &request, const Options &call, std::optional<OpenAligner> &out) {
  if (const Status sound = check_packs(request.packs); !sound) return sound;
  Sources sources = installed_sources();
  sources.kernel_dirs.insert(sources.kernel_dirs.begin(), request.packs.begin(), request.packs.end());
  Result<Options> options = open_options(request);
  if (!options) return options.error();
  options->cancelled = call.cancelled;
  const Result<SpecRef> spec = find_spec(request.spec, sources);
  if (!spec) return spec.error();
  Result<Aligner> aligner = Aligner::open(*spec, sources, *options);
  if (!aligner) return aligner.error();
  out.emplace(OpenAligner{*std::move(aligner), *spec, options->scoring, !request.devices.empty()});
  return Ok{};
}

OpenAligner opened(const OpenRequest &request) {
  std::optional<OpenAligner> out;
  run([&](const Options &options) { return open(request, options, out); }, {}, nb::none(), false);
  return *std::move(out);
}

OutputSet wanted_outputs(const Aligner &aligner, const std::vector<std::string> &names) {
  if (names.empty()) return aligner.outputs();
  OutputSet out;
  for (const std::string &name : names) {
    bool known = false;
    for (const OutputInfo &row : kOutputs) {
      if (row.key != name && row.name != name) continue;
      out.add(row.output);
      known = true;
    }
    if (name == kCigar.name) out.add(Output::cigar);
    if (!known && name != kCigar.name) raise({"output: '" + name + "' is none of score, end, begin and cigar", 2});
  }
  return out;
}

std::uint64_t cells_of(const Sequences &queries, const Sequences &targets, bool all) {
  std::uint64_t cells = 0;
  if (!all) {
    const std::size_t pairs = std::min(queries.size(), targets.size());
    for (std::size_t i = 0; i < pairs; ++i) cells += std::uint64_t{queries.views[i].size()} * targets.views[i].size();
    return cells;
  }
  std::uint64_t letters = 0;
  for (const std::string_view target : targets.views) letters += target.size();
  for (const std::string_view query : queries.views) cells += query.size() * letters;
  return cells;
}

Results align(const OpenAligner &self, const Sequences &queries, const Sequences &targets, bool all,
              const std::vector<std::string> &outputs, int threads, std::size_t memory, nb::handle progress) {
  Results results;
  results.queries = queries.size();
  results.targets = targets.size();
  results.all = all;
  results.outputs = wanted_outputs(self.aligner, outputs);
  const auto work = [&](const Options &options) -> Status {
    Cigars cigars;
    const Columns columns = results.prepare(cigars);
    Result<Report> report = all ? self.aligner.align_all(queries.views, targets.views, columns, options)
                                : self.aligner.align_pairs(queries.views, targets.views, columns, options);
    if (!report) return report.error();
    results.report = *std::move(report);
    if (columns.cigars() != nullptr) results.take(cigars);
    return Ok{};
  };
  const bool is_short = !self.devices && cells_of(queries, targets, all) < kShortCells;
  run(work, call_options(threads, memory), progress, is_short);
  return results;
}

std::vector<std::string> output_keys(const OpenAligner &self) {
  std::vector<std::string> out;
  const OutputSet outputs = self.aligner.outputs();
  for (const OutputInfo &row : kOutputs)
    if (outputs.contains(row.output) && std::ranges::find(out, row.key) == out.end()) out.emplace_back(row.key);
  if (outputs.contains(Output::cigar)) out.emplace_back(kCigar.key);
  return out;
}

}  // namespace

Options call_options(int threads, std::size_t memory) {
  Options options;
  options.threads = threads;
  options.memory_bytes = memory;
  return options;
}

void bind_aligner(nb::module_ &module) {
  nb::class_<OpenAligner>(module, "Aligner", "Kernels of a spec, and the calls that align with them.")
      .def("align", &align, nb::arg("queries"), nb::arg("targets"), nb::arg("all"), nb::arg("outputs"),
           nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none(), "Pairs, or each query with each target.")
      .def_prop_ro("outputs", &output_keys, "What calls may ask for.")
      .def_prop_ro(
          "name", [](const OpenAligner &self) { return self.spec.name; }, "The spec's name.")
      .def_prop_ro(
          "hash", [](const OpenAligner &self) { return self.spec.hash; }, "The spec's hash.")
      .def_prop_ro(
          "target", [](const OpenAligner &self) { return std::string(self.aligner.target()); },
          "What the kernels were made for.")
      .def_prop_ro(
          "gap_formula", [](const OpenAligner &self) { return self.aligner.gap_formula(); },
          "What a gap of L letters costs.")
      .def_prop_ro(
          "manifest", [](const OpenAligner &self) { return self.aligner.manifest(); },
          "What the kernels say of themselves, JSON.")
      .def_prop_ro(
          "provenance", [](const OpenAligner &self) { return self.aligner.provenance(); },
          "Where each kernel came from.")
      .def_prop_ro(
          "values",
          [](const OpenAligner &self) {
            std::map<std::string, int> values(self.scoring.values.begin(), self.scoring.values.end());
            if (self.spec.generic)
              values.insert(self.spec.generic->scoring.values.begin(), self.spec.generic->scoring.values.end());
            return values;
          },
          "What is known of the scoring's values, by the manifest's names.")
      .def_prop_ro(
          "matrix",
          [](const OpenAligner &self) {
            return self.spec.generic && self.scoring.matrix.empty() ? self.spec.generic->scoring.matrix
                                                                    : self.scoring.matrix;
          },
          "The scoring's matrix row by row, where there is one and it is known.")
      .def_prop_ro(
          "warnings", [](const OpenAligner &self) { return self.aligner.warnings(); },
          "What is not as it was asked for.");
  module.def(
      "open",
      [](std::string spec, std::vector<std::string> packs, std::vector<std::string> devices, std::string isa,
         std::map<std::string, int> values, std::vector<int> matrix, std::size_t device_memory) {
        return opened({std::move(spec), std::move(packs), std::move(devices), std::move(isa), std::move(values),
                       std::move(matrix), device_memory});
      },
      nb::arg("spec"), nb::arg("packs"), nb::arg("devices"), nb::arg("isa"), nb::arg("values"), nb::arg("matrix"),
      nb::arg("device_memory"), "Opens a spec by its file or name.");
}

}  // namespace alnsmith::python
