// Pass 40: moves the step of a counter that only the next turn reads to the end of the loop's body.
//
// In: any function. Out: the same values; the counter and its next value are not needed side by side, so that the text
// has one variable for both.
#include <algorithm>
#include <unordered_map>

#include "passes/passes.h"

namespace alnsmith::passes {

namespace {

using ir::Value;
using Uses = std::unordered_map<const Value *, int>;

Uses count_uses(const ir::Function &function) {
  Uses uses;
  ir::for_each_statement(function.body, [&](const ir::Statement &s) {
    const bool operation = s.kind == ir::StatementKind::let || s.kind == ir::StatementKind::effect;
    if (operation)
      for (const Value *v : s.value->operands) ++uses[v];
    else
      ++uses[s.value];
    for (const ir::Phi &p : s.phis) ++uses[p.first], ++uses[p.second];
  });
  return uses;
}

}  // namespace

void step_last(ir::Function &function) {
  Uses uses = count_uses(function);
  ir::for_each_statement(function.body, [&](ir::Statement &loop) {
    if (loop.kind != ir::StatementKind::loop) return;
    std::ranges::stable_partition(loop.body->statements, [&](const ir::Statement *s) {
      if (s->kind != ir::StatementKind::let || !s->value->is("iadd") || uses[s->value] != 1) return true;
      return std::ranges::none_of(loop.phis, [&](const ir::Phi &p) {
        return p.second == s->value && s->value->operands[0] == p.value && s->value->operands[1]->is_constant();
      });
    });
  });
}

}  // namespace alnsmith::passes
