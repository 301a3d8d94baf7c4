#include "broken_passes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace broken {

using namespace alnsmith;
using ir::Effect;
using ir::Statement;
using ir::StatementKind;
using ir::Value;

namespace {

bool is_splat(const Value &v) { return v.op && v.op->name.starts_with("splat"); }

// Fold that puts constants last and forgets to ask whether operands may change places.
void swap_operands(ir::Function &function) {
  ir::for_each_statement(function.body, [](Statement &s) {
    if (s.kind != StatementKind::let) return;
    auto &a = s.value->operands;
    if (a.size() == 2 && a[0]->type == a[1]->type && (a[0]->is_constant() || is_splat(*a[0]))) std::swap(a[0], a[1]);
  });
}

// Fold that takes a constant's first 16 bits for the whole.
void narrow_constants(ir::Function &function) {
  ir::for_each_statement(function.body, [&](Statement &s) {
    if (s.kind != StatementKind::let || !s.value->is("iadd")) return;
    Value *&b = s.value->operands[1];
    if (b->is_constant()) b = function.constant(static_cast<std::int16_t>(b->constant));
  });
}

// Fold for which a saturating subtraction is one that can be undone: (a -. b) + b = a.
void undo_saturation(ir::Function &function) {
  std::map<const Value *, Value *> by;
  ir::for_each_statement(function.body, [&](Statement &s) {
    if (s.kind != StatementKind::let && s.kind != StatementKind::effect) return;
    for (Value *&v : s.value->operands)
      if (by.contains(v)) v = by[v];
    const Value &v = *s.value;
    if (v.is("sub_floor0")) by[&v] = v.operands[0];
  });
}

// Value numbering over one block, with the mistakes that `Same` allows: what a value is known by, and whether it
// counts.
template <class Key, class Counts>
void number(ir::Block *block, Key key, Counts counts, std::map<const Value *, Value *> &by) {
  using Known = std::map<decltype(key(std::declval<const Value &>())), Value *>;
  Known known;
  for (Statement *s : block->statements) {
    const auto resolve = [&](Value *&v) {
      if (const auto it = by.find(v); it != by.end()) v = it->second;
    };
    if (s->kind == StatementKind::let || s->kind == StatementKind::effect) {
      for (Value *&v : s->value->operands) resolve(v);
      if (s->kind == StatementKind::let && counts(*s->value)) {
        const auto [it, fresh] = known.try_emplace(key(*s->value), s->value);
        if (!fresh) by[s->value] = it->second;
      }
    } else {
      for (ir::Phi &p : s->phis) resolve(p.first);
      for (ir::Block *inner : {s->header, s->body, s->otherwise})
        if (inner) number(inner, key, counts, by);
      resolve(s->value);
      for (ir::Phi &p : s->phis) {
        resolve(p.first);
        resolve(p.second);
      }
    }
  }
}

std::vector<std::pair<int, std::int64_t>> operands(const Value &v) {
  std::vector<std::pair<int, std::int64_t>> list;
  for (const Value *a : v.operands)
    list.emplace_back(a->is_constant() ? -1 - static_cast<int>(a->type) : a->id, a->constant);
  return list;
}

// Numbering by name and operands, where splats of all types have one name.
void number_without_types(ir::Function &function) {
  std::map<const Value *, Value *> by;
  const auto key = [](const Value &v) {
    return std::pair(is_splat(v) ? std::string_view("splat") : v.op->name, operands(v));
  };
  number(function.body, key, [](const Value &v) { return v.op->effect == Effect::pure; }, by);
}

// Numbering that forgets what is behind the first operand.
void number_by_first_operand(ir::Function &function) {
  std::map<const Value *, Value *> by;
  const auto key = [](const Value &v) {
    auto list = operands(v);
    if (list.size() > 2) list.resize(2);
    return std::pair(v.op, list);
  };
  number(function.body, key, [](const Value &v) { return v.op->effect == Effect::pure; }, by);
}

// Numbering for which a load is as good as one before the last store.
void number_loads(ir::Function &function) {
  std::map<const Value *, Value *> by;
  const auto key = [](const Value &v) { return std::pair(v.op, operands(v)); };
  number(function.body, key, [](const Value &v) { return v.op->effect != Effect::store; }, by);
}

// Hoisting out of loops of what `may` go, as p30_hoist.cpp does; `knows_phis`: that phis change in the loop.
template <class May>
void hoist(ir::Block *block, May may, bool knows_phis) {
  std::vector<Statement *> result;
  for (Statement *s : block->statements) {
    for (ir::Block *inner : {s->header, s->body, s->otherwise})
      if (inner) hoist(inner, may, knows_phis);
    if (s->kind == StatementKind::loop) {
      std::set<const Value *> inside;
      const auto note = [&](const Statement &t) {
        if (t.kind == StatementKind::let) inside.insert(t.value);
        if (knows_phis || &t != s)
          for (const ir::Phi &p : t.phis) inside.insert(p.value);
      };
      note(*s);
      ir::for_each_statement(s->header, note);
      ir::for_each_statement(s->body, note);
      for (ir::Block *b : {s->header, s->body})
        std::erase_if(b->statements, [&](Statement *t) {
          const bool operation = t->kind == StatementKind::let || t->kind == StatementKind::effect;
          const bool goes =
              operation && may(*t->value) &&
              std::ranges::none_of(t->value->operands, [&](const Value *v) { return inside.contains(v); });
          if (goes) {
            result.push_back(t);
            inside.erase(t->value);
          }
          return goes;
        });
    }
    result.push_back(s);
  }
  block->statements = std::move(result);
}

void hoist_loads(ir::Function &function) {
  hoist(function.body, [](const Value &v) { return v.op->effect != Effect::store; }, true);
}

// Stores that do not change in the loop, out of it: also where it is never entered.
void hoist_stores(ir::Function &function) {
  hoist(function.body, [](const Value &v) { return v.op->effect != Effect::load && !v.is("barrier"); }, true);
}

void hoist_what_phis_change(ir::Function &function) {
  hoist(function.body, [](const Value &v) { return v.op->effect == Effect::pure; }, false);
}

// Counters step last also where the turn has more use for the next value.
void step_behind_uses(ir::Function &function) {
  ir::for_each_statement(function.body, [](Statement &loop) {
    if (loop.kind != StatementKind::loop) return;
    std::ranges::stable_partition(loop.body->statements, [&](const Statement *s) {
      return s->kind != StatementKind::let || !s->value->is("iadd") ||
             std::ranges::none_of(loop.phis, [&](const ir::Phi &p) { return p.second == s->value; });
    });
  });
}

// Counters step last, and what is stored behind the step in the same turn goes before it with the old value.
void step_with_old_value(ir::Function &function) {
  ir::for_each_statement(function.body, [](Statement &loop) {
    if (loop.kind != StatementKind::loop) return;
    for (const ir::Phi &p : loop.phis) {
      if (!p.second->is("iadd") || p.second->operands[0] != p.value) continue;
      ir::for_each_statement(loop.body, [&](Statement &s) {
        if (s.kind == StatementKind::let || s.kind == StatementKind::effect)
          std::ranges::replace(s.value->operands, p.second, p.value);
      });
    }
  });
}

// Sweeping that takes the last store of a block for one that nobody reads.
void sweep_a_store(ir::Function &function) {
  auto &list = function.body->statements;
  const auto last = std::ranges::find_if(list.rbegin(), list.rend(), [](const Statement *s) {
    return s->kind == StatementKind::effect && s->value->is("store_score");
  });
  if (last != list.rend()) list.erase(std::next(last).base());
}

// Sweeping that takes what only a phi reads for dead: the phi keeps its first input.
void sweep_phi_inputs(ir::Function &function) {
  ir::for_each_statement(function.body, [](Statement &s) {
    if (s.kind != StatementKind::if_) return;
    for (ir::Phi &p : s.phis) p.second = nullptr;
  });
}

// Sweeping for which a loop without phis that are read is empty, whatever it stores.
void sweep_loops(ir::Function &function) {
  std::erase_if(function.body->statements, [&](const Statement *loop) {
    if (loop->kind != StatementKind::loop) return false;
    std::set<const Value *> made;
    for (const ir::Phi &p : loop->phis) made.insert(p.value);
    ir::for_each_statement(loop->header, [&](const Statement &s) { made.insert(s.value); });
    bool read = false, inside = false;
    ir::for_each_statement(function.body, [&](const Statement &s) {
      inside = false;
      for (const ir::Block *b : {loop->header, loop->body})
        ir::for_each_statement(b, [&](const Statement &t) { inside |= &t == &s; });
      if (&s == loop || inside) return;
      read |= s.value && made.contains(s.value);
      if (s.value)
        for (const Value *v : s.value->operands) read |= made.contains(v);
      for (const ir::Phi &p : s.phis) read |= made.contains(p.first) || made.contains(p.second);
    });
    return !read;
  });
}

constexpr passes::Pass list[] = {
    {10, "swap_operands", "operands of what does not commute change places", swap_operands},
    {10, "narrow_constants", "constants of 16 bits", narrow_constants},
    {10, "undo_saturation", "a floor is forgotten", undo_saturation},
    {20, "number_without_types", "splats of all types are one", number_without_types},
    {20, "number_by_first_operand", "a third operand is not looked at", number_by_first_operand},
    {20, "number_loads", "loads are shared over stores", number_loads},
    {30, "hoist_loads", "loads leave loops that store", hoist_loads},
    {30, "hoist_stores", "stores leave loops that may not be entered", hoist_stores},
    {30, "hoist_what_phis_change", "what a phi changes leaves the loop", hoist_what_phis_change},
    {40, "step_behind_uses", "a step that the turn reads goes last", step_behind_uses},
    {40, "step_with_old_value", "what reads a step reads the value before it", step_with_old_value},
    {50, "sweep_a_store", "a store goes", sweep_a_store},
    {50, "sweep_phi_inputs", "a phi loses an input", sweep_phi_inputs},
    {50, "sweep_loops", "loops that store go", sweep_loops},
};

}  // namespace

std::span<const passes::Pass> all() { return list; }

}  // namespace broken
