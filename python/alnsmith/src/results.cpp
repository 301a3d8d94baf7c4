// See results.h.
#include "results.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "state.h"

namespace alnsmith::python {
namespace {

using Ints = nb::ndarray<nb::numpy, const std::int32_t>;

nb::object column(nb::handle self, const std::string &name) {
  const auto &results = nb::cast<const Results &>(self);
  const auto found = std::ranges::find(kOutputs, name, &OutputInfo::name);
  if (found == kOutputs.end() || !results.outputs.contains(found->output)) return nb::none();
  const std::size_t shape[] = {results.queries, results.targets};
  return nb::cast(Ints(results.columns[index_of(found->output)].data(), results.all ? 2 : 1, shape, self));
}

nb::object runs(nb::handle self) {
  const auto &results = nb::cast<const Results &>(self);
  const std::size_t shape[] = {results.runs.size()};
  return nb::cast(nb::ndarray<nb::numpy, const CigarRun>(results.runs.data(), 1, shape, self));
}

nb::object cigar_offsets(nb::handle self) {
  const auto &results = nb::cast<const Results &>(self);
  const std::size_t shape[] = {results.cigar_offsets.size()};
  return nb::cast(nb::ndarray<nb::numpy, const std::int64_t>(results.cigar_offsets.data(), 1, shape, self));
}

std::string cigar(const Results &results, std::size_t pair) {
  if (pair + 1 >= results.cigar_offsets.size()) throw nb::index_error();
  const auto begin = static_cast<std::size_t>(results.cigar_offsets[pair]);
  return cigar_text(std::span(results.runs).subspan(begin, results.cigar_offsets[pair + 1] - begin));
}

nb::list cigar_texts(const Results &results) {
  nb::list out;
  for (std::size_t i = 0; i + 1 < results.cigar_offsets.size(); ++i) out.append(cigar(results, i));
  return out;
}

nb::dict report(const Results &results) {
  const Report &report = results.report;
  nb::dict out, shares;
  for (const DeviceShare &share : report.devices) shares[share.id.c_str()] = share.pairs;
  out["pairs"] = report.pairs;
  out["cells"] = report.cells;
  out["promoted"] = report.promoted;
  out["banded"] = report.banded;
  out["seconds"] = report.seconds;
  out["kernels"] = nb::cast(report.kernels);
  out["devices"] = shares;
  out["warnings"] = nb::cast(report.warnings);
  return out;
}

template <class Archive>
void fields(Archive &archive, Results &r) {
  archive(r.queries), archive(r.targets), archive(r.all), archive(r.outputs);
  for (auto &column : r.columns) archive(column);
  archive(r.runs), archive(r.cigar_offsets);
  Report &report = r.report;
  archive(report.pairs), archive(report.cells), archive(report.promoted), archive(report.banded);
  archive(report.seconds), archive(report.kernels), archive(report.warnings);
  std::size_t shares = report.devices.size();
  archive(shares);
  report.devices.resize(shares);
  for (DeviceShare &share : report.devices) archive(share.id), archive(share.pairs);
}

bool sound(const Results &r) {
  for (const OutputInfo &row : kOutputs)
    if (r.outputs.contains(row.output) && r.columns[index_of(row.output)].size() != r.pairs()) return false;
  if (!r.outputs.contains(Output::cigar)) return true;
  return r.cigar_offsets.size() == r.pairs() + 1 && r.cigar_offsets.front() == 0 &&
         std::ranges::is_sorted(r.cigar_offsets) && r.cigar_offsets.back() == static_cast<std::int64_t>(r.runs.size());
}

}  // namespace

Columns Results::prepare(Cigars &cigars) {
  Columns out;
  for (const OutputInfo &row : kOutputs) {
    if (!outputs.contains(row.output)) continue;
    std::vector<std::int32_t> &values = columns[index_of(row.output)];
    values.resize(pairs());
    out.set(row.output, values);
  }
  if (outputs.contains(Output::cigar)) out.set(cigars);
  return out;
}

void Results::take(const Cigars &cigars) {
  std::size_t count = 0;
  cigar_offsets.reserve(cigars.size() + 1);
  cigar_offsets.push_back(0);
  for (std::size_t i = 0; i < cigars.size(); ++i) {
    count += cigars[i].size();
    cigar_offsets.push_back(static_cast<std::int64_t>(count));
  }
  runs.reserve(count);
  for (std::size_t i = 0; i < cigars.size(); ++i) runs.insert(runs.end(), cigars[i].begin(), cigars[i].end());
}

void bind_results(nb::module_ &module) {
  nb::class_<Results> bound(module, "Results", "What a call gives.");
  bind_state(bound, [](auto &archive, Results &all) { fields(archive, all); }, &sound);
  bound.def_ro("queries", &Results::queries, "Number of queries.")
      .def_ro("targets", &Results::targets, "Number of targets.")
      .def_ro("all", &Results::all, "Whether each query was aligned with each target.")
      .def_prop_ro("pairs", &Results::pairs, "Number of pairs.")
      .def_prop_ro(
          "cigars", [](const Results &r) { return r.outputs.contains(Output::cigar); }, "Whether there are CIGARs.")
      .def("cigar", &cigar, nb::arg("pair"), "A pair's CIGAR.")
      .def("cigar_texts", &cigar_texts, nb::sig("def cigar_texts(self) -> list[str]"), "All CIGARs.")
      .def("report", &report, nb::sig("def report(self) -> dict[str, typing.Any]"), "What the call did.");
  module.def(
      "output_names",
      [] {
        std::vector<std::string> names;
        for (const OutputInfo &row : kOutputs) names.emplace_back(row.name);
        return names;
      },
      "Outputs that are one int per pair, in the order of the library's list.");
  // The arrays hold on to the results, so these take the object that they are called on.
  module.def("column", &column, nb::arg("results"), nb::arg("output"),
             nb::sig("def column(results: Results, output: str) -> typing.Any"),
             "An output as an int32 array; None where the call does not have it.");
  module.def("cigar_runs", &runs, nb::arg("results"), nb::sig("def cigar_runs(results: Results) -> typing.Any"),
             "Runs of all CIGARs, uint32.");
  module.def("cigar_offsets", &cigar_offsets, nb::arg("results"),
             nb::sig("def cigar_offsets(results: Results) -> typing.Any"), "Where each pair's runs begin, int64.");
}

}  // namespace alnsmith::python
