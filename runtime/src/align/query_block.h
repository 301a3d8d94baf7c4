// Queries of a call that takes each with each, encoded once for all targets of a block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/align.h"

namespace alnsmith::rt::align {

struct BlockQuery {
  std::uint32_t index, length;
  std::size_t at;             // of its codes
  std::size_t sets_at, sets;  // of state sets: its distinct letters, in numbers of the block's
};

class QueryBlock {
 public:
  // Encodes queries from `q` on until `most` bytes are full; at least one. Advances q.
  Status encode(Call &call, const Sequences &sequences, std::size_t &q, std::size_t most);
  const std::vector<BlockQuery> &queries() const { return queries_; }
  std::uint32_t longest() const { return longest_; }
  const std::uint8_t *codes(const BlockQuery &query) const { return codes_.data() + query.at; }
  std::span<const int> sets(const BlockQuery &query) const {
    return std::span(sets_).subspan(query.sets_at, query.sets);
  }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<int> sets_;
  std::vector<BlockQuery> queries_;
  std::uint32_t longest_ = 0;
};

// A pair that a kernel flagged: the level to try next, the query of the block, the target's place by length.
struct Retry {
  int level;
  std::size_t query, place;
  bool counted = false;  // flagged before, and counted
};

}  // namespace alnsmith::rt::align
