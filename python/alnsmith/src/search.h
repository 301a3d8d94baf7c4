// Database search for Python: the best targets of each query, with their significance.
#pragma once

#include <nanobind/nanobind.h>

namespace alnsmith::python {

void bind_search(nanobind::module_ &module);

}  // namespace alnsmith::python
