// What plans of CPU kernels share: mapping `lanes`, where each lane has an alignment for itself, and those where all
// lanes of a vector share one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "circuits/circuit.h"
#include "plan/plan.h"

namespace alnsmith::plan {

// All lanes of a vector share an alignment, form `split`.
bool shares_vector(std::string_view mapping);

// Kernels without a floor keep scores in 8 bits beside a base: borders and cells all exist, and what borders cost is
// the same in all lanes (templates/lane_base.h).
bool lanes_agree(const spec::Spec &spec);

// Range of a kept score (arithmetics.def).
std::pair<std::int64_t, std::int64_t> range(int width);

// Bits of the arithmetics that keep scores, the narrowest first.
std::vector<int> score_widths();
// An arithmetic's name, and how many bits a lane has; of `auto` as few as there are.
int width_of(const std::string &arithmetic);
std::string arithmetic_of(int width);

// What entries call a circuit: of one of several its scheme.
std::string bits_name(const spec::Spec &spec, const circuits::Scheme &scheme);

}  // namespace alnsmith::plan
