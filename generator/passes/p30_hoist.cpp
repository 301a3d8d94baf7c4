// Pass 30: moves pure operations whose operands do not change in a loop before it.
//
// In: numbered function. Out: the hot loop holds only what depends on it. A loop's header computes its condition
// before the first turn, so its operations may move as well; pure operations cannot fail, so this is always legal.
#include <unordered_set>

#include "passes/passes.h"

namespace alnsmith::passes {

namespace {

class Hoister {
 public:
  void run(ir::Block *block) {
    std::vector<ir::Statement *> result;
    for (ir::Statement *s : block->statements) {
      if (s->header) run(s->header);
      if (s->body) run(s->body);
      if (s->otherwise) run(s->otherwise);
      if (s->kind == ir::StatementKind::loop) {
        std::unordered_set<const ir::Value *> inside;
        collect(*s, inside);
        take(s->header, inside, result);
        take(s->body, inside, result);
      }
      result.push_back(s);
    }
    block->statements = std::move(result);
  }

 private:
  static void collect(const ir::Statement &loop, std::unordered_set<const ir::Value *> &inside) {
    auto note = [&](const ir::Statement &s) {
      if (s.kind == ir::StatementKind::let) inside.insert(s.value);
      for (const ir::Phi &p : s.phis) inside.insert(p.value);
    };
    note(loop);
    ir::for_each_statement(loop.header, note);
    ir::for_each_statement(loop.body, note);
  }

  static void take(ir::Block *block, std::unordered_set<const ir::Value *> &inside,
                   std::vector<ir::Statement *> &before) {
    std::vector<ir::Statement *> stays;
    for (ir::Statement *s : block->statements) {
      bool invariant = s->kind == ir::StatementKind::let && s->value->op->effect == ir::Effect::pure;
      if (invariant)
        for (const ir::Value *v : s->value->operands) invariant = invariant && !inside.contains(v);
      if (invariant) inside.erase(s->value);
      (invariant ? before : stays).push_back(s);
    }
    block->statements = std::move(stays);
  }
};

}  // namespace

void hoist(ir::Function &function) { Hoister().run(function.body); }

}  // namespace alnsmith::passes
