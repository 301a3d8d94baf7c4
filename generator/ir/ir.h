// Kernel IR: SSA values and structured statements.
//
// The evaluator builds it, the passes rewrite it, the backends print it. A value is a constant, a field of the
// argument block, a phi (of a loop or an if) or an operation of the table in ops.h. Statements bind values in
// order; only phis change, at the head of a loop or behind an if.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ir/ops.h"

namespace alnsmith::ir {

// Where in the templates a value came from.
struct Origin {
  std::string file;
  unsigned line = 0;
};

enum class ValueKind { constant, argument, phi, operation };

struct Value {
  ValueKind kind = ValueKind::operation;
  Type type = Type::int_;
  std::int64_t constant = 0;      // ValueKind::constant
  std::string name;               // argument: the field; else a hint from the template's variable
  const Op *op = nullptr;         // ValueKind::operation
  std::vector<Value *> operands;  // ValueKind::operation
  Origin origin;
  int id = 0;  // order of creation, for deterministic names

  bool is_constant() const { return kind == ValueKind::constant; }
  bool is(const char *op_name) const { return op && op->name == std::string_view(op_name); }
};

struct Block;

// A phi of a loop enters with `first` and continues with `second`; one of an if has `first` from the then branch.
// A null input is undefined: nothing reads it.
struct Phi {
  Value *value = nullptr, *first = nullptr, *second = nullptr;
};

enum class StatementKind { let, effect, if_, loop, return_ };

struct Statement {
  StatementKind kind = StatementKind::let;
  Value *value = nullptr;      // let and effect: the operation; if and loop: the condition; return: the result
  Block *header = nullptr;     // loop: computes the condition
  Block *body = nullptr;       // loop body, then branch
  Block *otherwise = nullptr;  // else branch
  std::vector<Phi> phis;
};

struct Block {
  std::vector<Statement *> statements;
};

struct Function {
  std::string name;
  Block *body = nullptr;

  Value *new_value() {
    values_.emplace_back();
    values_.back().id = next_id_++;
    return &values_.back();
  }
  Value *constant(std::int64_t value, Type type = Type::int_);
  Value *operation(const Op &op, std::vector<Value *> operands, Origin origin);
  Value *phi(Type type, std::string hint);
  Statement *new_statement(StatementKind kind, Value *value = nullptr) {
    statements_.emplace_back();
    statements_.back().kind = kind;
    statements_.back().value = value;
    return &statements_.back();
  }
  Block *new_block() { return &blocks_.emplace_back(); }

 private:
  std::deque<Value> values_;
  std::deque<Statement> statements_;
  std::deque<Block> blocks_;
  int next_id_ = 0;
};

// Calls f for every statement below `block`, outer before inner, in order.
template <class F>
void for_each_statement(const Block *block, F &&f) {
  if (!block) return;
  for (Statement *s : block->statements) {
    f(*s);
    for_each_statement(s->header, f);
    for_each_statement(s->body, f);
    for_each_statement(s->otherwise, f);
  }
}

// The block that hot_row() marks, a loop's body or a branch, and the phis of its statement. Null if none is marked.
struct HotRow {
  const Block *block = nullptr;
  const std::vector<Phi> *phis = nullptr;
};
HotRow hot_row(const Function &function);

// Operations of score, letter or mask type in `block`, loops inside it not counted.
int vector_operations(const Block &block);

// A listing for tests and --explain: one line a statement.
std::string dump(const Function &function);

}  // namespace alnsmith::ir
