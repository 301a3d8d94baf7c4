// What plans of CPU kernels share: mapping `lanes`, where each lane has an alignment for itself, and those where all
// lanes of a vector share one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "circuits/circuit.h"
#include "plan/plan.h"

namespace alnsmith::plan {

// All lanes of a vector share an alignment, form `split`.
bool shares_vector(std::string_view mapping);

// Kernels without a floor keep scores in 8 bits beside a base: borders and cells all exist, and what borders cost is
// the same in all lanes (templates/lane_base.h).
bool lanes_agree(const spec::Spec &spec);

// Range of a kept score; 32 bits keep a distance from int's own limits, so that sums of two never overflow.
std::pair<std::int64_t, std::int64_t> range(int width);

// "bitsliced", "int8", …, and how many bits a lane has.
int width_of(const std::string &arithmetic);
std::string arithmetic_of(int width);

// What entries call a circuit: of one of several its scheme.
std::string bits_name(const spec::Spec &spec, const circuits::Scheme &scheme);

}  // namespace alnsmith::plan
