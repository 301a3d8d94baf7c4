// Tables of each lane's own (turn_table, turn_letters, look_up of templates/ops.def) as each CPU target prints them
// find what the rows mean. What the first two leave is laid out as the target likes, so only what is found is compared.
// Widths and targets share the shapes out in halves; with ALNSMITH_FULL=1 each has all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "backend/printer.h"
#include "backend/unit.h"
#include "compiled.h"
#include "ir/interpreter.h"
#include "sample.h"

namespace {

using namespace alnsmith;
using ir::Value;

// Elements of scratch memory: the table, the letters, what is found. Rows of the stream, the first that is looked up.
// The letters of a short table end where those of a long one begin its second half: what lies behind must stay.
constexpr int table = 0, letters = 32, found = 64, step = 3, elements = found + 16 * step;
constexpr int rows = 21, first_row = 4;

// What a call of look_up() says of its entries.
struct Span {
  const char *name;
  int least, most;
};

// What an entry may be: all that its width holds, a byte, and one more on either side.
constexpr Span spans[] = {{"any", std::numeric_limits<int>::min(), std::numeric_limits<int>::max()},
                          {"byte", -128, 127},
                          {"above", -128, 128},
                          {"below", -129, 127}};
constexpr int ends[] = {rows, first_row + 16, first_row + 5};  // of the stream: behind the sixteen rows, at, before

struct Shape {
  int entries, end;
  Span span;
  std::string entry(int width) const {
    return "tables" + std::to_string(width) + "_" + std::to_string(entries) + "_" + std::to_string(end) + "_" +
           span.name;
  }
};
// Each of two shares has every two of entries, end and span.
std::vector<Shape> shapes(std::size_t share) {
  std::vector<Shape> list;
  for (std::size_t e = 0; e < 2; ++e)
    for (std::size_t n = 0; n < std::size(ends); ++n)
      for (std::size_t s = 0; s < std::size(spans); ++s)
        if ((e + n + s + share) % 2 == 0 || sample::everything()) list.push_back({e ? 32 : 16, ends[n], spans[s]});
  return list;
}

ir::Function function(const Shape &shape) {
  const auto &[entries, end, span] = shape;
  ir::Function f;
  f.body = f.new_block();
  const auto pointer = [&](const char *name) {
    Value *v = f.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = ir::Type::pointer;
    return v;
  };
  Value *const scratch = pointer("scratch"), *const stream = pointer("stream_letters");
  const auto emit = [&](const char *name, std::vector<Value *> operands) {
    std::vector<ir::Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    f.body->statements.push_back(
        f.new_statement(ir::StatementKind::effect, f.operation(*ir::find_op(name, types), std::move(operands), {})));
  };
  const auto number = [&](int n) { return f.constant(n); };
  for (int half = 0; half < entries; half += 16) emit("turn_table", {scratch, number(table + half)});
  emit("turn_letters", {scratch, number(letters), number(entries), stream, number(first_row), number(end)});
  emit("look_up", {scratch, number(found), number(step), number(table), number(letters), number(entries),
                   number(span.least), number(span.most)});
  f.body->statements.push_back(f.new_statement(ir::StatementKind::return_, number(0)));
  return f;
}

// The memory of a call, with scores of `bytes` bytes.
struct Memory {
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  std::vector<Line> scratch;
  std::vector<unsigned char> stream;
  std::size_t lanes, bytes;
  aln_args_v1 args{};

  Memory(unsigned seed, const direct::Machine &machine, std::size_t score_bytes, const Span &span)
      : lanes(static_cast<std::size_t>(machine.lanes)), bytes(score_bytes) {
    std::mt19937 random(seed);
    scratch.resize((elements * lanes * bytes + 63) / 64);
    for (std::size_t i = 0; i < elements * lanes; ++i) {
      // The ends of what is said are drawn as often as all between them.
      const auto values = static_cast<unsigned>(span.most) - static_cast<unsigned>(span.least) + 1;
      const unsigned drawn = random(), place = values == 0 ? drawn : drawn % values;
      const unsigned far = drawn % 4 == 0 ? 0 : drawn % 4 == 1 ? values - 1 : place;
      const int score = machine.wrap(static_cast<int>(static_cast<unsigned>(span.least) + far));
      std::memcpy(scratch[0].bytes + i * bytes, &score, bytes);
    }
    stream.resize(rows * lanes);
    for (auto &code : stream) code = static_cast<unsigned char>(random() % 64);
    args.size = sizeof args;
    args.scratch = scratch.data();
    args.stream_letters = stream.data();
  }
  std::vector<int> results(const direct::Machine &machine) const {
    std::vector<int> list;
    for (std::size_t i = found * lanes; i < elements * lanes; ++i) {
      int score = 0;
      std::memcpy(&score, scratch[0].bytes + i * bytes, bytes);
      list.push_back(machine.wrap(score));
    }
    return list;
  }
};

// The elements behind a table and its letters, as they were drawn.
bool kept(const Memory &now, const Memory &drawn, int entries) {
  const auto same = [&](int from, int to) {
    const std::size_t element = now.lanes * now.bytes, at = static_cast<std::size_t>(from) * element;
    return std::memcmp(now.scratch[0].bytes + at, drawn.scratch[0].bytes + at,
                       static_cast<std::size_t>(to - from) * element) == 0;
  };
  return same(table + entries, letters) && same(letters + entries, found);
}

class OwnTables : public testing::TestWithParam<std::string> {};

TEST_P(OwnTables, FindWhatTheirEntriesHold) {
  const backend::Target &target = *backend::find_target(GetParam());
  if (const std::string why = compiled::obstacle(target); !why.empty()) GTEST_SKIP() << why;
  const std::size_t place = compiled::place(compiled::cpu_targets(), GetParam());
  const auto shapes_of = [&](int width) { return shapes(place + (width == 16)); };
  std::vector<std::string> texts;
  for (const int width : {8, 16, 32}) {
    std::string text = backend::kernel_prelude(target, width, {});
    for (const Shape &shape : shapes_of(width))
      text += backend::print_function(function(shape), backend::cpu_style(shape.entry(width))) + "\n";
    texts.push_back(std::move(text));
  }
  const compiled::Object object(texts, target);
  for (const int width : {8, 16, 32})
    for (const Shape &shape : shapes_of(width)) {
      SCOPED_TRACE(shape.entry(width));
      const direct::Machine machine{.lanes = target.lanes(width), .bits = width};
      const compiled::Kernel printed = object.find(shape.entry(width));
      ASSERT_TRUE(printed);
      const ir::Program program(function(shape), machine);
      for (unsigned seed = 0; seed < 10; ++seed) {
        Memory want(seed, machine, 4, shape.span);
        Memory got(seed, machine, static_cast<std::size_t>(width / 8), shape.span);
        const Memory drawn = got;
        ASSERT_EQ(program.run(machine, ir::fields_of(want.args)), 0);
        const compiled::Region memory[] = {{got.scratch.data(), got.scratch.size() * sizeof(Memory::Line)},
                                           {got.stream.data(), got.stream.size()}};
        ASSERT_EQ(printed(&got.args, memory), 0);
        ASSERT_EQ(got.results(machine), want.results(machine)) << seed;
        ASSERT_TRUE(kept(got, drawn, shape.entries)) << seed;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, OwnTables, testing::ValuesIn(compiled::cpu_targets()),
                         [](const auto &info) { return compiled::test_name(info.param); });

}  // namespace
