// The operations of the IR: the rows of templates/ops.def, group_ops.def and sliced_ops.def, and the types of
// types.def.
//
// The table is all that passes and backends know of an operation. An operation is found by name and operand types.
// Operations on numbers that saturate (number_ops.def) are no part of it: no kernel has them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace alnsmith::ir {

enum class Type {
  void_,
  int_,
  bool_,
  pointer,
  number,  // sat64
#define ALN_TYPE(name, ir, parts, each, note) ir,
#include "templates/types.def"
};

std::string_view type_name(Type type);

// The types that lanes have values of: their names in templates, and what they are.
struct LaneType {
  Type type;
  std::string_view name, note;
};
std::span<const LaneType> lane_types();

enum class Effect {
  pure,   // may be moved, shared and removed
  load,   // may be removed, not moved over a store
  store,  // stays where it is
};

// What models of cores and pipes count an operation as.
enum class Cost {
  other,
  sum,         // of scores
  saturating,  // a subtraction with a floor
  gap,         // a subtraction of a gap's cost
  maximum,
  minimum,
  maximum_off_pipe,  // a maximum off the pipe that takes maxima
  compare,           // for equality, or a lookup
  greater,
  choice,       // of two values, or of one in a row
  memory,       // a load or store of scores
  quad,         // four scores from shared memory
  quads,        // the same for each alignment of a lane
  element,      // of a quad
  gather_rows,  // each lane's scores of sixteen rows from its own table
  gather,       // each alignment's score from shared memory
  counted,      // a comparison and what it counts
  joined,       // bytes of totals
  exchange,     // between lanes, with a value that enters
  rotation,     // between lanes
  gate,         // of planes of bits
};

// Which kernels have an operation: all; those whose lanes share alignments; bit-sliced ones.
enum class Table { all, group, sliced };

enum class Order { ordered, commutes };

struct Op {
  std::string_view name;
  Type result;
  std::span<const Type> operands;
  Effect effect;
  bool commutative;
  // How it is printed: an operator of C++ ('?' for `a ? b : c`, '=' for its operand as it is, '//' for a comment), or
  // the name of a function of the preludes.
  std::string_view text;
  Cost cost;
  Table table;
  bool uniform;                // an operator of C++ on int and bool, not declared in the dialect
  std::string_view signature;  // operands as declared
  std::string_view note;
  std::string_view meaning;
  using Compute = std::int64_t (*)(std::int64_t a, std::int64_t b);
  Compute compute = nullptr;  // of operations on numbers, and of uniform ones of one or two operands

  // Its one operand, uniform, in all lanes: costs nothing where that is a constant.
  bool splats() const { return name.starts_with("splat"); }
};

// All operations, in the order of the table.
std::span<const Op> ops();

// The operation of that name and those operand types, one on numbers too; null if there is none.
const Op *find_op(std::string_view name, std::span<const Type> operands);

}  // namespace alnsmith::ir
