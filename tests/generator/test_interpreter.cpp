// The interpreter: phis that change places, warps that meet, scores as machines keep them, and what it says of
// functions that are not well-formed.
#include <gtest/gtest.h>

#include <stdexcept>

#include "ir/interpreter.h"

namespace {

using namespace alnsmith;
using ir::Type;
using ir::Value;

struct Builder {
  ir::Function f;
  std::vector<ir::Block *> blocks;
  Builder() { blocks = {f.body = f.new_block()}; }
  Value *number(std::int64_t n) { return f.constant(n); }
  Value *field(const char *name, Type type = Type::pointer) {
    Value *v = f.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = type;
    return v;
  }
  Value *op(const char *name, std::vector<Value *> operands) {
    std::vector<Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    Value *v = f.operation(*ir::find_op(name, types), std::move(operands), {});
    const bool store = v->op->effect == ir::Effect::store;
    add(f.new_statement(store ? ir::StatementKind::effect : ir::StatementKind::let, v));
    return v;
  }
  void add(ir::Statement *s) { blocks.back()->statements.push_back(s); }
  void give(Value *v) { add(f.new_statement(ir::StatementKind::return_, v)); }
};

TEST(Interpreter, PhisChangeAllAtOnce) {
  // (a, b) = (1, 2), changed over three times: a is 2, b is 1.
  Builder b;
  ir::Statement *loop = b.f.new_statement(ir::StatementKind::loop);
  loop->header = b.f.new_block();
  loop->body = b.f.new_block();
  Value *i = b.f.phi(Type::int_, "i"), *x = b.f.phi(Type::int_, "a"), *y = b.f.phi(Type::int_, "b");
  b.blocks.push_back(loop->header);
  loop->value = b.op("ilt", {i, b.number(3)});
  b.blocks.back() = loop->body;
  Value *next = b.op("iadd", {i, b.number(1)});
  b.blocks.pop_back();
  loop->phis = {{i, b.number(0), next}, {x, b.number(1), y}, {y, b.number(2), x}};
  b.add(loop);
  b.give(b.op("iadd", {b.op("imul", {x, b.number(10)}), y}));
  const direct::Machine machine;
  EXPECT_EQ(ir::Program(b.f, machine).run(machine, {}), 21);
}

TEST(Interpreter, WarpsMeetAtBarriers) {
  // Each warp leaves its index in shared memory and reads the other's behind the barrier.
  Builder b;
  Value *me = b.op("warp_index", {}), *other = b.op("isub", {b.number(1), me});
  b.op("store_shared", {b.op("splat_pos", {me}), b.op("splat", {b.op("iadd", {me, b.number(7)})})});
  b.op("barrier", {});
  Value *there = b.op("gather_score", {b.op("splat_pos", {b.op("imul", {other, b.number(4)})})});
  b.op("store_wide", {b.field("totals"), me, b.op("to_wide", {there})});
  b.give(b.number(0));
  const direct::Machine machine{.lanes = 2};
  std::vector<int> totals(4);
  EXPECT_EQ(ir::Program(b.f, machine).run_blocks(machine, {{"totals", totals.data()}}, 1, 2, 64), 0);
  EXPECT_EQ(totals, (std::vector<int>{8, 8, 7, 7}));
}

TEST(Interpreter, ScoresAreKeptAsTheMachineSays) {
  using direct::Kept;
  const std::pair<direct::Machine, int> rows[] = {{{.bits = 8}, -126},
                                                  {{.bits = 8, .kept = Kept::unsigned_}, 130},
                                                  {{.bits = 32}, 130},
                                                  {{.bits = 3, .kept = Kept::floating}, 128}};
  for (const auto &[machine, want] : rows) {
    Builder b;
    Value *sum = b.op("add", {b.op("splat", {b.number(65)}), b.op("splat", {b.number(65)})});
    b.op("store_wide", {b.field("totals"), b.number(0), b.op("to_wide", {sum})});
    b.give(b.number(0));
    int total = 0;
    ir::Program(b.f, machine).run(machine, {{"totals", &total}});
    EXPECT_EQ(total, want) << machine.bits;
  }
}

std::string complaint(Builder &b, const ir::Fields &fields = {}) {
  try {
    const direct::Machine machine;
    ir::Program(b.f, machine, ir::Bounds{8, 8}).run(machine, fields, 100);
  } catch (const std::exception &e) {
    return e.what();
  }
  return "none";
}

TEST(Interpreter, SaysWhatIsNotWellFormed) {
  Builder unknown;  // a value of a branch, read behind it
  ir::Statement *branch = unknown.f.new_statement(ir::StatementKind::if_, unknown.f.constant(1, Type::bool_));
  branch->body = unknown.f.new_block();
  branch->otherwise = unknown.f.new_block();
  unknown.blocks.push_back(branch->body);
  Value *inside = unknown.op("residual", {unknown.number(1)});
  unknown.blocks.pop_back();
  unknown.add(branch);
  unknown.give(inside);
  EXPECT_EQ(complaint(unknown), "the result of residual is read where it has not been computed");

  Builder type;
  type.op("iadd", {type.number(1), type.number(2)})->operands[1] = type.f.constant(1, Type::bool_);
  type.give(type.number(0));
  EXPECT_EQ(complaint(type), "operand 2 of iadd is a bool");

  Builder constant;
  constant.give(constant.number(1ll << 31));
  EXPECT_EQ(complaint(constant), "the constant 2147483648 does not fit 32 bits");

  Builder nothing;
  EXPECT_EQ(complaint(nothing), "the function returns nothing");

  Builder field;
  field.give(field.field("few", Type::int_));
  EXPECT_EQ(complaint(field), "the argument block has no field 'few'");

  Builder astray;
  astray.give(astray.op("load_int", {astray.field("numbers"), astray.number(8)}));
  const int numbers[9] = {};
  EXPECT_EQ(complaint(astray, {{"numbers", static_cast<const void *>(numbers)}}), "load_int at 8, out of bounds");

  Builder endless;
  ir::Statement *loop = endless.f.new_statement(ir::StatementKind::loop, endless.f.constant(1, Type::bool_));
  loop->header = endless.f.new_block();
  loop->body = endless.f.new_block();
  endless.add(loop);
  endless.give(endless.number(0));
  EXPECT_EQ(complaint(endless), "the function does not end");
}

}  // namespace
