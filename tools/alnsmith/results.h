// What batch calls put out, on its way to the output: scores, and ends where the spec's output has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "common/output.h"

namespace alnsmith::tool {

class Results {
 public:
  explicit Results(bool with_ends) : with_ends_(with_ends) {}

  static std::size_t bytes_each(bool with_ends) { return (with_ends ? 3 : 1) * sizeof(std::int32_t); }
  static const char *header(bool with_ends);  // the first line of the output

  void resize(std::size_t n);
  std::span<std::int32_t> scores() { return scores_; }
  Ends ends() { return {query_ends_, target_ends_}; }  // empty without ends
  // Overwrites [to, to + n) with [from, from + n) of `other`.
  void copy(const Results &other, std::size_t from, std::size_t n, std::size_t to);
  void write(Output &output, std::string_view query, std::string_view target, std::size_t i) const;

 private:
  bool with_ends_;
  std::vector<std::int32_t> scores_, query_ends_, target_ends_;
};

}  // namespace alnsmith::tool
