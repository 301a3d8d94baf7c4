// The library's aligner for Python: opening it by a spec, aligning pairs, all against all.
#pragma once

#include <nanobind/nanobind.h>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith::python {

struct OpenAligner {
  Aligner aligner;
  SpecRef spec;
  Scoring scoring;       // given when it was opened
  bool devices = false;  // its calls wait for more than this process' own threads
};

// Options of a call by their Python values. `threads`: 0 for all; `memory`: bytes.
Options call_options(int threads, std::size_t memory);

void bind_aligner(nanobind::module_ &module);

}  // namespace alnsmith::python
