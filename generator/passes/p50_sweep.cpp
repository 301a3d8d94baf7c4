// Pass 50: removes operations and phis that no store, condition or result depends on, and statements left empty.
//
// In: any function. Out: everything in it is needed. Loops stay: their conditions count as read.
#include <unordered_map>
#include <unordered_set>

#include "passes/passes.h"

namespace alnsmith::passes {

namespace {

using ir::Value;

class Sweeper {
 public:
  explicit Sweeper(ir::Function &function) {
    std::vector<Value *> work;
    ir::for_each_statement(function.body, [&](ir::Statement &s) {
      for (ir::Phi &p : s.phis) inputs_[p.value] = &p;
      const bool stays = s.kind != ir::StatementKind::let || s.value->op->effect == ir::Effect::store;
      if (stays && s.value) work.push_back(s.value);
    });
    while (!work.empty()) {
      Value *v = work.back();
      work.pop_back();
      if (!v || !live_.insert(v).second) continue;
      work.insert(work.end(), v->operands.begin(), v->operands.end());
      if (const auto it = inputs_.find(v); it != inputs_.end()) {
        work.push_back(it->second->first);
        work.push_back(it->second->second);
      }
    }
  }

  void sweep(ir::Block *block) {
    if (!block) return;
    std::vector<ir::Statement *> kept;
    for (ir::Statement *s : block->statements) {
      std::erase_if(s->phis, [&](const ir::Phi &p) { return !live_.contains(p.value); });
      sweep(s->header);
      sweep(s->body);
      sweep(s->otherwise);
      const bool empty_if = s->kind == ir::StatementKind::if_ && s->phis.empty() && s->body->statements.empty() &&
                            s->otherwise->statements.empty();
      const bool dead = s->kind == ir::StatementKind::let && !live_.contains(s->value);
      if (!dead && !empty_if) kept.push_back(s);
    }
    block->statements = std::move(kept);
  }

 private:
  std::unordered_map<const Value *, ir::Phi *> inputs_;
  std::unordered_set<const Value *> live_;
};

}  // namespace

void sweep(ir::Function &function) { Sweeper(function).sweep(function.body); }

}  // namespace alnsmith::passes
