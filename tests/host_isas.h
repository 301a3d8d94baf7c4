// The instruction sets that kernels are generated for on this machine, wide to narrow: what tests go through.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "full_run.h"
#include "targets/targets.h"

namespace alnsmith {
inline void PrintTo(const Isa &isa, std::ostream *out) { *out << isa_name(isa); }  // in names of tests
}  // namespace alnsmith

// As ctest can call it.
inline std::string test_name(std::string words) {
  std::ranges::replace(words, '-', '_');
  return words;
}
inline std::string test_name(const alnsmith::Isa &isa) { return test_name(std::string(isa_name(isa))); }

inline std::vector<alnsmith::Isa> host_isas() {
  std::vector<alnsmith::Isa> list;
  for (const alnsmith::targets::Cpu *row : alnsmith::targets::host_cpus()) list.push_back({row->machine, row->rank});
  return list;
}

namespace sample {

// Whether an instruction set runs case `number` of a list: the widest runs all, the others a third each; in full all.
inline bool falls_to(const alnsmith::Isa &isa, std::size_t number) {
  return full() || isa == host_isas().front() || number % 3 == static_cast<std::size_t>(isa.rank) % 3;
}

}  // namespace sample
