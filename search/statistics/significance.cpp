// See alnsmith/significance.hpp.
#include "alnsmith/significance.hpp"

namespace alnsmith::search {

QuerySignificance::QuerySignificance(const Statistics &statistics, const Composition *composition,
                                     std::uint64_t database_letters, std::size_t strands, double cut)
    : statistics_(statistics), composition_(composition), letters_(database_letters * strands), cut_(cut) {}

std::optional<HitSignificance> QuerySignificance::of(const Found &hit, std::string_view query,
                                                     std::string_view target) {
  const auto expected = [&](double ratio) {
    return expected_hits(statistics_, hit.score, ratio, query.size(), target.size(), letters_);
  };
  // A ratio is 1 at most, so E is at least what it is without: most hits need no ratio.
  if (expected(1) > cut_) return std::nullopt;
  std::optional<double> ratio = 1.0;
  if (composition_ != nullptr) {
    LetterCounts &own = counts_[hit.strand == Strand::minus ? 1 : 0];
    if (own.empty()) own = composition_->count(query);
    ratio = composition_->ratio(own, composition_->count(target));
  }
  if (!ratio) return HitSignificance{};
  const double evalue = expected(*ratio);
  if (evalue > cut_) return std::nullopt;
  return HitSignificance{evalue, bit_score(statistics_, hit.score, *ratio)};
}

}  // namespace alnsmith::search
