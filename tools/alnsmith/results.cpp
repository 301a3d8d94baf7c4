// See results.h.
#include "results.h"

#include <algorithm>

namespace alnsmith::tool {

const char *Results::header(bool with_ends) {
  return with_ends ? "#query\ttarget\tscore\tquery_end\ttarget_end\n" : "#query\ttarget\tscore\n";
}

void Results::resize(std::size_t n) {
  scores_.resize(n);
  if (!with_ends_) return;
  query_ends_.resize(n);
  target_ends_.resize(n);
}

void Results::copy(const Results &other, std::size_t from, std::size_t n, std::size_t to) {
  for (std::vector<std::int32_t> Results::*column :
       {&Results::scores_, &Results::query_ends_, &Results::target_ends_}) {
    const std::vector<std::int32_t> &source = other.*column;
    if (source.empty()) continue;
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), n,
                (this->*column).begin() + static_cast<std::ptrdiff_t>(to));
  }
}

void Results::write(Output &output, std::string_view query, std::string_view target, std::size_t i) const {
  if (with_ends_)
    output.row(query, target, scores_[i], query_ends_[i], target_ends_[i]);
  else
    output.row(query, target, scores_[i]);
}

}  // namespace alnsmith::tool
