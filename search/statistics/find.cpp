// Which statistics a scoring has: see alnsmith/statistics.hpp.
#include "alnsmith/statistics.hpp"
#include "tables.hpp"

namespace alnsmith::search {

Result<Statistics> find_statistics(const ScoringSystem &scoring, const StatisticsRequest &request,
                                   const std::function<Result<Aligner>()> &, const Options &) {
  if (request.method == Method::none) return Statistics{};
  if (auto row = tabulated(scoring)) return std::move(*row);
  return Error{"no statistics: no table has a row for this matrix with gaps of " + gap_words(scoring)};
}

}  // namespace alnsmith::search
