// Pass 20: value numbering. A pure operation whose operands were combined before in an enclosing block is that value.
//
// In: folded function. Out: no pure operation occurs twice on one path; equal constants are one value.
#include <map>
#include <tuple>
#include <unordered_map>

#include "passes/passes.h"

namespace alnsmith::passes {

namespace {

using ir::Value;
using Key = std::pair<const ir::Op *, std::vector<int>>;

class Numberer {
 public:
  void run(ir::Function &function) { block(function.body); }

 private:
  Value *resolve(Value *v) {
    if (!v) return nullptr;
    if (v->is_constant()) return constants_.try_emplace({v->type, v->constant}, v).first->second;
    const auto it = replaced_.find(v);
    return it == replaced_.end() ? v : it->second;
  }

  void block(ir::Block *b) {
    if (!b) return;
    std::vector<Key> added;
    for (ir::Statement *s : b->statements) {
      if (s->kind == ir::StatementKind::let || s->kind == ir::StatementKind::effect) {
        for (Value *&v : s->value->operands) v = resolve(v);
        if (s->value->op->effect == ir::Effect::pure) {
          Key key{s->value->op, {}};
          for (const Value *v : s->value->operands) key.second.push_back(v->id);
          const auto [it, fresh] = known_.try_emplace(key, s->value);
          if (fresh)
            added.push_back(std::move(key));
          else
            replaced_[s->value] = it->second;
        }
      } else {
        for (ir::Phi &p : s->phis) p.first = resolve(p.first);
        block(s->header);
        block(s->body);
        block(s->otherwise);
        s->value = resolve(s->value);
        for (ir::Phi &p : s->phis) {
          p.first = resolve(p.first);
          p.second = resolve(p.second);
        }
      }
    }
    for (const Key &key : added) known_.erase(key);
  }

  std::map<Key, Value *> known_;  // in the enclosing blocks
  std::map<std::pair<ir::Type, std::int64_t>, Value *> constants_;
  std::unordered_map<Value *, Value *> replaced_;
};

}  // namespace

void number_values(ir::Function &function) { Numberer().run(function); }

}  // namespace alnsmith::passes
