// Making a random function smaller, cut by cut.
#include <algorithm>
#include <initializer_list>
#include <set>

#include "random_ir.h"

namespace random_ir {

using namespace alnsmith;
using ir::Statement;
using ir::StatementKind;
using ir::Type;
using ir::Value;

namespace {

// Calls f for every place that names a value.
template <class F>
void for_each_use(ir::Function &function, F &&f) {
  ir::for_each_statement(function.body, [&](Statement &s) {
    if (s.kind == StatementKind::let || s.kind == StatementKind::effect)
      for (Value *&v : s.value->operands) f(v);
    else
      f(s.value);
    for (ir::Phi &p : s.phis) {
      f(p.first);
      f(p.second);
    }
  });
}

void replace(ir::Function &function, const Value *old, Value *with) {
  for_each_use(function, [&](Value *&v) {
    if (v == old) v = with;
  });
}

bool used(ir::Function &function, const Value *value) {
  bool found = false;
  for_each_use(function, [&](Value *&v) { found |= v == value; });
  return found;
}

// The block that holds the statement, and where.
std::pair<ir::Block *, std::size_t> find(ir::Block *block, const Statement *wanted) {
  if (!block) return {};
  for (std::size_t i = 0; i < block->statements.size(); ++i) {
    const Statement *s = block->statements[i];
    if (s == wanted) return {block, i};
    for (ir::Block *inner : {s->header, s->body, s->otherwise})
      if (const auto found = find(inner, wanted); found.first) return found;
  }
  return {};
}

// The same value everywhere, made of nothing; none for types that have no such operation.
bool make_plain(ir::Function &function, Value &v) {
  for (const char *name : {"splat", "splat_wide", "splat_pos", "splat_letter"}) {
    const ir::Op *op = ir::find_op(name, std::vector<Type>{Type::int_});
    if (op->result != v.type) continue;
    if (v.op == op && v.operands[0]->is_constant()) return false;
    v.op = op;
    v.operands = {function.constant(0)};
    return true;
  }
  return false;
}

void cut_one(ir::Function &function, Statement *s, int variant) {
  const auto [block, at] = find(function.body, s);
  if (!block) return;
  if (variant == Cut::if_unread && (s->kind != StatementKind::let || used(function, s->value))) return;
  const auto position = block->statements.begin() + static_cast<std::ptrdiff_t>(at);
  const auto put_in_place = [&](std::initializer_list<const ir::Block *> inner) {
    std::vector<Statement *> list;
    for (const ir::Block *b : inner)
      if (b) list.insert(list.end(), b->statements.begin(), b->statements.end());
    block->statements.insert(block->statements.erase(position), list.begin(), list.end());
  };
  switch (s->kind) {
    case StatementKind::let:
      if (s->value->type == Type::int_ || s->value->type == Type::bool_)
        replace(function, s->value, function.constant(variant, s->value->type));
      if (!used(function, s->value))
        block->statements.erase(position);
      else
        make_plain(function, *s->value);
      break;
    case StatementKind::effect:
      block->statements.erase(position);
      break;
    case StatementKind::if_:
      for (const ir::Phi &p : s->phis) replace(function, p.value, variant ? p.second : p.first);
      put_in_place({variant ? s->otherwise : s->body});
      break;
    case StatementKind::loop:
      for (const ir::Phi &p : s->phis) replace(function, p.value, p.first);
      if (variant)  // one turn
        put_in_place({s->header, s->body});
      else
        put_in_place({s->header});
      break;
    case StatementKind::return_:
      s->value = function.constant(0);
  }
}

// Takes away what nothing reads, until nothing of the kind is left.
void tidy(ir::Function &function) {
  for (bool again = true; again;) {
    again = false;
    std::set<const Value *> read;
    for_each_use(function, [&](const Value *v) { read.insert(v); });
    const auto block = [&](auto &self, ir::Block *b) -> void {
      if (!b) return;
      again |= std::erase_if(b->statements, [&](const Statement *s) {
                 return s->kind == StatementKind::let && !read.contains(s->value);
               }) > 0;
      for (Statement *s : b->statements) {
        again |= std::erase_if(s->phis, [&](const ir::Phi &p) { return !read.contains(p.value); }) > 0;
        for (ir::Block *inner : {s->header, s->body, s->otherwise}) self(self, inner);
      }
    };
    block(block, function.body);
  }
}

}  // namespace

void apply(ir::Function &function, std::span<const Cut> cuts) {
  std::vector<Statement *> made;
  ir::for_each_statement(function.body, [&](Statement &s) { made.push_back(&s); });
  for (const Cut &c : cuts) {
    if (c.index == Cut::unread)
      tidy(function);
    else
      cut_one(function, made[c.index], c.variant);
  }
}

int statements(const ir::Function &function) {
  int count = 0;
  ir::for_each_statement(function.body, [&](const Statement &) { ++count; });
  return count;
}

}  // namespace random_ir
