// Every row of templates/ops.def as each CPU target prints it computes what the row means, on random operands.
//
// For each row a function is made that loads the row's operands, applies it and stores the result. Its text, compiled
// with the target's prelude and the flags of shipped kernels, must leave what the interpreter leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "alnsmith/alnsmith.hpp"
#include "backend/embedded.h"
#include "backend/printer.h"
#include "backend/unit.h"
#include "compiled.h"
#include "ir/interpreter.h"

namespace {

using namespace alnsmith;
using ir::Type;
using ir::Value;

constexpr int elements = 4;       // of the arrays that operands come from
constexpr int letters = 32;       // codes of letters are below
constexpr int results = letters;  // elements that a result takes at most

// The function of one row. Operand n is element n of an array of its type; the result begins at element 0.
class Maker {
 public:
  explicit Maker(const ir::Op &op) {
    f_.body = f_.new_block();
    std::vector<Value *> operands;
    for (std::size_t n = 0; n < op.operands.size(); ++n) operands.push_back(operand(op, n));
    Value *v = f_.operation(op, operands, {});
    const bool store = op.effect == ir::Effect::store;
    add(store ? ir::StatementKind::effect : ir::StatementKind::let, v);
    if (!store) leave(v);
    add(ir::StatementKind::return_, f_.constant(0));
  }
  ir::Function function() { return std::move(f_); }

 private:
  void add(ir::StatementKind kind, Value *v) { f_.body->statements.push_back(f_.new_statement(kind, v)); }
  Value *emit(const char *name, std::initializer_list<Value *> operands) {
    std::vector<Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    const ir::Op *op = ir::find_op(name, types);
    if (!op) throw std::logic_error(std::string("no operation ") + name);
    Value *v = f_.operation(*op, operands, {});
    add(op->effect == ir::Effect::store ? ir::StatementKind::effect : ir::StatementKind::let, v);
    return v;
  }
  Value *field(const char *name) {
    for (Value *v : fields_)
      if (v->name == name) return v;
    Value *v = f_.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = Type::pointer;
    fields_.push_back(v);
    return v;
  }
  Value *number(int n) { return f_.constant(n); }

  // Arrays by the argument block's names: numbers in register_length, letters in stream_letters, masks in refill_lanes,
  // scores in scratch; what is stored goes to scratch, score and status.
  Value *operand(const ir::Op &op, std::size_t n) {
    const int i = static_cast<int>(n);
    const bool address = n > 0 && op.operands[n - 1] == Type::pointer;
    switch (op.operands[n]) {
      case Type::pointer:
        if (op.name.ends_with("_score") || op.name == "load_own") return field("scratch");
        if (op.effect == ir::Effect::store) return field(op.name == "store_mask" ? "status" : "score");
        if (op.name == "load_mask") return field("refill_lanes");
        return field(op.signature.starts_with("(const unsigned char") ? "stream_letters" : "register_length");
      case Type::int_:
        if (op.name == "splat_letter") return emit("load_letter", {field("stream_letters"), number(i)});
        return address ? number(op.effect == ir::Effect::store ? 0 : 1)
                       : emit("load_int", {field("register_length"), number(i)});
      case Type::bool_:
        return emit("ilt", {emit("load_int", {field("register_length"), number(i)}), number(0)});
      case Type::score: {
        Value *v = emit("load_score", {field("scratch"), number(results + i)});
        return op.name == "sub_floor0" ? emit("max", {v, emit("splat", {number(0)})}) : v;
      }
      case Type::wide: {
        if (!address) return emit("to_wide", {operand_pos(i)});
        Value *least = emit("splat_pos", {number(0)}), *most = emit("splat_pos", {number(results - 1)});
        return emit("to_wide", {emit("min", {emit("max", {operand_pos(i), least}), most})});
      }
      case Type::pos:
        // Narrow kernels convert positions that fit only.
        return op.name == "to_score" ? emit("max", {emit("min", {operand_pos(i), emit("splat_pos", {number(127)})}),
                                                    emit("splat_pos", {number(-128)})})
                                     : operand_pos(i);
      case Type::letter:
        return emit("load_letters", {field("stream_letters"), number(i)});
      case Type::mask:
        return emit("load_mask", {field("refill_lanes"), number(i)});
      case Type::table:
        return emit("load_table", {field("matrix"), number(1)});
      default:
        throw std::logic_error("an operand of a type that CPUs lack");
    }
  }
  Value *operand_pos(int i) { return emit("load_pos", {field("register_length"), number(i)}); }

  void leave(Value *v) {
    Value *one = number(0);
    switch (v->type) {
      case Type::bool_:
        v = emit("choose_int", {v, number(1), number(2)});
        [[fallthrough]];
      case Type::int_:
        emit("store_wide", {field("score"), one, emit("splat_wide", {v})});
        break;
      case Type::score:
        emit("store_score", {field("scratch"), one, v});
        break;
      case Type::pos:
        v = emit("to_wide", {v});
        [[fallthrough]];
      case Type::wide:
        emit("store_wide", {field("score"), one, v});
        break;
      case Type::mask:
        emit("store_mask", {field("status"), one, v});
        break;
      case Type::letter:
        for (int c = 0; c < letters; ++c)
          emit("store_mask", {field("status"), number(c), emit("equal", {v, emit("splat_letter", {number(c)})})});
        break;
      case Type::table:
        emit("store_score",
             {field("scratch"), one, emit("lookup", {v, emit("load_letters", {field("stream_letters"), one})})});
        break;
      case Type::pointer:
        emit("store_wide", {field("score"), one, emit("splat_wide", {emit("load_int", {v, number(5)})})});
        break;
      default:
        throw std::logic_error("a result of a type that CPUs lack");
    }
  }

  ir::Function f_;
  std::vector<Value *> fields_;
};

// The arrays of one call. Scores in memory are as wide as `score_bytes`.
struct Arrays {
  std::vector<int> numbers, matrix, score;
  std::vector<unsigned char> letters_, masks, status;
  std::vector<int> scores;  // by value, whatever their width in memory
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::vector<Line> scratch;
  std::size_t score_bytes;
  aln_args_v1 args{};

  Arrays(unsigned seed, const direct::Machine &machine, std::size_t bytes) : score_bytes(bytes) {
    std::mt19937 random(seed);
    const auto lanes = static_cast<std::size_t>(machine.lanes);
    const auto any = [&] { return random() % 2 ? static_cast<int>(random()) : static_cast<int>(random() % 7) - 3; };
    numbers.resize(std::max<std::size_t>(elements * lanes, 4 * ALN_MATRIX_STRIDE));
    std::ranges::generate(numbers, any);
    matrix.resize(2 * ALN_MATRIX_STRIDE);
    std::ranges::generate(matrix, any);
    letters_.resize(elements * lanes);
    for (auto &c : letters_) c = static_cast<unsigned char>(random() % 4 ? random() % 3 : random() % letters);
    masks.resize(elements * lanes);
    for (auto &m : masks) m = static_cast<unsigned char>(random() % 2 * (1 + random() % 255));
    if (random() % 8 == 0) std::ranges::fill(masks, 0);
    status.assign(results * lanes, 7);
    score.assign(results * lanes, 7);
    scores.resize((results + elements) * lanes);
    for (int &s : scores) s = machine.wrap(any());
    scratch.resize((scores.size() * bytes + 63) / 64);
    for (std::size_t i = 0; i < scores.size(); ++i) std::memcpy(&scratch[0].bytes[0] + i * bytes, &scores[i], bytes);
    args.size = sizeof args;
    args.register_length = numbers.data();
    args.stream_letters = letters_.data();
    args.refill_lanes = masks.data();
    args.matrix = matrix.data();
    args.scratch = scratch.data();
    args.score = score.data();
    args.status = status.data();
  }
  std::vector<compiled::Region> memory() const {
    std::vector<compiled::Region> list;
    for (const auto *ints : {&numbers, &matrix, &score}) list.push_back({ints->data(), ints->size() * sizeof(int)});
    for (const auto *bytes : {&letters_, &masks, &status}) list.push_back({bytes->data(), bytes->size()});
    list.push_back({scratch.data(), scratch.size() * sizeof(Line)});
    return list;
  }
  // Scores as memory has them now.
  std::vector<int> stored(const direct::Machine &machine) const {
    std::vector<int> list(scores.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      int s = 0;
      std::memcpy(&s, &scratch[0].bytes[0] + i * score_bytes, score_bytes);
      list[i] = machine.wrap(s);
    }
    return list;
  }
};

const std::vector<int> folded = [] {
  std::vector<int> m(ALN_MATRIX_STRIDE);
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<int>(i * i) - 40;
  return m;
}();

std::string label(const ir::Op &op) { return std::string(op.name) + std::string(op.signature); }

// What these leave in memory only one of them can read: test_own_tables.cpp.
bool of_tables(const ir::Op &op) { return op.name.starts_with("turn_") || op.name == "look_up"; }

class PrintedForms : public testing::TestWithParam<std::string> {};

TEST_P(PrintedForms, ComputeWhatTheRowsMean) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  std::vector<std::string> texts;
  std::vector<std::pair<const ir::Op *, int>> rows;  // and width
  const auto entry = [](std::size_t row, int width) {
    return "row" + std::to_string(row) + "_" + std::to_string(width);
  };
  for (const int width : {8, 16, 32}) {
    std::string text = backend::kernel_prelude(target, width, folded);
    for (std::size_t i = 0; i < ir::ops().size(); ++i) {
      const ir::Op &op = ir::ops()[i];
      if (op.table != ir::Table::all || of_tables(op)) continue;
      text += backend::print_function(Maker(op).function(), backend::cpu_style(entry(i, width))) + "\n";
      rows.emplace_back(&op, width);
    }
    texts.push_back(std::move(text));
  }
  const compiled::Object object(texts, target);
  for (const auto &[op, width] : rows) {
    SCOPED_TRACE(label(*op) + " as '" + std::string(op->text) + "', int" + std::to_string(width));
    const direct::Machine machine{.lanes = target.lanes(width), .bits = width, .matrix = folded.data()};
    const compiled::Kernel printed = object.find(entry(static_cast<std::size_t>(op - ir::ops().data()), width));
    ASSERT_TRUE(printed);
    const ir::Program program(Maker(*op).function(), machine);
    for (unsigned seed = 0; seed < 50; ++seed) {
      Arrays want(seed, machine, 4), got(seed, machine, static_cast<std::size_t>(width / 8));
      ASSERT_EQ(program.run(machine, ir::fields_of(want.args)), 0);
      ASSERT_EQ(printed(&got.args, got.memory()), 0);
      ASSERT_EQ(got.score, want.score) << seed;
      ASSERT_EQ(got.status, want.status) << seed;
      ASSERT_EQ(got.stored(machine), want.stored(machine)) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PrintedForms, testing::ValuesIn(compiled::cpu_targets()),
                         [](const auto &info) { return compiled::test_name(info.param); });

}  // namespace
