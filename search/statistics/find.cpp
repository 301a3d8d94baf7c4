// Which statistics a scoring has: a table's row, what came with the library or an earlier run left in the cache, or a
// simulation.
#include "alnsmith/alnsmith.hpp"
#include "alnsmith/statistics.hpp"
#include "base/cache.h"
#include "phase.h"
#include "simulate.h"
#include "tables.h"

namespace alnsmith::search {
namespace {

struct ShippedRow {
  std::string_view key, json;
};
#include "shipped_rows.inc"

// What simulations of the shipped specs gave: the same bytes as a simulation here would.
std::optional<Statistics> shipped(const std::string &key) {
  for (const ShippedRow &row : kShippedRows)
    if (row.key == key)
      if (Result<Statistics> read = statistics_from_json(row.json)) return *std::move(read);
  return std::nullopt;
}

// A damaged entry, or one of another scoring, counts as none.
std::optional<Statistics> from_cache(const rt::Cache &cache, const std::string &name, const Frequencies &frequencies) {
  const std::optional<std::string> text = cache.load(name);
  if (!text) return std::nullopt;
  const Result<Statistics> read = statistics_from_json(*text);
  if (!read || read->method != Method::simulate || read->frequencies != frequencies.name) return std::nullopt;
  return *read;
}

Result<Statistics> simulated(const ScoringSystem &scoring, const Frequencies &frequencies,
                             const StatisticsRequest &request, const std::function<Result<Aligner>()> &open,
                             const Options &options) {
  if (Status ok = check_scores(scoring, frequencies); !ok) return ok.error();
  std::optional<rt::Cache> cache;
  const std::string key = simulation_key(scoring, frequencies), name = "statistics-" + key;
  if (request.use_known) {
    if (auto found = shipped(key)) return std::move(*found);
    cache.emplace(request.cache_dir);
    if (auto found = from_cache(*cache, name, frequencies)) return std::move(*found);
  }
  const Result<Aligner> aligner = open();
  if (!aligner) return aligner.error();
  Result<Statistics> made = simulate(scoring, frequencies, *aligner, options);
  // A cache that cannot be written costs time alone: the next run simulates again.
  if (made && cache) (void)cache->store(name, to_json(*made));
  return made;
}

}  // namespace

Result<Statistics> find_statistics(const ScoringSystem &scoring, const StatisticsRequest &request,
                                   const std::function<Result<Aligner>()> &open, const Options &options) {
  if (request.method == Method::none) return Statistics{};
  const Frequencies frequencies = request.frequencies ? *request.frequencies : Frequencies::standard(scoring);
  if (request.method != Method::simulate && frequencies == Frequencies::standard(scoring))
    if (auto row = tabulated(scoring)) return std::move(*row);
  if (request.method == Method::table)
    return Error{"--stats table: no table has a row for this matrix with gaps of " + gap_words(scoring) +
                     " and letter frequencies " + frequencies.name + ": take --stats simulate or auto",
                 2};
  return simulated(scoring, frequencies, request, open, options);
}

}  // namespace alnsmith::search
