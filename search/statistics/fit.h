// Parameters of the score distribution from a sample: lengths by regression, lambda and K by maximum likelihood.
#pragma once

#include "alnsmith/statistics.hpp"
#include "likelihood.h"
#include "sample.h"

namespace alnsmith::search {

// Fills in `query`, `target`, `sigma` and `tau` from the alignments that score `lowest` or more.
void fit_lengths(const Sample &sample, std::int32_t lowest, Statistics &statistics);

// Fills in lambda and K with their standard errors from scores that are `lowest` or more, a multiple of the period; of
// the others their number alone counts (left-censored, Altschul et al. 2001). Lengths and period have to be there.
// Errors are as large as the residual says where that is more than chance.
Fit fit_lambda(const Sample &sample, std::int32_t lowest, Statistics &statistics);

}  // namespace alnsmith::search
