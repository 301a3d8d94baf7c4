// Construction, measures and the listing of the IR.
#include "ir/ir.h"

#include <algorithm>
#include <map>

namespace alnsmith::ir {

Value *Function::constant(std::int64_t value, Type type) {
  Value *v = new_value();
  v->kind = ValueKind::constant;
  v->type = type;
  v->constant = value;
  return v;
}

Value *Function::operation(const Op &op, std::vector<Value *> operands, Origin origin) {
  Value *v = new_value();
  v->type = op.result;
  v->op = &op;
  v->operands = std::move(operands);
  v->origin = std::move(origin);
  return v;
}

Value *Function::phi(Type type, std::string hint) {
  Value *v = new_value();
  v->kind = ValueKind::phi;
  v->type = type;
  v->name = std::move(hint);
  return v;
}

int vector_operations(const Block &block) {
  int count = 0;
  for (const Statement *s : block.statements) {
    if (s->kind != StatementKind::let && s->kind != StatementKind::effect) continue;
    const Value &v = *s->value;
    const bool constant_splat = v.op->splats() && v.operands[0]->is_constant();
    const bool uniform = v.type == Type::int_ || v.type == Type::bool_ || v.type == Type::pointer;
    if (v.op->effect == Effect::pure && !uniform && !constant_splat) ++count;
  }
  return count;
}

HotRow hot_row(const Function &function) {
  HotRow found;
  for_each_statement(function.body, [&](const Statement &s) {
    for (const Block *block : {s.body, s.otherwise}) {
      if (!block) continue;
      const auto marks = [](const Statement *of) {
        return of->kind == StatementKind::effect && of->value->is("hot_row");
      };
      if (std::ranges::any_of(block->statements, marks)) found = {block, &s.phis};
    }
  });
  return found;
}

std::string dump(const Function &function) {
  std::string out;
  std::map<const Value *, int> number;
  auto name = [&](const Value *v) -> std::string {
    if (!v) return "undefined";
    if (v->is_constant()) return std::to_string(v->constant);
    if (v->kind == ValueKind::argument) return "args." + v->name;
    const auto [it, fresh] = number.try_emplace(v, static_cast<int>(number.size()));
    return "%" + std::to_string(it->second);
  };
  auto list = [&](const Value &v) {
    std::string text = std::string(v.op->name) + "(";
    for (std::size_t i = 0; i < v.operands.size(); ++i) text += (i ? ", " : "") + name(v.operands[i]);
    return text + ")";
  };
  auto block = [&](auto &self, const Block *b, const std::string &indent) -> void {
    if (!b) return;
    for (const Statement *s : b->statements) {
      switch (s->kind) {
        case StatementKind::let:
          out += indent + name(s->value) + " = " + list(*s->value) + "\n";
          break;
        case StatementKind::effect:
          out += indent + list(*s->value) + "\n";
          break;
        case StatementKind::return_:
          out += indent + "return " + name(s->value) + "\n";
          break;
        case StatementKind::if_:
        case StatementKind::loop: {
          const bool loop = s->kind == StatementKind::loop;
          for (const Phi &p : s->phis)
            out += indent + name(p.value) + " = phi(" + name(p.first) + ", " + name(p.second) + ")\n";
          self(self, s->header, indent + "  ");
          out += indent + (loop ? "while " : "if ") + name(s->value) + "\n";
          self(self, s->body, indent + "  ");
          if (s->otherwise && !s->otherwise->statements.empty()) {
            out += indent + "else\n";
            self(self, s->otherwise, indent + "  ");
          }
          break;
        }
      }
    }
  };
  block(block, function.body, "");
  return out;
}

}  // namespace alnsmith::ir
