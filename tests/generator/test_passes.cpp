// Each pass alone, on IR built by hand: what it changes and what it must leave.
#include <gtest/gtest.h>

#include "passes/passes.h"

namespace {

using namespace alnsmith;
using ir::Type;

// Builds a function statement by statement.
struct Builder {
  ir::Function f;
  std::vector<ir::Block *> blocks;
  Builder() {
    f.body = f.new_block();
    blocks = {f.body};
  }
  ir::Value *constant(int n) { return f.constant(n); }
  ir::Value *argument(const char *name, Type type = Type::int_) {
    ir::Value *v = f.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = type;
    return v;
  }
  ir::Value *op(const char *name, std::initializer_list<ir::Value *> operands) {
    std::vector<Type> types;
    for (const ir::Value *v : operands) types.push_back(v->type);
    ir::Value *v = f.operation(*ir::find_op(name, types), operands, {});
    const bool store = v->op->effect == ir::Effect::store;
    blocks.back()->statements.push_back(f.new_statement(store ? ir::StatementKind::effect : ir::StatementKind::let, v));
    return v;
  }
  // while (i < n) body(i), from i = 0 by 1.
  template <class Body>
  ir::Statement *loop(ir::Value *n, Body body) {
    ir::Statement *s = f.new_statement(ir::StatementKind::loop);
    s->header = f.new_block();
    s->body = f.new_block();
    ir::Value *i = f.phi(Type::int_, "i");
    blocks.push_back(s->header);
    s->value = op("ilt", {i, n});
    blocks.back() = s->body;
    body(i);
    ir::Value *next = op("iadd", {i, constant(1)});
    blocks.pop_back();
    s->phis.push_back({i, constant(0), next});
    blocks.back()->statements.push_back(s);
    return s;
  }
  void finish() { f.body->statements.push_back(f.new_statement(ir::StatementKind::return_, constant(0))); }
};

TEST(Fold, ComputesConstantsAndAppliesIdentities) {
  Builder b;
  ir::Value *n = b.argument("segments"), *out = b.argument("score", Type::pointer);
  ir::Value *zero = b.op("isub", {b.constant(3), b.constant(3)});
  ir::Value *same = b.op("iadd", {b.op("imul", {b.constant(1), n}), zero});
  ir::Value *sum = b.op("iadd", {b.op("iadd", {same, b.constant(2)}), b.constant(5)});
  b.op("store_wide",
       {out, sum, b.op("splat_wide", {b.op("choose_int", {b.op("ilt", {b.constant(1), b.constant(2)}), same, zero})})});
  b.finish();
  passes::fold(b.f);
  passes::sweep(b.f);
  EXPECT_EQ(ir::dump(b.f),
            "%0 = iadd(args.segments, 7)\n%1 = splat_wide(args.segments)\nstore_wide(args.score, %0, %1)\nreturn 0\n");
}

// x + 2147483647 + 1 wraps, as the two additions do; 2147483648 would be a wider number in the text.
TEST(Fold, ConstantsStayWithin32Bits) {
  Builder b;
  ir::Value *sum = b.op("iadd", {b.op("iadd", {b.argument("segments"), b.constant(INT32_MAX)}), b.constant(1)});
  b.op("store_wide", {b.argument("score", Type::pointer), b.constant(0), b.op("splat_wide", {sum})});
  b.finish();
  passes::fold(b.f);
  passes::sweep(b.f);
  EXPECT_EQ(ir::dump(b.f),
            "%0 = iadd(args.segments, -2147483648)\n%1 = splat_wide(%0)\nstore_wide(args.score, 0, %1)\nreturn 0\n");
}

TEST(Fold, LeavesWhatDoesNotHoldForScores) {
  // max(a, b) + c is not max(a + c, b + c) once adds wrap, and a floor does not cancel.
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer);
  ir::Value *x = b.op("load_score", {memory, b.constant(0)});
  ir::Value *five = b.op("splat", {b.constant(5)});
  ir::Value *y = b.op("add", {b.op("sub_floor0", {x, five}), five});
  b.op("store_score", {memory, b.constant(1), y});
  b.finish();
  const std::string before = ir::dump(b.f);
  passes::fold(b.f);
  EXPECT_EQ(ir::dump(b.f), before);
}

// What all lanes hold is added once; half precision holds no 2049, and 2048 + 1 in it is 2048.
TEST(Fold, AddsWhatAllLanesHoldWhereEveryArithmeticIsExact) {
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer);
  const auto splat = [&](int value) { return b.op("splat", {b.constant(value)}); };
  b.op("store_score", {memory, b.constant(0), b.op("sub", {b.op("sub", {splat(74), splat(2)}), splat(30)})});
  b.op("store_score", {memory, b.constant(1), b.op("add", {splat(2048), splat(1)})});
  ir::Value *wide = b.op("sub", {b.op("splat_wide", {b.constant(-2)}), b.op("splat_wide", {b.constant(2)})});
  b.op("store_wide", {memory, b.constant(2), wide});
  b.finish();
  passes::fold(b.f);
  passes::sweep(b.f);
  EXPECT_EQ(ir::dump(b.f),
            "%0 = splat(42)\nstore_score(args.scratch, 0, %0)\n%1 = splat(2048)\n%2 = splat(1)\n%3 = add(%1, %2)\n"
            "store_score(args.scratch, 1, %3)\n%4 = splat_wide(-4)\nstore_wide(args.scratch, 2, %4)\nreturn 0\n");
}

TEST(Fold, DoesNotTouchLoopCarriedValues) {
  Builder b;
  ir::Value *memory = b.argument("score", Type::pointer);
  b.loop(b.argument("segments"), [&](ir::Value *i) { b.op("store_wide", {memory, i, b.op("splat_wide", {i})}); });
  b.finish();
  passes::fold(b.f);
  EXPECT_NE(ir::dump(b.f).find("phi(0, "), std::string::npos) << ir::dump(b.f);
}

TEST(NumberValues, SharesEqualPureOperationsOnly) {
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer);
  ir::Value *x = b.op("load_score", {memory, b.constant(0)});
  ir::Value *y = b.op("load_score", {memory, b.constant(0)});  // a store might lie between: stays
  ir::Value *p = b.op("sub", {x, y}), *q = b.op("sub", {x, y});
  b.op("store_score", {memory, b.constant(1), b.op("max", {p, q})});
  b.finish();
  passes::number_values(b.f);
  passes::fold(b.f);
  passes::sweep(b.f);
  EXPECT_EQ(ir::dump(b.f),
            "%0 = load_score(args.scratch, 0)\n%1 = load_score(args.scratch, 0)\n%2 = sub(%0, %1)\n"
            "store_score(args.scratch, 1, %2)\nreturn 0\n");
}

TEST(NumberValues, DoesNotShareAcrossBranches) {
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer), *x = b.op("load_score", {memory, b.constant(0)});
  b.loop(b.argument("segments"),
         [&](ir::Value *) { b.op("store_score", {memory, b.constant(1), b.op("add", {x, x})}); });
  b.loop(b.argument("segments"),
         [&](ir::Value *) { b.op("store_score", {memory, b.constant(2), b.op("add", {x, x})}); });
  b.finish();
  passes::number_values(b.f);
  const std::string text = ir::dump(b.f);
  EXPECT_NE(text.find("add("), text.rfind("add(")) << "a value of the first loop's body is not known behind it\n"
                                                   << text;
}

TEST(Hoist, MovesInvariantsOutOfLoopsAndNothingElse) {
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer), *n = b.argument("segments");
  ir::Statement *loop = b.loop(n, [&](ir::Value *i) {
    ir::Value *invariant = b.op("splat", {b.op("imul", {n, b.constant(3)})});
    ir::Value *loaded = b.op("load_score", {memory, b.constant(7)});
    b.op("store_score", {memory, i, b.op("add", {invariant, loaded})});
  });
  b.finish();
  passes::hoist(b.f);
  EXPECT_EQ(b.f.body->statements.size(), 4u);    // imul, splat, loop, return
  EXPECT_EQ(loop->body->statements.size(), 4u);  // load, add, store, next
}

TEST(Sweep, RemovesWhatNobodyReads) {
  Builder b;
  ir::Value *memory = b.argument("scratch", Type::pointer);
  b.op("splat", {b.constant(1)});
  b.op("load_score", {memory, b.constant(0)});
  ir::Statement *loop = b.loop(b.argument("segments"), [&](ir::Value *) { b.op("splat", {b.constant(2)}); });
  ir::Value *dead = b.f.phi(Type::score, "dead");
  loop->phis.push_back({dead, nullptr, dead});
  b.finish();
  passes::sweep(b.f);
  EXPECT_EQ(loop->phis.size(), 1u);
  EXPECT_EQ(loop->body->statements.size(), 1u);
  EXPECT_EQ(b.f.body->statements.size(), 2u);
}

TEST(Passes, AreNumberedAndReportTheirEffect) {
  int last = 0;
  for (const passes::Pass &pass : passes::all()) {
    EXPECT_GT(pass.number, last);
    last = pass.number;
  }
  Builder b;
  b.op("splat", {b.constant(1)});
  b.finish();
  const auto trace = passes::run_all(b.f);
  ASSERT_EQ(trace.size(), passes::all().size() + 1);
  EXPECT_EQ(trace.front().operations, 2);
  EXPECT_EQ(trace.back().operations, 1);
}

}  // namespace
