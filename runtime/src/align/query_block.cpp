// See query_block.h.
#include "align/query_block.h"

#include <algorithm>
#include <string>

#include "align/state_sets.h"

namespace alnsmith::rt::align {

Status QueryBlock::encode(Call &call, const Sequences &sequences, std::size_t &q, std::size_t most) {
  codes_.clear();
  sets_.clear();
  queries_.clear();
  longest_ = 0;
  for (; q < sequences.queries.size(); ++q) {
    const std::string_view letters = sequences.queries[q];
    if (letters.empty()) continue;
    const std::size_t at = codes_.size(), sets_at = sets_.size();
    if (at + letters.size() > most) {
      if (!queries_.empty()) break;
      return Error{"query " + std::to_string(sequences.first_query + q + 1) + " of " + std::to_string(letters.size()) +
                   " letters needs more than a quarter of the memory limit of " + std::to_string(call.budget()) +
                   " bytes; raise it"};
    }
    codes_.resize(at + letters.size());
    if (!call.manifest().sets.empty()) {
      const auto own = number_sets(call.manifest(), letters, call.strides.query, codes_.data() + at);
      sets_.insert(sets_.end(), own.begin(), own.end());
    } else if (!rt::kernels::encode(call.manifest().query_codes, letters, codes_.data() + at)) {
      return call.reject_letter(), call.outcome();
    }
    const auto length = static_cast<std::uint32_t>(letters.size());
    queries_.push_back({static_cast<std::uint32_t>(q), length, at, sets_at, sets_.size() - sets_at});
    longest_ = std::max(longest_, length);
  }
  return Ok{};
}

}  // namespace alnsmith::rt::align
