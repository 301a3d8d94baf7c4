// What is right: all outputs of the sample by the textbook DP (oracle/), which shares no code with the kernels.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "spec/spec.h"
#include "tune/work.h"

namespace alnsmith::tool::tune {

struct Answers {
  std::array<std::vector<std::int32_t>, kOutputCount> values;  // by output; empty where the spec does not give it

  Answers() = default;
  Answers(OutputSet outputs, std::size_t pairs);  // zeros
  std::size_t pairs() const { return (*this)[alnsmith::Output::score].size(); }
  std::vector<std::int32_t> &operator[](alnsmith::Output output) { return values[index_of(output)]; }
  const std::vector<std::int32_t> &operator[](alnsmith::Output output) const { return values[index_of(output)]; }
  Answers of(std::size_t pair) const;
  Columns columns();
  bool operator==(const Answers &) const = default;
};

// As JSON, lists by the outputs' names.
nlohmann::json to_json(const Answers &answers);
Answers answers_from(const nlohmann::json &json);  // throws nlohmann::json::exception

// What a spec's output gives.
OutputSet outputs_of(const spec::Spec &spec);

// In the order of a call: pairs, or query by query. `scoring`: the values that the spec leaves to the call.
Answers expected_answers(const spec::Spec &spec, const Scoring &scoring, const Batch &batch, bool all);

// One line about the first answer that differs; empty if all agree.
std::string first_difference(const Answers &expected, const Answers &got, const Batch &batch, bool all);

}  // namespace alnsmith::tool::tune
