// A kernel's IR at every stage of its making, ready to run: as evaluated, and after each pass.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ir/interpreter.h"
#include "ir/ir.h"

namespace stages {

struct Stage {
  std::string name;  // "evaluated", "10 fold", ...
  alnsmith::ir::Program program;
};

// Stages that run the same instructions as the one before are left out. Throws std::logic_error where the IR of a stage
// is not well-formed.
std::vector<Stage> of(alnsmith::ir::Function function, const direct::Machine &machine);

// The one that runs in turn `turn`: the last stage every other time, the ones before it one after another in between.
// What else alternates with turns has to do so at another pace, and where few follow each other the first one is drawn.
const Stage &in_turn(const std::vector<Stage> &made, std::size_t turn);

}  // namespace stages
