// The list of passes, and what they share.
#include "passes/passes.h"

namespace alnsmith::passes {

namespace {
constexpr Pass list[] = {
    {10, "fold", "compute constants, apply identities", fold},
    {20, "number_values", "share equal operations", number_values},
    {30, "hoist", "move loop invariants out", hoist},
    {35, "settle", "repeat until nothing changes", settle},
    {40, "step_last", "step counters at the end of a turn", step_last},
    {50, "sweep", "remove what nobody reads", sweep},
};
}

std::span<const Pass> all() { return list; }

std::vector<Trace> run_all(ir::Function &function) {
  std::vector<Trace> trace;
  auto note = [&](std::string name) {
    Trace t{std::move(name), 0, 0};
    ir::for_each_statement(function.body, [&](const ir::Statement &) { ++t.operations; });
    if (const ir::Block *hot = ir::hot_row(function).block) t.hot_operations = ir::vector_operations(*hot);
    trace.push_back(std::move(t));
  };
  note("evaluated");
  for (const Pass &pass : all()) {
    pass.run(function);
    note(std::to_string(pass.number) + " " + pass.name);
  }
  return trace;
}

}  // namespace alnsmith::passes
