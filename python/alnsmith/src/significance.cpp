// See significance.h.
#include "significance.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aligner.h"
#include "call.h"

namespace alnsmith::python {
namespace {

using Lines = std::vector<std::pair<int, int>>;  // open and extend

std::vector<search::GapLine> lines_of(const Lines &lines) {
  std::vector<search::GapLine> out;
  for (const auto &[open, extend] : lines) out.push_back({open, extend});
  return out;
}

// `spec`: a file with the same scoring that stores begins, for simulations; empty: tabulated ones alone.
Significance find(search::ScoringSystem scoring, const std::string &spec, int threads, std::size_t memory) {
  search::Statistics found;
  const auto work = [&](const Options &call) -> Status {
    search::StatisticsRequest request;
    if (spec.empty()) request.method = search::Method::table;
    const auto open = [&] { return Aligner::open(spec); };
    auto statistics = search::find_statistics(scoring, request, open, call);
    if (!statistics) return statistics.error();
    found = *std::move(statistics);
    return Ok{};
  };
  run(work, call_options(threads, memory), nb::none(), false);
  search::Composition composition(scoring, search::Frequencies::standard(scoring));
  return {std::move(scoring), std::move(found), std::move(composition)};
}

search::ScoringSystem scoring_of(std::string letters, const std::map<std::string, std::string> &synonyms,
                                 const std::string &wildcard, std::vector<int> matrix, const Lines &insertion,
                                 const Lines &deletion) {
  std::map<char, char> same;
  for (const auto &[letter, stands_for] : synonyms) same[letter.at(0)] = stands_for.at(0);
  return {.letters = std::move(letters),
          .synonyms = std::move(same),
          .wildcard = wildcard.empty() ? '\0' : wildcard[0],
          .matrix = std::move(matrix),
          .insertion = lines_of(insertion),
          .deletion = lines_of(deletion)};
}

}  // namespace

void bind_significance(nb::module_ &module) {
  nb::class_<Significance>(module, "Significance", "What a scoring's E-values come from.")
      .def_prop_ro(
          "json", [](const Significance &self) { return search::to_json(self.statistics); }, "The statistics, JSON.");
  module.def(
      "significance",
      [](std::string letters, const std::map<std::string, std::string> &synonyms, const std::string &wildcard,
         std::vector<int> matrix, const Lines &insertion, const Lines &deletion, const std::string &spec, int threads,
         std::size_t memory) {
        return find(scoring_of(std::move(letters), synonyms, wildcard, std::move(matrix), insertion, deletion), spec,
                    threads, memory);
      },
      nb::arg("letters"), nb::arg("synonyms"), nb::arg("wildcard"), nb::arg("matrix"), nb::arg("insertion"),
      nb::arg("deletion"), nb::arg("spec"), nb::arg("threads"), nb::arg("memory"),
      "Statistics of a scoring: tabulated, or simulated with the spec of a file.");
}

}  // namespace alnsmith::python
