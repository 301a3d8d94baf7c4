// Which strands of the queries are aligned: as read, their reverse complements, or both, the better one counting.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/strands.hpp"
#include "formats/letters.h"
#include "input.h"

namespace alnsmith::tool {

using search::Strand;

class Strands {
 public:
  // `minimize`: of two scores the smaller is better.
  Strands(search::StrandChoice choice, formats::Letters letters, bool minimize);

  std::span<const Strand> wanted() const { return wanted_; }  // one or two, plus first
  std::size_t each() const { return wanted_.size(); }

  // Makes the reverse complements of a block's queries, where they are wanted; they stay until the next one's.
  void take(const Block &queries);
  // The queries [begin, begin + n) of the block that was taken.
  std::vector<std::string_view> views(const Block &queries, Strand strand, std::size_t begin, std::size_t n) const;
  std::string_view letters(const Block &queries, Strand strand, std::size_t q) const;

  // Whether the first score beats the second.
  bool better(std::int32_t score, std::int32_t other) const { return minimize_ ? score < other : score > other; }

 private:
  std::vector<Strand> wanted_;
  formats::Letters letters_;
  bool minimize_;
  std::vector<std::string> reversed_;
};

}  // namespace alnsmith::tool
