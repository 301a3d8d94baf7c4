// What is printed inside its reader. Lanes of a warp vote and exchange together: an operator that may leave its operand
// out must not hold such a call. And which integers are printed with 64 bits.
#include <gtest/gtest.h>

#include <string>

#include "backend/addresses.h"
#include "backend/inlining.h"
#include "backend/printer.h"

namespace {

using namespace alnsmith;
using ir::Type;
using ir::Value;

struct Text {
  ir::Function f;
  Value *args = nullptr;
  Text() {
    f.body = f.new_block();
    args = f.new_value();
    args->kind = ir::ValueKind::argument;
    args->name = "score";
    args->type = Type::pointer;
  }
  Value *op(const char *name, std::vector<Value *> operands) {
    std::vector<Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    Value *v = f.operation(*ir::find_op(name, types), std::move(operands), {});
    const bool store = v->op->effect == ir::Effect::store;
    f.body->statements.push_back(f.new_statement(store ? ir::StatementKind::effect : ir::StatementKind::let, v));
    return v;
  }
  Value *number(int i) { return f.constant(i); }
  Value *loaded(int i) { return op("load_int", {args, number(i)}); }
  // Reads a condition, once.
  void read(Value *condition) {
    ir::Statement *s = f.new_statement(ir::StatementKind::if_, condition);
    s->body = f.new_block();
    s->otherwise = f.new_block();
    f.body->statements.push_back(s);
  }
};

TEST(Inlining, WhatMayBeLeftOutCallsNothing) {
  for (const char *name : {"and", "or"}) {
    Text t;
    Value *vote = t.op("any", {t.op("no_lanes", {})});
    Value *sum = t.op("ilt", {t.op("iadd", {t.loaded(0), t.number(1)}), t.number(7)});
    Value *both = t.op(name, {sum, vote});
    t.read(both);
    const backend::Inlining inlining(t.f);
    EXPECT_FALSE(inlining.inlined(vote)) << name;
    EXPECT_TRUE(inlining.inlined(sum)) << name;
    EXPECT_TRUE(inlining.inlined(both)) << name;
  }
}

TEST(Inlining, NorDoesWhatIsPrintedInsideIt) {
  Text t;
  Value *most = t.op("largest", {t.op("lane_index", {t.number(8)})});
  Value *more = t.op("ilt", {t.number(3), most});
  Value *chosen = t.op("choose_int", {t.op("ilt", {t.loaded(0), t.number(1)}), t.number(5),
                                      t.op("iadd", {t.op("warp_index", {}), t.number(1)})});
  t.read(t.op("and", {t.op("ilt", {t.loaded(1), chosen}), more}));
  const backend::Inlining inlining(t.f);
  EXPECT_TRUE(inlining.inlined(most));
  EXPECT_FALSE(inlining.inlined(more));
  EXPECT_FALSE(inlining.inlined(chosen->operands[2]));
}

TEST(Inlining, TheFirstOperandIsAlwaysEvaluated) {
  Text t;
  Value *vote = t.op("any", {t.op("no_lanes", {})});
  t.read(t.op("and", {vote, t.op("ilt", {t.loaded(0), t.number(7)})}));
  EXPECT_TRUE(backend::Inlining(t.f).inlined(vote));
}

TEST(Inlining, UnlessWhatItIsPrintedInMayBeLeftOut) {
  Text t;
  Value *vote = t.op("any", {t.op("no_lanes", {})});
  Value *inner = t.op("and", {vote, t.op("ilt", {t.loaded(0), t.number(7)})});
  t.read(t.op("or", {t.op("ilt", {t.loaded(1), t.number(7)}), inner}));
  const backend::Inlining inlining(t.f);
  EXPECT_TRUE(inlining.inlined(vote));
  EXPECT_FALSE(inlining.inlined(inner));
}

// Passes, models and the printer read off the name that an operation does nothing but spread its operand.
TEST(Inlining, NamesOfSplatsTellTheTruth) {
  int splats = 0;
  for (const ir::Op &op : ir::ops()) {
    if (!op.splats()) continue;
    ++splats;
    ASSERT_EQ(op.operands.size(), 1u) << op.name;
    EXPECT_EQ(op.operands[0], Type::int_) << op.name;
    EXPECT_EQ(op.effect, ir::Effect::pure) << op.name;
    EXPECT_TRUE(op.meaning == "a" || op.meaning == "m.wrap(a)" || op.meaning == "m.bits_of(a)")
        << op.name << ": " << op.meaning;
  }
  EXPECT_EQ(splats, 7);
}

// What nothing but addresses reads has 64 bits where pointers have them; a value that is stored or compared wraps.
TEST(Addresses, AreWhatNothingElseReads) {
  Text t;
  Value *row = t.loaded(0);
  Value *twice = t.op("imul", {row, t.number(2)});
  Value *behind = t.op("iadd", {twice, t.number(1)});
  t.op("store_wide", {t.args, twice, t.op("splat_wide", {t.op("load_int", {t.args, behind})})});
  Value *stored = t.op("iadd", {row, t.number(3)});
  t.op("store_wide", {t.args, stored, t.op("splat_wide", {stored})});
  Value *compared = t.op("isub", {row, t.number(4)}), *under = t.op("imul", {compared, t.number(5)});
  t.op("store_wide", {t.args, under, t.op("splat_wide", {t.number(0)})});
  t.read(t.op("ilt", {compared, t.number(6)}));
  const backend::Addresses addresses(t.f);
  for (const Value *v : {twice, behind, under}) EXPECT_TRUE(addresses.contains(v)) << v->op->name;
  for (const Value *v : {row, stored, compared}) EXPECT_FALSE(addresses.contains(v)) << v->op->name;

  const std::string text = backend::print_function(t.f, backend::cpu_style("kernel"));
  EXPECT_NE(text.find("const long t2 = (long)t1 * 2;"), std::string::npos) << text;
  EXPECT_NE(text.find("load_int(score, t2 + 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("const int t4 = t1 + 3"), std::string::npos) << text;
  EXPECT_NE(text.find("(long)t5 * 5"), std::string::npos) << text;
}

}  // namespace
