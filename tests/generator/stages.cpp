#include "stages.h"

#include "passes/passes.h"

namespace stages {

using namespace alnsmith;

std::vector<Stage> of(ir::Function function, const direct::Machine &machine) {
  std::vector<Stage> list;
  list.push_back({"evaluated", ir::Program(function, machine)});
  for (const passes::Pass &pass : passes::all()) {
    pass.run(function);
    ir::Program program(function, machine);
    if (program == list.back().program)
      list.back().name += ", " + std::string(pass.name);
    else
      list.push_back({std::to_string(pass.number) + " " + pass.name, std::move(program)});
  }
  return list;
}

const Stage &in_turn(const std::vector<Stage> &made, std::size_t turn) {
  const std::size_t before = made.size() - 1;
  return turn % 2 == 0 || before == 0 ? made.back() : made[turn / 2 % before];
}

}  // namespace stages
