// Out of SSA form: programs run with shared variables as they do with a value each. Loops that swap their phis, loops
// whose old value is read behind them, and random programs of nested loops and branches.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "backend/inlining.h"
#include "backend/variables.h"
#include "passes/passes.h"

namespace {

using namespace alnsmith;
using backend::Inlining;
using backend::Move;
using backend::Variables;
using ir::StatementKind;
using ir::Type;
using ir::Value;

// Uniform integers, loops, branches and stores.
struct Program {
  ir::Function f;
  ir::Block *at = nullptr;
  Value *out = nullptr;
  Program() {
    f.body = at = f.new_block();
    out = f.new_value();
    out->kind = ir::ValueKind::argument;
    out->name = "score";
    out->type = Type::pointer;
  }
  Value *op(const char *name, std::vector<Value *> operands) {
    std::vector<Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    Value *v = f.operation(*ir::find_op(name, types), std::move(operands), {});
    at->statements.push_back(
        f.new_statement(v->op->effect == ir::Effect::store ? StatementKind::effect : StatementKind::let, v));
    return v;
  }
  void store(Value *v) { op("store_wide", {out, f.constant(0), op("splat_wide", {v})}); }
  // `turns` turns of `body`, which returns what the phis are next; their values at the end.
  std::vector<Value *> loop(int turns, const std::vector<Value *> &first,
                            const std::function<std::vector<Value *>(const std::vector<Value *> &)> &body) {
    ir::Statement *s = f.new_statement(StatementKind::loop);
    s->header = f.new_block();
    s->body = f.new_block();
    ir::Block *before = std::exchange(at, s->header);
    Value *i = f.phi(Type::int_, "i");
    s->value = op("ilt", {i, f.constant(turns)});
    at = s->body;
    std::vector<Value *> phis;
    for (std::size_t p = 0; p < first.size(); ++p) phis.push_back(f.phi(Type::int_, "p"));
    const std::vector<Value *> next = body(phis);
    s->phis.push_back({i, f.constant(0), op("iadd", {i, f.constant(1)})});
    for (std::size_t p = 0; p < first.size(); ++p) s->phis.push_back({phis[p], first[p], next[p]});
    at = before;
    at->statements.push_back(s);
    return phis;
  }
};

// Runs a program, each value in a place of its own, or in the variables that the text has.
class Machine {
 public:
  explicit Machine(const ir::Function &f, bool shared) : inlining_(f), variables_(f, inlining_), shared_(shared) {
    block(f.body);
  }
  std::vector<std::int32_t> stored;

 private:
  const Value *place(const Value *v) const { return shared_ ? variables_.of(v) : v; }

  std::int32_t value(const Value *v) {
    if (v->is_constant()) return static_cast<std::int32_t>(v->constant);
    return shared_ && inlining_.inlined(v) ? compute(v) : held_.at(place(v));
  }

  std::int32_t compute(const Value *v) {
    const auto a = static_cast<std::uint32_t>(value(v->operands[0]));
    const auto b = v->operands.size() > 1 ? static_cast<std::uint32_t>(value(v->operands[1])) : 0;
    if (v->is("iadd")) return static_cast<std::int32_t>(a + b);
    if (v->is("isub")) return static_cast<std::int32_t>(a - b);
    if (v->is("ilt")) return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    return static_cast<std::int32_t>(a);  // splat_wide
  }

  void copy(const std::vector<ir::Phi> &phis, Value *ir::Phi::*input) {
    if (!shared_) {
      std::vector<std::int32_t> values;
      for (const ir::Phi &p : phis) values.push_back(value(p.*input));
      for (std::size_t i = 0; i < phis.size(); ++i) held_[phis[i].value] = values[i];
      return;
    }
    std::vector<Move> moves;
    for (const ir::Phi &p : phis) moves.push_back({variables_.of(p.value), variables_.of(p.*input)});
    std::map<const Value *, std::int32_t> saved;
    for (const Move &m : backend::in_sequence(moves))
      if (m.to)
        held_[m.to] = m.saved ? saved.at(m.from) : value(m.from);
      else
        saved[m.from] = value(m.from);
  }

  void block(const ir::Block *b) {
    for (const ir::Statement *s : b->statements) {
      if (s->kind == StatementKind::let) {
        if (!shared_ || !inlining_.inlined(s->value)) held_[place(s->value)] = compute(s->value);
      } else if (s->kind == StatementKind::effect) {
        stored.push_back(value(s->value->operands[2]));
      } else if (s->kind == StatementKind::if_) {
        const bool taken = value(s->value) != 0;
        block(taken ? s->body : s->otherwise);
        copy(s->phis, taken ? &ir::Phi::first : &ir::Phi::second);
      } else if (s->kind == StatementKind::loop) {
        for (copy(s->phis, &ir::Phi::first);; copy(s->phis, &ir::Phi::second)) {
          block(s->header);
          if (!value(s->value)) break;
          block(s->body);
        }
      }
    }
  }

  Inlining inlining_;
  Variables variables_;
  bool shared_;
  std::map<const Value *, std::int32_t> held_;
};

void expect_equal_runs(const ir::Function &f) {
  EXPECT_EQ(Machine(f, false).stored, Machine(f, true).stored) << ir::dump(f);
}

TEST(Variables, PhisThatSwapStayApart) {
  Program p;
  const auto end =
      p.loop(3, {p.f.constant(1), p.f.constant(2)}, [](const auto &phis) { return std::vector{phis[1], phis[0]}; });
  p.store(end[0]);
  p.store(end[1]);
  EXPECT_EQ(Machine(p.f, true).stored, (std::vector{2, 1}));
  const Inlining inlining(p.f);
  const Variables variables(p.f, inlining);
  EXPECT_NE(variables.of(end[0]), variables.of(end[1]));
}

TEST(Variables, AValueReadBehindItsLoopIsNotOverwritten) {
  // The lost copy: the phi's old value leaves the loop while its next one is already computed.
  Program p;
  Value *next = nullptr;
  const auto end = p.loop(3, {p.f.constant(5), p.f.constant(0)}, [&](const auto &phis) {
    next = p.op("iadd", {phis[0], p.f.constant(10)});
    p.store(next);
    return std::vector{next, phis[0]};
  });
  p.store(end[0]);
  p.store(end[1]);
  EXPECT_EQ(Machine(p.f, true).stored, (std::vector{15, 25, 35, 35, 25}));
}

TEST(Variables, ACounterIsOneVariable) {
  Program p;
  Value *next = nullptr;
  const auto end = p.loop(3, {p.f.constant(5)}, [&](const auto &phis) {
    next = p.op("iadd", {phis[0], p.f.constant(2)});
    p.store(next);
    return std::vector{next};
  });
  p.store(end[0]);
  const Inlining inlining(p.f);
  const Variables variables(p.f, inlining);
  EXPECT_EQ(variables.of(end[0]), variables.of(next));
  expect_equal_runs(p.f);
}

TEST(Variables, NestedLoopsCarryOneVariable) {
  Program p;
  std::vector<Value *> inner;
  const auto outer = p.loop(2, {p.f.constant(1)}, [&](const auto &phis) {
    inner = p.loop(2, phis, [&](const auto &again) { return std::vector{p.op("iadd", {again[0], again[0]})}; });
    return inner;
  });
  p.store(outer[0]);
  const Inlining inlining(p.f);
  const Variables variables(p.f, inlining);
  EXPECT_EQ(variables.of(outer[0]), variables.of(inner[0]));
  EXPECT_EQ(Machine(p.f, true).stored, std::vector{16});
}

TEST(InSequence, KeepsOneValueForEachCycle) {
  Value a, b, c, d;
  // d is a copy of a, so it goes first; a, b and c turn round.
  const auto steps = backend::in_sequence({{&a, &b}, {&b, &c}, {&c, &a}, {&d, &a}, {&b, &b}});
  EXPECT_EQ(steps, (std::vector<Move>{{&d, &a}, {nullptr, &a}, {&a, &b}, {&b, &c}, {&c, &a, true}}));
  EXPECT_TRUE(backend::in_sequence({{&a, &a}}).empty());
}

// Random programs: every statement reads anything that it may.
class RandomProgram : public Program {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    std::vector<Value *> known = {f.constant(3), f.constant(-7)};
    statements(known, 0);
    for (Value *v : known) store(v);
    at->statements.push_back(f.new_statement(StatementKind::return_, f.constant(0)));
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Value *any(const std::vector<Value *> &known) { return known[static_cast<std::size_t>(below(int(known.size())))]; }

  void statements(std::vector<Value *> &known, int depth) {
    for (int n = 2 + below(5); n > 0; --n) {
      const int kind = below(depth < 3 ? 10 : 7);
      if (kind < 5)
        known.push_back(op(below(2) ? "iadd" : "isub", {any(known), any(known)}));
      else if (kind < 7)
        store(any(known));
      else if (kind < 9)
        random_loop(known, depth);
      else
        random_branch(known, depth);
    }
  }

  void random_loop(std::vector<Value *> &known, int depth) {
    std::vector<Value *> first;
    for (int n = 1 + below(4); n > 0; --n) first.push_back(any(known));
    const auto end = loop(below(4), first, [&](const std::vector<Value *> &phis) {
      std::vector<Value *> inside = known;
      for (int often = 0; often < 3; ++often) inside.insert(inside.end(), phis.begin(), phis.end());
      statements(inside, depth + 1);
      std::vector<Value *> next;
      for (std::size_t i = 0; i < phis.size(); ++i) next.push_back(any(below(2) ? phis : inside));
      return next;
    });
    known.insert(known.end(), end.begin(), end.end());
  }

  void random_branch(std::vector<Value *> &known, int depth) {
    ir::Statement *s = f.new_statement(StatementKind::if_, op("ilt", {any(known), any(known)}));
    s->body = f.new_block();
    s->otherwise = f.new_block();
    ir::Block *before = at;
    std::vector<Value *> then = known, otherwise = known;
    at = s->body;
    statements(then, depth + 1);
    at = s->otherwise;
    statements(otherwise, depth + 1);
    at = before;
    for (int n = 1 + below(3); n > 0; --n) {
      s->phis.push_back({f.phi(Type::int_, "b"), any(then), any(otherwise)});
      known.push_back(s->phis.back().value);
    }
    at->statements.push_back(s);
  }

  std::mt19937 random_;
};

TEST(Variables, RandomProgramsRunAlike) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomProgram p(seed);
    const auto expected = Machine(p.f, false).stored;
    expect_equal_runs(p.f);
    passes::run_all(p.f);
    EXPECT_EQ(Machine(p.f, false).stored, expected) << "passes, seed " << seed;
    expect_equal_runs(p.f);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
