// See significance.h.
#include "significance.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

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

std::optional<QuerySignificance::Values> QuerySignificance::operator()(std::string_view query, std::string_view target,
                                                                       std::int32_t score, bool minus, double cut) {
  const search::Statistics &statistics = significance_.statistics;
  const auto expected = [&](double ratio) {
    return search::expected_hits(statistics, score, ratio, query.size(), target.size(), database_letters_);
  };
  // A ratio is 1 at most, so E is at least what it is without: most hits need no ratio, and those that have none are
  // held to this.
  if (expected(1) > cut) return std::nullopt;
  search::LetterCounts &own = counts_[minus ? 1 : 0];
  if (own.empty()) own = significance_.composition.count(query);
  const std::optional<double> ratio = significance_.composition.ratio(own, significance_.composition.count(target));
  if (!ratio) return Values{NAN, NAN};
  const double evalue = expected(*ratio);
  if (evalue > cut) return std::nullopt;
  return Values{evalue, search::bit_score(statistics, score, *ratio)};
}

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
