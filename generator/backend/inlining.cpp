// See inlining.h.
#include "backend/inlining.h"

#include <algorithm>
#include <cctype>

namespace alnsmith::backend {

namespace {

using ir::Statement;
using ir::StatementKind;
using ir::Value;

constexpr std::size_t longest = 75;

// Evaluates its first operand and perhaps others.
bool skips(const ir::Op &op) { return op.text == "&&" || op.text == "||" || op.text == "?"; }

}  // namespace

bool is_constant_vector(const Value *v) { return v->op && v->op->splats() && v->operands[0]->is_constant(); }

Inlining::Inlining(const ir::Function &function) {
  count(function.body);
  decide(function.body);
}

int Inlining::uses(const Value *v) const {
  const auto it = readers_.find(v);
  return it == readers_.end() ? 0 : it->second.uses;
}

void Inlining::read(const Value *v, const ir::Block *where, bool may_skip) {
  if (!v) return;
  Reader &reader = readers_[v];
  ++reader.uses;
  reader.block = where;
  reader.may_skip |= may_skip;
}

void Inlining::count(const ir::Block *block) {
  if (!block) return;
  for (const Statement *s : block->statements) {
    if (s->kind == StatementKind::let || s->kind == StatementKind::effect) {
      const auto &operands = s->value->operands;
      for (std::size_t i = 0; i < operands.size(); ++i) read(operands[i], block, i > 0 && skips(*s->value->op));
    } else
      read(s->value, s->kind == StatementKind::loop ? s->header : block);
    for (const ir::Phi &p : s->phis) {
      read(p.first, nullptr);
      read(p.second, nullptr);
    }
    count(s->header);
    count(s->body);
    count(s->otherwise);
  }
}

// What a name will be is not known yet: its hint and a digit or two.
std::size_t Inlining::width(const Value *v) const {
  if (v->kind == ir::ValueKind::argument) return v->name.size();
  if (v->is_constant()) return 3;
  if (const auto it = widths_.find(v); it != widths_.end()) return it->second;
  return v->name.size() + 2;
}

void Inlining::decide(const ir::Block *block) {
  if (!block) return;
  for (const Statement *s : block->statements) {
    decide(s->header);
    decide(s->body);
    decide(s->otherwise);
    if (s->kind != StatementKind::let) continue;
    const Value *v = s->value;
    if (is_constant_vector(v)) {
      inlined_.insert(v);
      widths_[v] = 4;
      continue;
    }
    const bool is_operator = !std::isalpha(static_cast<unsigned char>(v->op->text.front()));
    std::size_t total = is_operator ? 0 : v->op->text.size() + 2;
    for (const Value *operand : v->operands) total += width(operand) + 3;
    const auto reader = readers_.find(v);
    const bool alone = reader != readers_.end() && reader->second.uses == 1 && reader->second.block == block;
    if (!alone || v->op->effect != ir::Effect::pure || total > longest) continue;
    const bool calls =
        !is_operator || std::ranges::any_of(v->operands, [&](const Value *o) { return calling_.contains(o); });
    if (calls && reader->second.may_skip) continue;
    inlined_.insert(v);
    if (calls) calling_.insert(v);
    widths_[v] = total;
  }
}

}  // namespace alnsmith::backend
