// What the runtime asks about instruction sets beyond alnsmith.hpp: their rows, and those that this machine runs.
#pragma once

#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "targets/targets.h"

namespace alnsmith::rt {

const targets::Cpu *row_of(Isa isa);  // null for one that kernels are not generated for

// An instruction set of this machine by its name; the error, which begins with what asks, lists them.
Result<Isa> host_isa(std::string_view asker, std::string_view name);

// The lower of two that both run here.
inline Isa narrower(Isa a, Isa b) { return a <= b ? a : b; }

// Those of this machine whose kernels a CPU with `widest` runs, wide to narrow.
std::vector<Isa> up_to(Isa widest);

// Whose measured costs are those of this machine's cores (targets::model_of_core()).
inline std::string_view core_model() { return targets::model_of_core(cpu_class()); }

// Bytes of a vector that this machine's cores run as one; 0: not known.
inline int core_vector() { return targets::vector_of_core(cpu_class()); }

}  // namespace alnsmith::rt
