// What the E-values and bits of a search's hits come from.
#pragma once

#include <nanobind/nanobind.h>

#include "alnsmith/statistics.hpp"

namespace alnsmith::python {

struct Significance {
  search::ScoringSystem scoring;
  search::Statistics statistics;
  search::Composition composition;
};

void bind_significance(nanobind::module_ &module);

}  // namespace alnsmith::python
