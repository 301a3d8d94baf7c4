// What a call of an aligner gives, as arrays that Python sees without a copy.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "sequences.h"

namespace alnsmith::python {

struct Results {
  std::size_t queries = 0, targets = 0;
  bool all = false;  // each query with each target: arrays have the shape (queries, targets), else (queries,)
  OutputSet outputs;
  std::array<std::vector<std::int32_t>, kOutputCount> columns;  // by output; empty where it was not asked for
  std::vector<CigarRun> runs;                                   // of all CIGARs, in the order of pairs
  std::vector<std::int64_t> cigar_offsets;                      // pairs + 1, or empty
  Report report;

  std::size_t pairs() const { return all ? queries * targets : queries; }
  // Makes room for the outputs. Where they go: into `columns` and `cigars`.
  Columns prepare(Cigars &cigars);
  // Puts CIGARs into `runs`, in order.
  void take(const Cigars &cigars);
};

void bind_results(nb::module_ &module);

}  // namespace alnsmith::python
