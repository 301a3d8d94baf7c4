// The operations of the IR: one table row per operation of templates/dialect.h and per integer operator.
//
// The table is all that the passes and backends know of an operation; the dialect's declarations must agree with
// it (checked when the templates are read). An operation is found by name and operand types.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace alnsmith::ir {

enum class Type { void_, int_, bool_, score, wide, pos, letter, mask, table, quad, quads, row, four, pointer };

std::string_view type_name(Type type);

enum class Effect {
  pure,   // may be moved, shared and removed
  load,   // may be removed, not moved over a store
  store,  // stays where it is
};

struct Op {
  std::string_view name;
  Type result;
  std::span<const Type> operands;
  Effect effect;
  bool commutative;
  // How it is printed: an operator of C++ ('?' for `a ? b : c`, '=' for its operand as it is), or the name of a
  // function of the preludes.
  std::string_view text;
};

// All operations, in the order of the table.
std::span<const Op> ops();

// The operation of that name and those operand types; null if there is none.
const Op *find_op(std::string_view name, std::span<const Type> operands);
const Op &need_op(std::string_view name, std::initializer_list<Type> operands);

}  // namespace alnsmith::ir
