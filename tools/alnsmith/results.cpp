// See results.h.
#include "results.h"

#include <algorithm>

namespace alnsmith::tool {

std::string header_of(OutputSet outputs) {
  std::string line = "#query\ttarget";
  for (const OutputInfo &info : kOutputs)
    if (outputs.contains(info.output)) line += "\t" + std::string(info.name);
  return line + "\n";
}

void write_row(Output &output, std::string_view query, std::string_view target, OutputSet outputs,
               const std::array<std::int32_t, kOutputCount> &values) {
  output.begin_row(query, target);
  for (const OutputInfo &info : kOutputs)
    if (outputs.contains(info.output))
      output.value(values[index_of(info.output)], info.output != alnsmith::Output::score);
  output.end_row();
}

void Results::resize(std::size_t n) {
  for (const OutputInfo &info : kOutputs)
    if (outputs_.contains(info.output)) values_[index_of(info.output)].resize(n);
}

Columns Results::columns() {
  Columns columns;
  for (const OutputInfo &info : kOutputs)
    if (outputs_.contains(info.output)) columns.set(info.output, values_[index_of(info.output)]);
  return columns;
}

void Results::copy(const Results &other, std::size_t from, std::size_t n, std::size_t to) {
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!values_[i].empty())
      std::copy_n(other.values_[i].begin() + static_cast<std::ptrdiff_t>(from), n,
                  values_[i].begin() + static_cast<std::ptrdiff_t>(to));
}

void Results::write(Output &output, std::string_view query, std::string_view target, std::size_t i) const {
  std::array<std::int32_t, kOutputCount> values{};
  for (std::size_t o = 0; o < kOutputCount; ++o)
    if (!values_[o].empty()) values[o] = values_[o][i];
  write_row(output, query, target, outputs_, values);
}

}  // namespace alnsmith::tool
