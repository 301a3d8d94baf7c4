// See strands.h.
#include "strands.h"

#include <algorithm>
#include <utility>

namespace alnsmith::tool {

Strands::Strands(search::StrandChoice choice, formats::Letters letters, bool minimize)
    : letters_(std::move(letters)), minimize_(minimize) {
  if (choice.plus) wanted_.push_back(Strand::plus);
  if (choice.minus) wanted_.push_back(Strand::minus);
}

void Strands::take(const Block &queries) {
  if (std::ranges::find(wanted_, Strand::minus) == wanted_.end()) return;
  reversed_.resize(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) reversed_[q] = letters_.reverse_complement(queries.letters(q));
}

std::vector<std::string_view> Strands::views(const Block &queries, Strand strand, std::size_t begin,
                                             std::size_t n) const {
  if (strand == Strand::plus) return queries.views(begin, n);
  const auto first = reversed_.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

std::string_view Strands::letters(const Block &queries, Strand strand, std::size_t q) const {
  return strand == Strand::plus ? queries.letters(q) : std::string_view(reversed_[q]);
}

}  // namespace alnsmith::tool
