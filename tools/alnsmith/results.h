// What batch calls put out, on its way to the output: a column for each output that the spec gives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/outputs.hpp"
#include "common/output.h"

namespace alnsmith::tool {

// The first line of the output.
std::string header_of(OutputSet outputs);
// A line of it: `values` by output, those that are not in the set are passed over.
void write_row(Output &output, std::string_view query, std::string_view target, OutputSet outputs,
               const std::array<std::int32_t, kOutputCount> &values);

class Results {
 public:
  explicit Results(OutputSet outputs) : outputs_(outputs) {}

  static std::size_t bytes_each(OutputSet outputs) { return outputs.size() * sizeof(std::int32_t); }

  void resize(std::size_t n);
  Columns columns();
  // Overwrites [to, to + n) with [from, from + n) of `other`.
  void copy(const Results &other, std::size_t from, std::size_t n, std::size_t to);
  void write(Output &output, std::string_view query, std::string_view target, std::size_t i) const;

 private:
  OutputSet outputs_;
  std::array<std::vector<std::int32_t>, kOutputCount> values_;  // by output
};

}  // namespace alnsmith::tool
