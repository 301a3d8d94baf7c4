// Pass 10: computes operations on constants and applies identities.
//
// In: any function. Out: the same values; an operation that became a constant or one of its operands is replaced.
#include <optional>
#include <unordered_map>

#include "passes/passes.h"

namespace alnsmith::passes {

namespace {

using ir::Value;

// The constant that all lanes of v hold: a constant, or a splat of one.
std::optional<std::int64_t> constant_of(const Value *v) {
  if (v->is_constant()) return v->constant;
  if (v->op && v->op->splats() && v->operands[0]->is_constant()) return v->operands[0]->constant;
  return {};
}

class Folder {
 public:
  explicit Folder(ir::Function &function) : function_(function) {}

  void run() { block(function_.body); }

 private:
  Value *resolve(Value *v) const {
    for (auto it = replaced_.find(v); it != replaced_.end(); it = replaced_.find(v)) v = it->second;
    return v;
  }

  void block(ir::Block *b) {
    if (!b) return;
    for (ir::Statement *s : b->statements) {
      for (ir::Phi &p : s->phis) p.first = p.first ? resolve(p.first) : nullptr;
      simplify(s->phis);
      block(s->header);
      block(s->body);
      block(s->otherwise);
      // A loop's back edge reads values of its body, which are simplified by now; an if's inputs likewise.
      for (ir::Phi &p : s->phis) {
        p.first = p.first ? resolve(p.first) : nullptr;
        p.second = p.second ? resolve(p.second) : nullptr;
      }
      simplify(s->phis);
      if (s->kind == ir::StatementKind::let || s->kind == ir::StatementKind::effect) {
        for (Value *&v : s->value->operands) v = resolve(v);
        if (s->kind == ir::StatementKind::let)
          if (Value *simpler = simplify(*s->value)) replaced_[s->value] = simpler;
      } else if (s->value) {
        s->value = resolve(s->value);
      }
    }
  }

  // A phi that no turn changes, or that both branches leave the same, is what it was before.
  void simplify(const std::vector<ir::Phi> &phis) {
    for (const ir::Phi &p : phis)
      if (p.first && p.second && (same(p.first, p.second) || p.second == p.value)) replaced_[p.value] = p.first;
  }

  Value *simplify(Value &v) {
    auto &a = v.operands;
    std::optional<std::int64_t> x, y;
    if (!a.empty()) x = constant_of(a[0]);
    if (a.size() > 1) y = constant_of(a[1]);
    if (v.op->compute && x && (y || a.size() == 1)) return function_.constant(v.op->compute(*x, y.value_or(0)), v.type);
    if (v.type == ir::Type::int_ || v.type == ir::Type::bool_) {
      if (v.is("residual") && x) return a[0];  // it has kept the evaluator from unrolling
      if (v.is("choose_int") && x) return *x ? a[1] : a[2];
      if (v.is("and")) {
        if (x) return *x ? a[1] : a[0];
        if (y) return *y ? a[0] : a[1];
      }
      if (v.is("or")) {
        if (x) return *x ? a[0] : a[1];
        if (y) return *y ? a[1] : a[0];
      }
    }
    // Whole numbers that every arithmetic holds, half precision with its 11 bits too.
    const auto held = [](std::int64_t number) { return -2048 <= number && number <= 2048; };
    if (x && y && (v.is("add") || v.is("sub")) && held(*x) && held(*y)) {
      if (const std::int64_t sum = v.is("add") ? *x + *y : *x - *y; held(sum)) {
        v.op = a[0]->op;  // a splat
        a = {function_.constant(sum)};
        return nullptr;
      }
    }
    // Constants last, so that the identities need one form.
    if (v.op->commutative && x && !y) {
      std::swap(a[0], a[1]);
      return simplify(v);
    }
    if ((v.is("iadd") || v.is("isub") || v.is("add") || v.is("sub")) && y == 0) return a[0];
    if ((v.is("imul") || v.is("mul")) && y == 1) return a[0];
    if ((v.is("imul") || (v.is("mul") && v.type == ir::Type::number)) && y == 0) return a[1];
    if (v.is("sub_floor0") && y == 0) return a[0];
    if ((v.is("max") || v.is("min")) && a[0] == a[1]) return a[0];
    if ((v.is("select") || v.is("choose_int")) && same(a[1], a[2])) return a[1];
    // (x + c) + d = x + (c + d) for uniform integers
    if (v.is("iadd") && y && a[0]->is("iadd") && constant_of(a[0]->operands[1])) {
      a[1] = function_.constant(static_cast<std::int32_t>(*y + *constant_of(a[0]->operands[1])));
      a[0] = a[0]->operands[0];
      return simplify(v);
    }
    return nullptr;
  }

  static bool same(const Value *a, const Value *b) {
    return a == b || (a->is_constant() && b->is_constant() && a->type == b->type && a->constant == b->constant);
  }

  ir::Function &function_;
  std::unordered_map<Value *, Value *> replaced_;
};

}  // namespace

void fold(ir::Function &function) { Folder(function).run(); }

}  // namespace alnsmith::passes
