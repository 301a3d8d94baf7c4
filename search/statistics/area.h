// How many pairs of letters an alignment of a score can start at: the factor of E that knows sequences' ends.
#pragma once

#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

// [p(m) p(n) + c Phi Phi] for score `y` and lengths m and n in letters; lambda, the sides, sigma and tau are read.
double start_area(const Statistics &statistics, double y, double query_length, double target_length);

// Whether it would be the same, to the bit, with any larger lambda: only the least variances depend on lambda, and for
// scores that are not small they do not bind.
bool area_is_free_of_lambda(const Statistics &statistics, double y);

}  // namespace alnsmith::search
