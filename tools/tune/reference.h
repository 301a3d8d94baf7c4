// What is right: scores and ends of the sample by the textbook DP (oracle/), which shares no code with the kernels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "spec/spec.h"
#include "tune/work.h"

namespace alnsmith::tool::tune {

struct Answers {
  std::vector<std::int32_t> scores, query_ends, target_ends;  // the ends are empty where the spec gives none
  bool operator==(const Answers &) const = default;
};

// In the order of a call: pairs, or query by query. `scoring`: the values that the spec leaves to the call.
Answers expected_answers(const spec::Spec &spec, const Scoring &scoring, const Batch &batch, bool all);

// One line about the first answer that differs; empty if all agree.
std::string first_difference(const Answers &expected, const Answers &got, const Batch &batch, bool all);

}  // namespace alnsmith::tool::tune
