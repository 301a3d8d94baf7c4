// `alnsmith tune --calibrate`: what this core's ports take, for the models that limits come from.
//
// In:  nothing but the core. Out: <user's folder of tables>/core-<CPU class>.json (docs/tuning.md): the clock and, for
//      vectors of 64 and of 16 to 32 bytes, operations a cycle: any (sums, logic), maxima, compares and lookups,
//      saturating sums. A second or two; the fastest of many short runs counts, so that other work does little harm.
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool::tune {

// The file of this CPU class in the user's folder; empty where there is no folder.
std::string core_file();

// That file; empty where there is none. An error says why one that is there does not count: damaged, or others may
// write to it.
Result<std::string> known_core();

// Measures, writes the file and prints what it holds.
Status calibrate();

}  // namespace alnsmith::tool::tune
